# expect: success
# needs: pandas openpyxl
# stdout: "Saved /mnt/data/report.xlsx with 2 sheets\n"
# files-kinds: {"report.xlsx": "zip"}
# cut
import pandas as pd
from openpyxl import load_workbook
from openpyxl.styles import Font, PatternFill, Alignment
from openpyxl.chart import BarChart, Reference
from openpyxl.utils import get_column_letter

df = pd.DataFrame({'Month': ['Jan', 'Feb', 'Mar'], 'Sales': [100, 150, 130]})
path = '/mnt/data/report.xlsx'
with pd.ExcelWriter(path, engine='openpyxl') as writer:
    df.to_excel(writer, sheet_name='Data', index=False)
    df.describe().to_excel(writer, sheet_name='Summary')

wb = load_workbook(path)
ws = wb['Data']
for cell in ws[1]:
    cell.font = Font(bold=True, color='FFFFFF')
    cell.fill = PatternFill('solid', start_color='4F81BD')
    cell.alignment = Alignment(horizontal='center')
for i in range(1, 3):
    ws.column_dimensions[get_column_letter(i)].width = 14
chart = BarChart()
chart.add_data(Reference(ws, min_col=2, min_row=1, max_row=4),
               titles_from_data=True)
chart.set_categories(Reference(ws, min_col=1, min_row=2, max_row=4))
ws.add_chart(chart, 'D2')
wb.save(path)
print(f"Saved {path} with {len(wb.sheetnames)} sheets")
