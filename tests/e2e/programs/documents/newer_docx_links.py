# A paragraph's text has that of its links, as of python-docx 1.
# expect: success
# needs: docx
# final: ["See our site, now", ["our site"], "https://x.example/a", ["Run",
#    "Hyperlink", "Run"], "See our site, now", "new"]
# cut
from docx import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

cell = Document().add_table(1, 1).cell(0, 0)
paragraph = cell.paragraphs[0]
paragraph.add_run("See ")
link = OxmlElement("w:hyperlink")
link.set(qn("r:id"), paragraph.part.relate_to(
    "https://x.example/a", RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
paragraph._p.append(link)
link.append(paragraph.add_run("our site")._r)
paragraph.add_run(", now")
links = paragraph.hyperlinks
found = [paragraph.text, [one.text for one in links], links[0].url,
         [type(one).__name__ for one in paragraph.iter_inner_content()],
         cell.text]
paragraph.text = "new"
found + [paragraph.text]
