# expect: failure
# needs: pandas
# error: ImportError
# files-in: {"people.csv": "name,age\nAnn,31\nBob,40\n"}
# told: ["pyarrow is not installed", "to_csv"]
# without: pyarrow
# cut
import pandas as pd

df = pd.read_csv("/mnt/data/people.csv", engine="pyarrow")
print(df.describe())
