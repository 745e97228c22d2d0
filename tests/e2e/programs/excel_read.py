# expect: success
# needs: openpyxl pandas
# make: workbook
# final: {"columns": ["name", "amount"], "sum": 42}
import pandas as pd
data = pd.read_excel("numbers.xlsx", sheet_name="figures")
{"columns": list(data.columns), "sum": data["amount"].sum()}
