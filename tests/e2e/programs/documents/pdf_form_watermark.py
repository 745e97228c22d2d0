# expect: success
# files-kinds: {"wm.pdf": "pdf", "base.pdf": "pdf"}
# stdout-has: ["2", "encrypted True"]
# needs: reportlab PyPDF2
# cut
import io
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen import canvas
from PyPDF2 import PdfReader, PdfWriter
c = canvas.Canvas("/mnt/data/base.pdf", pagesize=A4)
for i in range(2):
    c.drawString(100, 800, f"Page {i+1}"); c.showPage()
c.save()
buf = io.BytesIO(); w = canvas.Canvas(buf, pagesize=A4)
w.saveState(); w.translate(300, 400); w.rotate(45); w.setFillAlpha(.2); w.setFont("Helvetica-Bold", 60); w.drawCentredString(0, 0, "DRAFT"); w.restoreState(); w.save()
stamp = PdfReader(io.BytesIO(buf.getvalue())).pages[0]
reader, writer = PdfReader("/mnt/data/base.pdf"), PdfWriter()
for page in reader.pages:
    page.merge_page(stamp); writer.add_page(page)
writer.encrypt("pw")
with open("/mnt/data/wm.pdf", "wb") as f: writer.write(f)
r = PdfReader("/mnt/data/wm.pdf"); print("encrypted", r.is_encrypted); r.decrypt("pw"); print(len(r.pages))
