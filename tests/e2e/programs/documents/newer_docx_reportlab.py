# A walk over a document, of python-docx 1; and a chart of reportlab's, with a
# font that is found by its name, so that no warning tells of a missing file.
# expect: success
# without: python:3.12
# needs: docx reportlab
# final: [["Paragraph", "Table", "Paragraph"], true,
#    true]
# files-kinds: {"chart.pdf": "pdf"}
# cut
from docx import Document
from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.charts.piecharts import Pie
from reportlab.graphics.shapes import Drawing
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import SimpleDocTemplate

document = Document()
document.add_paragraph("one")
document.add_table(1, 1)
document.add_paragraph("two")
drawing = Drawing(400, 200)
pdfmetrics.registerFont(TTFont("Plain", "DejaVuSans.ttf"))
bars = VerticalBarChart()
bars.data = [(13, 5, 20)]
bars.categoryAxis.categoryNames = ["a", "b", "c"]
pie = Pie()
pie.data, pie.labels = [1, 2], ["x", "y"]
drawing.add(bars)
drawing.add(pie)
SimpleDocTemplate("chart.pdf").build([drawing])
try:  # a picture needs the part in C, and its absence is told
    pixels = drawing.asString("png")[:4] == b"\x89PNG"
except Exception as exc:
    pixels = "renderPDF" in str(exc)
[[type(one).__name__ for one in document.iter_inner_content()],
 len(open("chart.pdf", "rb").read()) > 1000, pixels]
