# expect: success
# files-kinds: {"summary.xlsx": "zip", "data.xlsx": "zip"}
# stdout-has: "{'North': 30, 'South': 70}"
# needs: pandas numpy openpyxl
# cut
import pandas as pd
import numpy as np
with pd.ExcelWriter("/mnt/data/data.xlsx") as w:
    pd.DataFrame({"amt": [10, 20]}).to_excel(w, sheet_name="North", index=False)
    pd.DataFrame({"amt": [30, 40]}).to_excel(w, sheet_name="South", index=False)
sheets = pd.read_excel("/mnt/data/data.xlsx", sheet_name=None)
combined = pd.concat([d.assign(region=k) for k, d in sheets.items()], ignore_index=True)
out = combined.groupby("region")["amt"].sum()
print({k: int(v) for k, v in out.items()})
from openpyxl import Workbook
from openpyxl.utils.dataframe import dataframe_to_rows
from openpyxl.worksheet.table import Table, TableStyleInfo
wb = Workbook(); ws = wb.active
for r in dataframe_to_rows(combined, index=False): ws.append(r)
t = Table(displayName="T1", ref="A1:B5"); t.tableStyleInfo = TableStyleInfo(name="TableStyleMedium9", showRowStripes=True)
ws.add_table(t); ws["D1"] = "=SUM(A2:A5)"; ws.freeze_panes = "A2"
wb.save("/mnt/data/summary.xlsx")
