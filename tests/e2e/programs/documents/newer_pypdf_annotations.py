# pypdf.annotations, of pypdf 3.16: classes of annotations, a page in the
# place of its number.
# expect: success
# needs: pypdf below:3.12
# stdout:
#     "/Highlight True FreeText\n0 /FreeText Approved None [0.803921568627451,
#     0.803921568627451, 0.803921568627451] None None\n0 /Text see page 2 Ann
#     None None None\n0 /Link None None None None https://example.com/\n0
#     /Square None None [0.0, 1, 0.0] None None\n1 /Circle None None None None
#     None\n1 /Line cut Bo [0.5, 0.5, 0.5] None None\n1 /Highlight None None
#     [1, 1, 0.0] [50, 90, 200, 90, 50, 50, 200, 50] None\nmodule
#     'pypdf.annotations' has no attribute 'Stamp' here; it has Ellipse,
#     FreeText, Highlight, Line, Link, Polygon, Rectangle, Text\n"
# cut
import io

from pypdf import PdfReader, PdfWriter
from pypdf.annotations import (Ellipse, FreeText, Highlight, Line, Link,
                               Rectangle, Text)
import pypdf.annotations as kinds

writer = PdfWriter()
first = writer.add_blank_page(width=300, height=300)
writer.add_blank_page(width=300, height=300)
area = (50, 50, 200, 90)
note = FreeText(text="Approved", rect=area, font="Courier", bold=True,
                font_size="18pt", font_color="ff0000",
                border_color="0000ff", background_color="cdcdcd")
writer.add_annotation(page_number=0, annotation=note)
writer.add_annotation(first, Text(text="see page 2", rect=area, open=True,
                                  title_bar="Ann"))
writer.add_annotation(0, Link(rect=area, url="https://example.com/"))
writer.add_annotation(0, Rectangle(rect=area, interior_color="00ff00"))
writer.add_annotation(1, Ellipse(rect=area))
writer.add_annotation(1, Line(p1=(0, 0), p2=(9, 9), rect=area, text="cut",
                              title_bar="Bo"))
added = writer.add_annotation(1, Highlight(
    rect=area, quad_points=[50, 90, 200, 90, 50, 50, 200, 50],
    highlight_color="ffff00", printing=True))
print(added["/Subtype"], isinstance(note, dict), type(note).__name__)
kept = io.BytesIO()
writer.write(kept)
for number, page in enumerate(PdfReader(kept).pages):
    for one in page["/Annots"]:
        one = one.get_object()
        print(number, one["/Subtype"], one.get("/Contents"), one.get("/T"),
              one.get("/IC", one.get("/C")), one.get("/QuadPoints"),
              one["/A"]["/URI"] if "/A" in one else None)
try:
    kinds.Stamp
except AttributeError as error:
    print(error)
