# A deck is read, its texts are replaced run by run, a slide is removed and
# cells are merged; everything else of the file stays as it was.
# expect: success
# needs: lxml
# without: pptx
# stdout: "['Dear {{name}}', 'Offer', 'Old']\n['Dear Ann', 'Offer']\nTrue Pt
#     30.0 True\nmerged: A|B True True 2\n['ppt/slides/slide1.xml',
#     'ppt/slides/slide2.xml'] True\n16.0 9.0\n"
# files-kinds: {"first.pptx": "zip", "second.pptx": "zip"}
# cut
import io
import zipfile

from pptx import Presentation
from pptx.util import Cm, Inches, Pt

prs = Presentation()
prs.slide_width, prs.slide_height = Inches(16), Inches(9)
for text in ('Dear {{name}}', 'Offer', 'Old'):
    slide = prs.slides.add_slide(prs.slide_layouts[5])
    paragraph = slide.shapes.title.text_frame.paragraphs[0]
    run = paragraph.add_run()
    run.text, run.font.size, run.font.bold = text, Pt(30), True
prs.slides[1].shapes.add_table(2, 2, Cm(2), Cm(5), Cm(10), Cm(2))
prs.save('first.pptx')

with open('first.pptx', 'rb') as file:
    prs = Presentation(io.BytesIO(file.read()))
print([slide.shapes.title.text for slide in prs.slides])
for slide in prs.slides:
    for shape in slide.shapes:
        if not shape.has_text_frame:
            continue
        for paragraph in shape.text_frame.paragraphs:
            for run in paragraph.runs:
                run.text = run.text.replace('{{name}}', 'Ann')
listed = prs.slides._sldIdLst
prs.part.drop_rel(listed[2].rId)
listed.remove(listed[2])
table = next(s for s in prs.slides[1].shapes if s.has_table).table
table.cell(0, 0).text, table.cell(0, 1).text = 'A', 'B'
table.cell(0, 0).merge(table.cell(0, 1))
prs.save('second.pptx')

prs = Presentation('second.pptx')
print([slide.shapes.title.text for slide in prs.slides])
font = prs.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].font
print(font.bold, 'Pt', font.size.pt, font.italic is None)
cell = prs.slides[1].shapes[1].table.cell(0, 0)
print('merged:', cell.text.replace('\n', '|'), cell.is_merge_origin,
      prs.slides[1].shapes[1].table.cell(0, 1).is_spanned, cell.span_width)
first, second = (zipfile.ZipFile(name) for name in ('first.pptx',
                                                    'second.pptx'))
slides = [name for name in sorted(second.namelist())
          if name.startswith('ppt/slides/slide')]
same = all(first.read(name) == second.read(name)
           for name in second.namelist() if name.startswith(
               ('ppt/slideLayouts', 'ppt/slideMasters', 'ppt/theme')))
print(slides, same)
print(prs.slide_width.inches, prs.slide_height.inches)
