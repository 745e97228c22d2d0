# Pages of PdfWriter(clone_from=), which are pages, and merge_page()'s over=.
# expect: success
# needs: pypdf reportlab below:3.12
# stdout:
#     "[['COPY', 'one'], ['COPY', 'two'], ['COPY', 'three']]
#     RectangleObject([0.0, 0.0, 100, 100]) 90 Marked ['Two']\n3 True
#     three\n['one', 'two', 'three', 'COPY']\n"
# cut
import io

from pypdf import PageObject, PdfReader, PdfWriter
from reportlab.pdfgen import canvas


def made(*texts):
    kept = io.BytesIO()
    drawn = canvas.Canvas(kept, pagesize=(200, 200))
    for text in texts:
        drawn.drawString(20, 100, text)
        drawn.showPage()
    drawn.save()
    kept.seek(0)
    return kept


book = made("one", "two", "three")
mark = PdfReader(made("COPY")).pages[0]
writer = PdfWriter(clone_from=book)
for page in writer.pages:
    page.merge_page(mark, over=False)
    page.scale_by(0.5)
writer.pages[1].rotate(90)
writer.add_metadata({"/Title": "Marked"})
writer.add_outline_item("Two", 1)
kept = io.BytesIO()
writer.write(kept)
found = PdfReader(kept)
print([page.extract_text().split() for page in found.pages],
      found.pages[0].mediabox, found.pages[1].rotation, found.metadata.title,
      [one.title for one in found.outline])
other = PdfWriter()
other.clone_document_from_reader(PdfReader(book))
print(len(other.pages), isinstance(other.pages[2], PageObject),
      other.pages[2].extract_text().strip())
other.pages[2].compress_content_streams()
other.add_page(mark)
kept = io.BytesIO()
other.write(kept)
print([page.extract_text().strip() for page in PdfReader(kept).pages])
