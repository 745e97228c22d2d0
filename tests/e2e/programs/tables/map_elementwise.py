# expect: success
# needs: pandas
# stdout: "[['1.2', '9.1'], ['5.7', '12.1']]\n"
# cut
import pandas as pd

df = pd.DataFrame({"a": [1.234, 5.678], "b": [9.1011, 12.1314]})
# DataFrame.map replaced applymap in pandas 2.1
rounded = df.map(lambda x: f"{x:.1f}")
print(rounded.values.tolist())
