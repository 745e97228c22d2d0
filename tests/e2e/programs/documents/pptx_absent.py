# What the adapter for pptx does not do tells so by name; wrong uses raise what
# they raise with python-pptx.
# expect: success
# needs: lxml
# without: pptx
# stdout: "add_group_shape\npatterned\nradar\nKeyError 'no placeholder on
#     this slide with idx == 7'\nAttributeError no .rgb property on color
#     type '_SchemeColor'\nTypeError fill type _NoneFill has no foreground
#     color, call .solid() or .patterned() first\nPackageNotFoundError
#     Package not found at '/tmp/plain.pptx'\nIndexError slide index out of
#     range\nCENTER (2) 914400 2.54 0A0B0C\n"
# cut
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import PP_ALIGN
from pptx.util import Inches

prs = Presentation()
slide = prs.slides.add_slide(prs.slide_layouts[0])
shape = slide.shapes.add_shape(MSO_SHAPE.OVAL, 0, 0, Inches(1), Inches(1))
for name, call in (
        ('add_group_shape', lambda: slide.shapes.add_group_shape()),
        ('patterned', lambda: shape.fill.patterned()),
        ('radar', lambda: slide.shapes.add_chart(
            XL_CHART_TYPE.RADAR, 0, 0, Inches(1), Inches(1),
            CategoryChartData()))):
    try:
        call()
    except NotImplementedError as exc:
        print(name if name.lower() in str(exc).lower() else exc)

with open('/tmp/plain.pptx', 'w') as file:
    file.write('no archive')


def themed():
    run = slide.shapes.title.text_frame.paragraphs[0].add_run()
    run.font.color.theme_color = MSO_THEME_COLOR.ACCENT_1
    return run.font.color.rgb


for call in (lambda: slide.placeholders[7], themed,
             lambda: shape.fill.fore_color,
             lambda: Presentation('/tmp/plain.pptx'), lambda: prs.slides[5]):
    try:
        call()
    except Exception as exc:
        print(type(exc).__name__, exc)
print(PP_ALIGN.CENTER, Inches(1), Inches(1).cm, RGBColor(10, 11, 12))
