# expect: failure
# error: ModuleNotFoundError
# told: ["pptx", "a page for each slide", "docx"]
# without: pptx lxml
# cut
from pptx import Presentation
from pptx.util import Inches

prs = Presentation()
slide = prs.slides.add_slide(prs.slide_layouts[0])
slide.shapes.title.text = "Quarterly results"
prs.save('/mnt/data/deck.pptx')
