# expect: success
# files-kinds: {"contract.docx": "zip"}
# stdout-has: "ACME"
# needs: docx
# cut
from docx import Document
from docx.oxml.ns import qn
from docx.oxml import OxmlElement
doc = Document()
p = doc.add_paragraph("Between {{NAME}} and us", style="List Bullet")
section = doc.sections[0]
section.header.paragraphs[0].text = "Confidential"
def add_page_number(run):
    for t, txt in (("begin", None), (None, "PAGE"), ("end", None)):
        if t:
            e = OxmlElement("w:fldChar"); e.set(qn("w:fldCharType"), t)
        else:
            e = OxmlElement("w:instrText"); e.text = txt
        run._r.append(e)
add_page_number(section.footer.paragraphs[0].add_run())
for para in doc.paragraphs:
    for run in para.runs:
        run.text = run.text.replace("{{NAME}}", "ACME Corp")
doc.add_page_break(); doc.add_table(2, 2).style = "Table Grid"
doc.save("/mnt/data/contract.docx")
print(doc.paragraphs[0].text)
