# margins=True for columns of Int64 and Float64, which pandas 1.5 refused.
# expect: success
# needs: pandas
# final: [{"p": 4, "q": 2, "All": 6}, [4.5, 2.0, 6.5], ["Int64", "Float64"],
#    2.1667, {"p": 4.0, "q": 6.0, "All": 10.0}]
# cut
import pandas as pd

table = pd.DataFrame({
    "a": list("xxyy"), "b": list("pqpq"),
    "v": pd.array([1, 2, 3, None], "Int64"),
    "w": pd.array([1.5, 2, 3, None], "Float64"), "n": [1.0, 2, 3, 4]})


def last(values, how):
    found = table.pivot_table(index="a", columns="b", values=values,
                              aggfunc=how, fill_value=0, margins=True)
    return found.loc["All"], str(found["All"].dtype)


whole, kind = last("v", "sum")
parts, other = last("w", "sum")
[whole.to_dict(), parts.tolist(), [kind, other],
 round(float(last("w", "mean")[0]["All"]), 4), last("n", "sum")[0].to_dict()]
