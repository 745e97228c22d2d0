# expect: success
# final: {"a": null, "b": [null, null]}
# warnings: ["3 values that are NaN, NaT or infinite became null"]
{"a": float("inf"), "b": (float("-inf"), float("nan"))}
