# value_counts() has the names of pandas 2.
# expect: success
# needs: pandas
# stdout: "{'color': ['red', 'blue'], 'count': [3, 1]}\n['color', 'proportion']
#     ['s', 'share'] ['index', 'count']\n['shop', 'size', 'count'] ['size']
#     proportion\n['shop', 'color', 'count'] ['shop', 'color']
#     proportion\n['shop', 'size', 'count'] ['shop', 'size', 'count']\n['color']
#     count ['color'] count\n['n', 'm'] None\n['size'] ['shop',
#     'size']\n3 red 3 red\n['count'] color\n"
# cut
import pandas as pd

df = pd.DataFrame({"color": ["red", "blue", "red", None, "red"],
                   "size": [1, 2, 1, 1, 3], "shop": list("aabba")})
color, size, shops = df["color"], df["size"], df.groupby("shop")


def columns(counts):
    return list(counts.reset_index().columns)


def names(counts):
    return list(counts.index.names)


counts = color.value_counts().reset_index()
print(counts.sort_values("count", ascending=False).to_dict("list"))
print(columns(color.value_counts(normalize=True, dropna=False)),
      list(size.value_counts(True).rename_axis("s").reset_index(
          name="share")), columns(size.value_counts(bins=2)))
pairs, shares = df.value_counts(["shop", "size"]), df[["size"]].value_counts(
    normalize=True)
print(columns(pairs), names(shares), shares.name)
shares = shops["color"].value_counts(normalize=True)
print(columns(shops["color"].value_counts()), names(shares), shares.name)
print(columns(shops[["size"]].value_counts()), list(df.groupby(
    "shop", as_index=False)[["size"]].value_counts().columns))
kinds = color.astype("category")
counts = pd.Index(color.dropna()).rename("color").value_counts()
print(names(kinds.value_counts()), kinds.value_counts().name,
      names(counts), counts.name)
both = pd.concat([size.value_counts(), size.value_counts()], axis=1,
                 keys=["n", "m"])
print(list(both.columns), df[["size"]].assign(more=2).apply(
    lambda one: one.value_counts()).index.name)
binned = shops["size"].value_counts(bins=[0, 1, 3])
print(names(both), names(binned))
print(color.describe()["freq"], color.describe()["top"],
      color.value_counts()["red"], color.value_counts().idxmax())
frame = color.value_counts().to_frame()
print(list(frame.columns), frame.index.name)
