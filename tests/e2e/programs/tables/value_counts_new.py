# expect: failure
# error: KeyError
# told: ["pandas 1.", ".reset_index(name='count')"]
# without: python:3.13
# needs: pandas
# cut
import pandas as pd
df = pd.DataFrame({"color": ["red", "blue", "red", "green", "red"]})
counts = df["color"].value_counts().reset_index()
print(counts.sort_values("count", ascending=False))
