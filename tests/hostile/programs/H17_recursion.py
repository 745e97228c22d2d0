# expect: error|memory|crash|timeout timeout_ms=6000
# Deeper than any stack.
def down():
    return down()


tell(attempt(down)[0] != "RecursionError", "the usual limit")
for code in ("(" * 10 ** 6 + ")" * 10 ** 6, "[" * 10 ** 5 + "]" * 10 ** 5):
    tell(attempt(compile, code, "x", "eval")[0] == "OK", "the compiler")
sys.setrecursionlimit(10 ** 9)
down()
