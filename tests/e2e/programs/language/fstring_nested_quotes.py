# expect: failure
# error: SyntaxError
# told: ["Python 3.11", "same quotes"]
# without: python:3.12
# cut
row = {"name": "Ann", "scores": [1, 2]}
print(f"Name: {row["name"]}, total {sum(row["scores"])}")
