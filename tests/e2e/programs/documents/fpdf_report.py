# A report as for fpdf2: a table of two pages with its headings on each,
# a picture, markdown, dry runs, shapes.
# expect: success
# needs: reportlab fitz PIL
# stdout: "['the text is', 'wrapped']\n10\n8.04 190.0 267.0\nValueError Q is
#     not a valid Align\n3 2 True\nbold Helvetica-Bold\nhttps://example.com\n175.0
#     Report Jane\n"
# files-kinds: {"report.pdf": "pdf"}
# cut
import io

import fitz
from fpdf import FPDF, FontFace
from fpdf.enums import MethodReturnValue, XPos, YPos
from PIL import Image

pdf = FPDF()
pdf.set_title('Report')
pdf.set_author('Jane')
pdf.add_page()
pdf.set_font('Helvetica', size=12)
print(pdf.multi_cell(30, 5, 'the text is wrapped', dry_run=True,
                     output='LINES'))
print(pdf.multi_cell(30, 5, 'the text is wrapped', dry_run=True,
                     output=MethodReturnValue.HEIGHT))
pdf.set_font_size(10)
width = pdf.get_string_width('Hello')
print(round(width, 2), round(pdf.epw, 1), round(pdf.eph, 1))
pdf.multi_cell(0, 6, 'This is **bold** and [here](https://example.com).',
               markdown=True, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
rows = [('Name', 'City')] + [(f'Name {i}', 'Oslo') for i in range(50)]
style = FontFace(emphasis='BOLD', color=255, fill_color=(20, 60, 120))
with pdf.table(col_widths=(1, 2), headings_style=style, line_height=6,
               cell_fill_color=240, cell_fill_mode='ROWS') as table:
    for cells in rows:
        row = table.row()
        for text in cells:
            row.cell(text)
pdf.add_page('L')
pdf.set_fill_color(0, 128, 0)
pdf.rect(20, 20, 50, 30, style='DF')
stream = io.BytesIO()
Image.new('RGBA', (60, 40), (255, 0, 0, 100)).save(stream, 'PNG')
pdf.set_y(155)
pdf.image(stream, w=30)
place = pdf.y
try:
    pdf.cell(10, 5, 'x', align='Q')
except ValueError as exc:
    print(type(exc).__name__, exc)
pdf.output('report.pdf')

document = fitz.open('report.pdf')
headings = sum('City' in page.get_text() for page in document)
last = document[2].get_pixmap()
green = last.pixel(120, 100)
print(len(document), headings, green[1] > 100 and green[0] == 0)
for block in document[0].get_text('dict')['blocks'][:1]:
    for line in block['lines']:
        for span in line['spans']:
            if span['text'].strip() == 'bold':
                print('bold', span['font'])
print(document[0].get_links()[0]['uri'])
about = document.metadata
print(round(place, 2), about['title'], about['author'])
