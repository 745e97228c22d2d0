# expect: success
# final: {"1": "a", "None": "b", "(1, 2)": "c", "2.5": "d", "": "e"}
{1: "a", None: "b", (1, 2): "c", 2.5: "d", "": "e"}
