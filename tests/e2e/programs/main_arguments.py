# expect: success
# arguments: {"x": 2, "y": [1, {"z": null}], "text": "\u00e9"}
# stdout: "module ran\n"
# final: [2, [1, {"z": null}], "\u00e9", "default"]
print("module ran")


def main(x, y, text, other="default"):
    return [x, y, text, other]


"this value is replaced by main's"
