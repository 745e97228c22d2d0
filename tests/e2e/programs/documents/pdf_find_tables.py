# Tables of a PDF by their lines, with a cell that spans two columns; a page
# without lines has none. A bar behind a heading is none, nor is an empty grid.
# expect: success
# without: python:3.12
# needs: fitz reportlab pandas
# stdout: "1 4 3\n[['Item', 'Qty', 'Price'], ['Oak\\nchair', '2', '49.90'],
#     ['Desk', '', '199'], ['Total', None, '298.80']]\n['Item', 'Qty',
#     'Price'] (3, 3) Desk\n|Item|Qty|Price|\n0\nValueError
#     strategy='text' needs PyMuPDF 1.23\n"
# files-kinds: {"t.pdf": "pdf"}
# cut
import fitz
from reportlab.lib import colors
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate
from reportlab.platypus import Table, TableStyle
from reportlab.lib.styles import getSampleStyleSheet

body = getSampleStyleSheet()["Normal"]
table = Table([["Item", "Qty", "Price"], ["Oak\nchair", "2", "49.90"],
               ["Desk", "", "199"], ["Total", "", "298.80"]])
table.setStyle(TableStyle([("GRID", (0, 0), (-1, -1), 1, colors.black),
                           ("SPAN", (0, 3), (1, 3)),
                           ("BACKGROUND", (0, 0), (-1, 0), colors.pink)]))
SimpleDocTemplate("t.pdf").build(
    [Paragraph("Invoice", body), table, PageBreak(), Paragraph("End", body)])

document = fitz.open("t.pdf")
document[0].draw_rect((50, 40, 400, 60), fill=(0, 0, 0))
document[0].insert_text((60, 55), "Heading", color=(1, 1, 1))
for box in ((50, 700, 90, 720), (90, 700, 130, 720)):
    document[0].draw_rect(box)
found = document[0].find_tables()
print(len(found.tables), found[0].row_count, found[0].col_count)
print(found[0].extract())
frame = found.tables[0].to_pandas()
print(list(frame), frame.shape, frame.loc[1, "Item"])
print(found[0].to_markdown().splitlines()[0])
print(len(list(document[1].find_tables())))
try:
    document[0].find_tables(strategy="text")
except ValueError as exc:
    print(type(exc).__name__, str(exc).partition(";")[0])
