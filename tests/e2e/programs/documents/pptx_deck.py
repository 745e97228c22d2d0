# A deck as models write it: title, bullets, a table, a chart, shapes, a
# picture and notes; then what is in the file.
# expect: success
# needs: lxml openpyxl PIL
# without: pptx
# stdout: "9144000 6858000 Title and Content\n5 slides\nTitle 1 PLACEHOLDER
#     (14) Quarterly Review\nTable 2 8.0 Revenue\nCOLUMN_CLUSTERED (51)
#     ('Q1', 'Q2') (19.2, 21.4, 16.7)\nRounded Rectangle 1 ROUNDED_RECTANGLE
#     (5) 3C2F80\n3.0 1.5 image/png\nSpeak slowly\nTrue True\n"
# files-kinds: {"deck.pptx": "zip"}
# cut
import io
import zipfile

from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.util import Inches, Pt

prs = Presentation()
print(prs.slide_width, prs.slide_height, prs.slide_layouts[1].name)
slide = prs.slides.add_slide(prs.slide_layouts[0])
slide.shapes.title.text = 'Quarterly Review'
slide.placeholders[1].text = 'Finance\nJuly'

slide = prs.slides.add_slide(prs.slide_layouts[1])
slide.shapes.title.text = 'Highlights'
frame = slide.placeholders[1].text_frame
frame.text = 'Revenue grew'
for level, text in enumerate(('in the West', 'and the East'), 1):
    p = frame.add_paragraph()
    p.text, p.level = text, level
    p.font.size, p.font.bold = Pt(20), True
    p.font.color.rgb = RGBColor(0x1F, 0x49, 0x7D)
    p.alignment, p.space_after = PP_ALIGN.LEFT, Pt(6)
run = p.add_run()
run.text, run.hyperlink.address = ' (more)', 'https://example.com/'
slide.notes_slide.notes_text_frame.text = 'Speak slowly'

slide = prs.slides.add_slide(prs.slide_layouts[5])
slide.shapes.title.text = 'Numbers'
table = slide.shapes.add_table(3, 2, Inches(1), Inches(2), Inches(8),
                               Inches(1.5)).table
table.columns[0].width = table.columns[1].width = Inches(4)
for row, values in enumerate((('Revenue', 'Cost'), ('10', '7'), ('12', '8'))):
    for column, value in enumerate(values):
        cell = table.cell(row, column)
        cell.text, cell.vertical_anchor = value, MSO_ANCHOR.MIDDLE
        cell.text_frame.paragraphs[0].font.size = Pt(14)
table.cell(0, 0).fill.solid()
table.cell(0, 0).fill.fore_color.rgb = RGBColor.from_string('3C2F80')

slide = prs.slides.add_slide(prs.slide_layouts[5])
data = CategoryChartData()
data.categories = ['East', 'West', 'Midwest']
data.add_series('Q1', (19.2, 21.4, 16.7))
data.add_series('Q2', (22.3, 28.6, 15.2))
chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1),
                               Inches(2), Inches(8), Inches(4.5), data).chart
chart.has_legend = True
chart.legend.position = XL_LEGEND_POSITION.BOTTOM
chart.legend.include_in_layout = False
chart.plots[0].has_data_labels = True
chart.plots[0].data_labels.number_format = '0.0'
chart.value_axis.maximum_scale = 40

slide = prs.slides.add_slide(prs.slide_layouts[6])
slide.background.fill.solid()
slide.background.fill.fore_color.rgb = RGBColor(240, 240, 255)
shape = slide.shapes.add_shape(MSO_SHAPE.ROUNDED_RECTANGLE, Inches(1),
                               Inches(1), Inches(3), Inches(1))
shape.text = 'Step 1'
shape.fill.solid()
shape.fill.fore_color.rgb = RGBColor(0x3C, 0x2F, 0x80)
shape.line.fill.background()
stream = io.BytesIO()
Image.new('RGB', (300, 150), 'teal').save(stream, 'PNG', dpi=(100, 100))
slide.shapes.add_picture(stream, Inches(1), Inches(3))
prs.core_properties.author = 'Jane'
prs.save('deck.pptx')

prs = Presentation('deck.pptx')
print(len(prs.slides), 'slides')
title = prs.slides[0].shapes.title
print(title.name, title.shape_type, title.text_frame.text)
frame = prs.slides[2].shapes[1]
print(frame.name, frame.width.inches, frame.table.cell(0, 0).text)
chart = prs.slides[3].shapes[1].chart
print(chart.chart_type, tuple(one.name for one in chart.series),
      chart.series[0].values)
shape, picture = prs.slides[4].shapes
print(shape.name, shape.auto_shape_type, shape.fill.fore_color.rgb)
print(picture.width.inches, picture.height.inches, picture.image.content_type)
print(prs.slides[1].notes_slide.notes_text_frame.text)
names = zipfile.ZipFile('deck.pptx').namelist()
print(len(names) == len(set(names)),
      any(name.endswith('.xlsx') for name in names))
