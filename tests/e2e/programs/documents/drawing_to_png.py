# A chart of reportlab's becomes a picture, in its background's colour.
# expect: success
# without: python:3.12
# needs: reportlab fitz PIL
# files-kinds: {"bar.png": "png", "pie.jpg": "jpeg"}
# stdout: "(400, 200) (255, 255, 255) True\n(250, 125) 20\n"
# cut
from PIL import Image
from reportlab.graphics import renderPM
from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.charts.piecharts import Pie
from reportlab.graphics.shapes import Drawing

drawing = Drawing(400, 200)
bars = VerticalBarChart()
bars.x, bars.y, bars.width, bars.height = 50, 50, 300, 125
bars.data = [(13, 5, 20), (14, 10, 12)]
bars.categoryAxis.categoryNames = ["Jan", "Feb", "Mar"]
drawing.add(bars)
renderPM.drawToFile(drawing, "bar.png", fmt="PNG")
image = Image.open("bar.png").convert("RGB")
red = sum(r > 200 > 80 > g for r, g, b in image.getdata())
print(image.size, image.getpixel((2, 2)), red > 1000)

drawing = Drawing(200, 100)
pie = Pie()
pie.data, pie.x, pie.width, pie.height = [1, 2], 50, 80, 80
drawing.add(pie)
renderPM.drawToFile(drawing, "pie.jpg", "JPG", dpi=90, bg=0x141414)
image = Image.open("pie.jpg")
print(image.size, image.getpixel((245, 5))[0])
