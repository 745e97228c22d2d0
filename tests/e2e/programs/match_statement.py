# expect: success
# needs: python:3.10
# final: "pair 1 2"
match (1, 2):
    case (a, b):
        out = f"pair {a} {b}"
out
