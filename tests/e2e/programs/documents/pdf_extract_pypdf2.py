# expect: success
# needs: reportlab pypdf
# stdout-has: "Hello from page 1"
# files-kinds: {"in.pdf": "pdf"}
# stderr-like: .*
# cut
from reportlab.pdfgen import canvas
c = canvas.Canvas('in.pdf')
for i in (1, 2):
    c.drawString(100, 750, f'Hello from page {i}')
    c.showPage()
c.save()

import PyPDF2
reader = PyPDF2.PdfReader('in.pdf')
for page in reader.pages:
    print(page.extract_text())
