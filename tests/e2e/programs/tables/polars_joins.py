# Polars: joins of all kinds; a key that is null matches nothing.
# expect: success
# without: polars
# stdout:
#     "inner ['k', 'a', 'a_right'] [(1, 'q', 'u'), (1, 'q', 'y'), (2, 's',
#     'v'), (1, 't', 'u'), (1, 't', 'y')]\nleft ['k', 'a', 'a_right'] [(3,
#     'p', None), (1, 'q', 'u'), (1, 'q', 'y'), (None, 'r', None), (2, 's',
#     'v'), (1, 't', 'u'), (1, 't', 'y')]\nright ['a', 'k', 'a_right'] [('q',
#     1, 'u'), ('t', 1, 'u'), ('s', 2, 'v'), (None, None, 'w'), (None, 4,
#     'x'), ('q', 1, 'y'), ('t', 1, 'y')]\nfull ['k', 'a', 'k_right',
#     'a_right'] [(3, 'p', None, None), (1, 'q', 1, 'u'), (1, 'q', 1, 'y'),
#     (None, 'r', None, None), (2, 's', 2, 'v'), (1, 't', 1, 'u'), (1, 't', 1,
#     'y'), (None, None, None, 'w'), (None, None, 4, 'x')]\nsemi ['k', 'a']
#     [(1, 'q'), (2, 's'), (1, 't')]\nanti ['k', 'a'] [(3, 'p'), (None,
#     'r')]\n[(None, None, 'w'), (4, None, 'x')]\n[(3, 'p', 1, 'u'), (3, 'p',
#     2, 'v'), (1, 'q', 1, 'u'), (1, 'q', 2, 'v')]\n6\njoin keys did not
#     fulfill 1:1 validation\n[(1, 10, None), (5, 50, 5), (9, 90, 5)]\n[7,
#     None, None]\n(10, 3)\n"
# cut
import polars as pl

left = pl.DataFrame({"k": [3, 1, None, 2, 1], "a": list("pqrst")})
right = pl.DataFrame({"k": [1, 2, None, 4, 1], "a": list("uvwxy")})
for how in ("inner", "left", "right", "full", "semi", "anti"):
    found = left.join(right, on="k", how=how)
    print(how, found.columns, found.rows())
print(left.join(right, on="k", how="full", coalesce=True).rows()[-2:])
print(left.head(2).join(right.head(2), how="cross", suffix="2").rows())
print(left.join(right, left_on="k", right_on="k", nulls_equal=True).height)
try:
    left.join(right, on="k", validate="1:1")
except pl.exceptions.ComputeError as why:
    print(why)
trades = pl.DataFrame({"t": [1, 5, 9], "x": [10, 50, 90]})
print(trades.join_asof(pl.DataFrame({"t": [2, 5], "y": [2, 5]}),
                       on="t").rows())
pairs = pl.DataFrame({"k": [1, None, 2], "m": ["u", "v", None]})
print(pairs.join(pairs.with_columns(n=pl.lit(7)), on=["k", "m"],
                 how="left")["n"].to_list())
print(pl.concat([left, right.rename({"a": "b"})], how="diagonal").shape)
