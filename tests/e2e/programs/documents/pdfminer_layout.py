# expect: success
# needs: pdfminer reportlab
# stdout: "'Total: 42 EUR'\n"
# files-kinds: {"x.pdf": "pdf"}
# cut
from reportlab.pdfgen import canvas
from pdfminer.high_level import extract_text

c = canvas.Canvas("x.pdf")
c.setFont("Helvetica", 12)
c.drawString(100, 700, "Total: 42 EUR")
c.save()
print(repr(extract_text("x.pdf").strip()))
