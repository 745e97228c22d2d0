# Groups and joins of pyarrow, against pandas.
# expect: success
# needs: pandas
# without: pyarrow
# stdout: "True True\n['a', 'b', None] [{'min': 1, 'max': 9}, {'min': 4, 'max': 4}, {'min': 0, 'max': 0}]\n[[1, 9], [4], [0]]\n{'k': ['a', 'b'], 'n_sum': [1, None], 'n_count': [1, 0]}\ninner True\nleft outer True\nfull outer True\n{'k': ['c']}\nArrowNotImplementedError The aggregation 'tdigest' is not here\n"
# cut
import numpy as np
import pandas as pd
import pyarrow as pa

rng = np.random.default_rng(4)
df = pd.DataFrame({"g": rng.choice(list("xyz"), 500),
                   "h": rng.integers(0, 3, 500), "v": rng.normal(size=500)})
df.loc[::7, "v"] = np.nan
table = pa.Table.from_pandas(df)
ours = table.group_by(["g", "h"]).aggregate(
    [("v", "sum"), ("v", "mean"), ("v", "count"), ("v", "stddev")])
mine = ours.sort_by([("g", "ascending"), ("h", "ascending")]).to_pandas()
wanted = df.groupby(["g", "h"])["v"].agg(["sum", "mean", "count"])
spread = df.groupby(["g", "h"])["v"].std(ddof=0)
print(np.allclose(mine[["v_sum", "v_mean", "v_count"]], wanted),
      np.allclose(mine["v_stddev"], spread))
small = pa.table({"k": ["a", "b", "a", None], "n": [1, 4, 9, 0]})
found = small.group_by("k").aggregate([("n", "min_max"), ("n", "list")])
print(found["k"].to_pylist(), found["n_min_max"].to_pylist())
print(found["n_list"].to_pylist())
none = pa.table({"k": ["a", "b"], "n": pa.array([1, None], pa.int64())})
print(none.group_by("k").aggregate([("n", "sum"), ("n", "count")]).to_pydict())
left = pd.DataFrame({"k": rng.integers(0, 30, 60), "a": range(60)})
right = pd.DataFrame({"k": rng.integers(15, 45, 40), "b": range(40)})
for kind, how in (("inner", "inner"), ("left outer", "left"),
                  ("full outer", "outer")):
    one = pa.Table.from_pandas(left).join(
        pa.Table.from_pandas(right), keys="k", join_type=kind).to_pandas()
    two = left.merge(right, on="k", how=how)
    order = ["k", "a", "b"]
    print(kind, one.sort_values(order).reset_index(drop=True).equals(
        two.sort_values(order).reset_index(drop=True)[one.columns].astype(
            one.dtypes)))
print(pa.table({"k": ["a", "c"]}).join(pa.table({"k": ["a"]}), "k",
                                       join_type="left anti").to_pydict())
try:
    small.group_by("k").aggregate([("n", "tdigest")])
except NotImplementedError as error:
    print(type(error).__name__, error)
