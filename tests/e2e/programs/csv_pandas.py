# expect: success
# needs: pandas
# files-in: {"in.csv": "town,people\nA,10\nB,32\nA,5\n"}
# final: {"A": 15, "B": 32}
# files-out: {"out.csv": "town,people\nA,15\nB,32\n"}
import pandas as pd
sums = pd.read_csv("in.csv").groupby("town")["people"].sum()
sums.to_csv("out.csv")
sums.to_dict()
