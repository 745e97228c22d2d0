# expect: success
# needs: pandas xlsxwriter openpyxl
# final: [["name", "score"], ["Ann", 91], ["Ben", 54], ["Cy", 77]]
# files-kinds: {"scores.xlsx": "zip"}
# cut
import pandas as pd

df = pd.DataFrame({"name": ["Ann", "Ben", "Cy"], "score": [91, 54, 77]})
with pd.ExcelWriter("scores.xlsx", engine="xlsxwriter") as writer:
    df.to_excel(writer, sheet_name="Scores", index=False)
    book, sheet = writer.book, writer.sheets["Scores"]
    red = book.add_format({"bg_color": "#FFC7CE", "font_color": "#9C0006"})
    sheet.conditional_format("B2:B4", {"type": "cell", "criteria": "<",
                                       "value": 60, "format": red})
    sheet.autofilter(0, 0, 3, 1)
    sheet.set_column("A:B", 12)
import openpyxl
[list(r) for r in openpyxl.load_workbook("scores.xlsx").active.values]
