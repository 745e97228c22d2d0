# An engine that is not installed gives way to pandas' own.
# expect: success
# needs: pandas
# files-in: {"people.csv": "name,age\nAnn,31\nBob,40\n"}
# stdout: "35.5\n"
# cut
import pandas as pd

df = pd.read_csv("/mnt/data/people.csv", engine="pyarrow")
print(df["age"].mean())
