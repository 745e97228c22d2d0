# expect: success
# needs: docx matplotlib
# files-kinds: {"report.docx": "zip"}
# stdout: "['Quarterly Report', 'Revenue grew by 12%']\n3 1\n"
# cut
from docx import Document
from docx.shared import Inches, Pt, RGBColor
from docx.enum.text import WD_ALIGN_PARAGRAPH
import matplotlib.pyplot as plt
import io

plt.plot([1, 2, 3], [1, 4, 9])
buf = io.BytesIO()
plt.savefig(buf, format='png')
plt.close()
buf.seek(0)
doc = Document()
title = doc.add_heading('Quarterly Report', level=0)
title.alignment = WD_ALIGN_PARAGRAPH.CENTER
run = doc.add_paragraph('Revenue grew by ').add_run('12%')
run.bold, run.font.size = True, Pt(14)
run.font.color.rgb = RGBColor(0x00, 0x80, 0x00)
table = doc.add_table(rows=1, cols=2, style='Light Grid Accent 1')
table.rows[0].cells[0].text, table.rows[0].cells[1].text = 'Region', 'Sales'
for name, value in [('North', 10), ('South', 20)]:
    cells = table.add_row().cells
    cells[0].text, cells[1].text = name, str(value)
doc.add_picture(buf, width=Inches(4))
doc.save('/mnt/data/report.docx')
back = Document('/mnt/data/report.docx')
print([p.text for p in back.paragraphs if p.text])
print(len(back.tables[0].rows), len(back.inline_shapes))
