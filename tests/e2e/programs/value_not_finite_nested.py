# expect: success
# final: {"a": null, "b": [null, null]}
{"a": float("inf"), "b": (float("-inf"), float("nan"))}
