# PDF from HTML and from pictures, and QR codes.
# expect: success
# needs: xhtml2pdf img2pdf segno
# files-kinds: {"code.pdf": "pdf", "code.png": "png", "page.pdf": "pdf"}
# stdout: "0\n"
# cut
import img2pdf
import segno
from xhtml2pdf import pisa

with open("page.pdf", "wb") as file:
    status = pisa.CreatePDF("<h1>Report</h1><p>Sales rose.</p>", dest=file)
print(status.err)
segno.make("https://example.org", error="h").save("code.png", scale=8)
with open("code.pdf", "wb") as file:
    file.write(img2pdf.convert("code.png"))
