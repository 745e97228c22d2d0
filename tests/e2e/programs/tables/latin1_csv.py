# expect: success
# needs: pandas
# files-in: {"villes.csv": {"b64": "dmlsbGU7aGFiaXRhbnRzCk9ybOlhbnM7MTE2LDUKQmV6aWVyczs4MCwyCg=="}}
# stdout: "utf-8 failed: invalid continuation byte\nEncoding used: latin-1\n{'ville': ['Orléans', 'Beziers'], 'habitants': [116.5, 80.2]}\n"
# cut
import pandas as pd

for enc in ('utf-8', 'latin-1', 'cp1252'):
    try:
        df = pd.read_csv('/mnt/data/villes.csv', sep=';', encoding=enc,
                         decimal=',')
        print('Encoding used:', enc)
        break
    except UnicodeDecodeError as e:
        print(f'{enc} failed: {e.reason}')
print(df.to_dict('list'))
