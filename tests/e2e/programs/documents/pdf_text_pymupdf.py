# expect: success
# needs: fitz
# stdout: "PyMuPDF says hi\n1\n"
# files-kinds: {"page.png": "png"}
# stderr-like: .*
# cut
import fitz  # PyMuPDF

doc = fitz.open()
page = doc.new_page()
page.insert_text((72, 72), "PyMuPDF says hi", fontsize=14)
text = doc[0].get_text()
print(text.strip())
pix = page.get_pixmap(dpi=50)
pix.save('page.png')
print(doc.page_count)
