# expect: success
# needs: docxtpl docx
# files-kinds: {"letter.docx": "zip", "template.docx": "zip"}
# stdout: "['Dear Ada,', 'one', 'two', 'end']\n"
# cut
from docx import Document
from docxtpl import DocxTemplate

template = Document()
for line in ("Dear {{ name }},", "{%p for one in items %}", "{{ one }}",
             "{%p endfor %}", "end"):
    template.add_paragraph(line)
template.save("template.docx")
letter = DocxTemplate("template.docx")
letter.render({"name": "Ada", "items": ["one", "two"]})
letter.save("/mnt/data/letter.docx")
print([paragraph.text for paragraph in Document("letter.docx").paragraphs])
