# PDF from HTML and from pictures, QR codes and a drawing of lines.
# expect: success
# needs: xhtml2pdf img2pdf segno ezdxf
# files-kinds: {"code.pdf": "pdf", "code.png": "png", "page.pdf": "pdf",
#     "part.dxf": "text"}
# stdout: "0\n['LINE', 'CIRCLE']\n"
# cut
import ezdxf
import img2pdf
import segno
from xhtml2pdf import pisa

with open("page.pdf", "wb") as file:
    status = pisa.CreatePDF("<h1>Report</h1><p>Sales rose.</p>", dest=file)
print(status.err)
segno.make("https://example.org", error="h").save("code.png", scale=8)
with open("code.pdf", "wb") as file:
    file.write(img2pdf.convert("code.png"))
drawing = ezdxf.new("R2010", setup=True)
space = drawing.modelspace()
space.add_line((0, 0), (10, 0))
space.add_circle((5, 5), radius=2)
drawing.saveas("part.dxf")
print([entity.dxftype() for entity in
       ezdxf.readfile("part.dxf").modelspace()])
