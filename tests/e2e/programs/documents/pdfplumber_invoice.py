# Texts, tables with empty and joined cells, a search, a part of a page.
# expect: success
# needs: pdfminer reportlab
# without: pdfplumber
# files-kinds: {"report.pdf": "pdf"}
# stdout: "1 Q3 ['1,200', '1,510']\nQuarterly report\nSales rose. See us for the
#     final figures.\n[['Region', 'Sales'], ['North', '1,200'], ['South', ''],
#     ['East', 'first line\\nsecond 1,510']]\n[['a', None], ['1',
#     '2']]\n('Quarterly', 18.0) mailto:x@example.org\n[['Item', 'Qty'], ['Pear',
#     '10'], ['Plum', '7']]\n"
# cut
from reportlab.lib import colors
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

import pdfplumber

style = getSampleStyleSheet()
lines = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
SimpleDocTemplate("report.pdf", title="Q3").build([
    Paragraph("Quarterly report", style["Title"]),
    Paragraph("Sales rose. See <a href='mailto:x@example.org'>us</a> for the "
              "final figures.", style["Normal"]), Spacer(1, 12),
    Table([["Region", "Sales"], ["North", "1,200"], ["South", ""],
           ["East", "first line\nsecond 1,510"]], style=lines),
    Spacer(1, 20),
    Table([["a", "b"], ["1", "2"]],
          style=[("SPAN", (0, 0), (1, 0)), *lines]),
    Spacer(1, 60),
    Table([["Item", "Qty"], ["Pear", "10"], ["Plum", "7"]])])

with pdfplumber.open("report.pdf") as pdf:
    page = pdf.pages[0]
    print(len(pdf.pages), pdf.metadata["Title"],
          [row["text"] for row in page.search(r"\d,\d+")])
    tables = page.find_tables()
    above = page.crop((0, 0, page.width, tables[0].bbox[1]))
    print(above.extract_text())
    for table in page.extract_tables():
        print(table)
    word = page.extract_words(extra_attrs=["size"])[0]
    print((word["text"], word["size"]), page.hyperlinks[0]["uri"])
    below = page.crop((0, tables[-1].bbox[3] + 5, page.width, page.height))
    found = below.extract_table({"vertical_strategy": "text",
                                 "horizontal_strategy": "text",
                                 "min_words_vertical": 2})
    print([row for row in found if any(row)])
