# expect: success
# Cryptodome binds libraries in a way that sanitizers cannot follow.
# needs: reportlab pypdf
# final: [3, "B2"]
# files-kinds: {"a.pdf": "pdf", "b.pdf": "pdf", "merged.pdf": "pdf"}
# cut
from pypdf import PdfReader, PdfWriter
from reportlab.pdfgen.canvas import Canvas
for name, pages in (('a', 1), ('b', 2)):
    c = Canvas(f'{name}.pdf')
    for n in range(1, pages + 1):
        c.drawString(72, 720, f'{name.upper()}{n}')
        c.showPage()
    c.save()
writer = PdfWriter()
for name in ('a.pdf', 'b.pdf'):
    for page in PdfReader(name).pages:
        writer.add_page(page)
writer.add_metadata({'/Title': 'Merged'})
with open('merged.pdf', 'wb') as f:
    writer.write(f)
done = PdfReader('merged.pdf')
[len(done.pages), done.pages[2].extract_text().strip()]
