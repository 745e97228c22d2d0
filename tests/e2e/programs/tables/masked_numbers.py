# Series of pandas' own integers are numbers for numpy, matplotlib and seaborn.
# expect: success
# needs: pandas matplotlib seaborn
# stdout: "UInt32 uint32\nint64 bool\nfloat64 [1.0, nan]\n[1.0, -1.0]\n['1',
#     '<NA>']\n[5.0, nan] [1, 2]\n1 1 1\n"
# results: ["image/png"]
# cut
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns

days = pd.date_range("2024-01-01", periods=60)
df = pd.DataFrame({"day": days, "sales": np.arange(60) % 7})
df["week"] = df["day"].dt.isocalendar().week
print(df["week"].dtype, np.asarray(df["week"]).dtype)
whole = pd.Series([1, 2], dtype="Int64")
print(whole.to_numpy().dtype, (whole > 1).to_numpy().dtype)
holes = pd.Series([1, None], dtype="Int64")
print(np.asarray(holes).dtype, holes.to_numpy().tolist())
print(holes.to_numpy(na_value=-1).tolist())
print(list(map(str, holes.array)))
print(np.asarray(pd.Series([5, None], dtype="Float64")).tolist(),
      np.asarray(pd.Index([1, 2], dtype="Int64")).tolist())
fig, axes = plt.subplots(1, 2)
sns.lineplot(data=df, x="week", y="sales", ax=axes[0])
axes[1].fill_between(df["week"], df["sales"])
axes[1].plot(holes, holes, marker="o")
print(len(axes[0].lines), len(axes[1].collections), len(axes[1].lines))
plt.show()
