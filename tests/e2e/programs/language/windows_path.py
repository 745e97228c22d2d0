# expect: failure
# error: FileNotFoundError
# files-in: {"data.csv": "a,b\n1,2\n"}
# told: "data.csv"
# cut
import pandas as pd
df = pd.read_csv(r'C:\Users\me\Documents\data.csv')
print(df.shape)
