# Connectors of a deck: tied to sides of shapes, moved by their points.
# expect: success
# needs: lxml
# without: pptx
# files-kinds: {"flow.pptx": "zip"}
# stdout:
#     "[3.0, 1.5, 5.0, 3.5] [('stCxn', '2', '3'), ('endCxn', '3', '1')]\n[6.0,
#     4.0, 2.0, 5.0] [('stCxn', '3', '2'), ('endCxn', '4', '0')]\n[2.0, 5.0,
#     2.0, 2.0] [('stCxn', '4', '0'), ('endCxn', '2', '2')]\n[4.0, 3.0, 7.0,
#     2.0] []\n"
# cut
from pptx import Presentation
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.util import Inches

deck = Presentation()
shapes = deck.slides.add_slide(deck.slide_layouts[6]).shapes
boxes = [shapes.add_shape(MSO_SHAPE.RECTANGLE, Inches(x), Inches(y),
                          Inches(2), Inches(1))
         for x, y in ((1, 1), (5, 3), (1, 5))]
for one, other, sites in ((0, 1, (3, 1)), (1, 2, (2, 0)), (2, 0, (0, 2))):
    line = shapes.add_connector(MSO_CONNECTOR.ELBOW, 0, 0, 0, 0)
    line.begin_connect(boxes[one], sites[0])
    line.end_connect(boxes[other], sites[1])
line.line.width = Inches(0.02)
free = shapes.add_connector(MSO_CONNECTOR.STRAIGHT, Inches(4), Inches(1),
                            Inches(2), Inches(2))
free.end_x = Inches(7)
free.begin_y = Inches(3)
deck.save("flow.pptx")
for one in Presentation("flow.pptx").slides[0].shapes:
    if hasattr(one, "begin_x"):
        print([round(value.inches, 2) for value in (
            one.begin_x, one.begin_y, one.end_x, one.end_y)],
            [(tie.tag.rpartition("}")[2], *tie.attrib.values())
             for tie in one._element.xpath("p:nvCxnSpPr/p:cNvCxnSpPr/*")])
