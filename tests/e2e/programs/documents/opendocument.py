# expect: success
# needs: odf pandas
# stdout: "[['Bern', 12.5], ['Lyon', 17.0]]\n"
# files-kinds: {"sheet.ods": "zip"}
# cut
import pandas as pd

df = pd.DataFrame({'city': ['Bern', 'Lyon'], 'temp': [12.5, 17.0]})
df.to_excel('/mnt/data/sheet.ods', engine='odf', index=False)
print(pd.read_excel('/mnt/data/sheet.ods', engine='odf').values.tolist())
