# The names of pandas 1, which value_counts() has no longer.
# expect: failure
# error: KeyError
# told: ["'color', 'count'", "value_counts() gives 'color'"]
# needs: pandas
# cut
import pandas as pd
df = pd.DataFrame({"color": ["red", "blue", "red", "green", "red"]})
counts = df["color"].value_counts().reset_index()
print(counts.set_index(counts["index"]))
