# expect: success
# needs: pandas
# stdout: "['2023-03-31', '2023-06-30', '2023-09-30']\n[0, 6, 12, 18]\n[2020, 2021, 2022]\n"
# cut
import pandas as pd

idx = pd.date_range("2023-01-31", periods=8, freq="QE")
hours = pd.date_range("2024-03-01", periods=4, freq="6h")
years = pd.date_range("2020", periods=3, freq="YE")
print([d.strftime("%Y-%m-%d") for d in idx[:3]])
print([h.hour for h in hours])
print(list(years.year))
