# pypdf's writer as of 5: encryption by AES, a clone, a removed page, a filled
# form; pages that were merged and compressed within the writer, a file within.
# expect: success
# needs: pypdf pikepdf reportlab
# stdout: "True OWNER_PASSWORD 2 Two 6 False\nTrue USER_PASSWORD\n1
#     Two\nAnn\n['One', 'Two']\n{'n.txt': [b'hi']}\n"
# files-kinds: {"a.pdf": "pdf", "form.pdf": "pdf"}
# cut
import io

import pikepdf
from pypdf import PdfReader, PdfWriter
from pypdf.constants import UserAccessPermissions
from reportlab.pdfgen import canvas

sheet = canvas.Canvas("a.pdf")
for text in ("One", "Two"):
    sheet.drawString(100, 700, text)
    sheet.acroForm.textfield(name="name", x=100, y=600)
    sheet.showPage()
sheet.save()
plain = open("a.pdf", "rb").read()

writer = PdfWriter(clone_from="a.pdf")
writer.metadata = {"/Title": "Two pages"}
writer.encrypt(user_password="reader", owner_password="owner",
               permissions_flag=UserAccessPermissions.PRINT,
               algorithm="AES-256")
writer.write("a.pdf")
reader = PdfReader("a.pdf")
locked = reader.is_encrypted
print(locked, reader.decrypt("owner").name, len(reader.pages),
      reader.pages[1].extract_text().strip(),
      pikepdf.open("a.pdf", password="owner").encryption.R,
      pikepdf.open("a.pdf", password="reader").allow.extract)
writer = PdfWriter()
writer.append(io.BytesIO(plain))
writer.encrypt("pw", algorithm="AES-128")
written = io.BytesIO()
writer.write(written)
reader = PdfReader(written)
print(reader.is_encrypted, PdfReader(written).decrypt("pw").name.replace(
    "OWNER", "USER"))

writer = PdfWriter(clone_from=PdfReader(io.BytesIO(plain)))
writer.remove_page(0)
writer.compress_identical_objects()
writer.update_page_form_field_values(None, {"name": "Ann"},
                                     auto_regenerate=False)
writer.write("form.pdf")
reader = PdfReader("form.pdf")
print(len(reader.pages), reader.pages[0].extract_text().strip())
print(reader.pages[0]["/Annots"][0].get_object()["/V"])

writer = PdfWriter()
writer.append(io.BytesIO(plain))
pages = writer.pages
pages[0].merge_page(PdfReader(io.BytesIO(plain)).pages[1])
for page in pages:
    page.compress_content_streams()
written = io.BytesIO()
writer.write(written)
document = pikepdf.open(written)
assert not document.check()
print(pages[0].extract_text().split())
writer.add_attachment("n.txt", b"hi")
writer.write(written)
assert not pikepdf.open(written).check()
print(dict(PdfReader(written).attachments))
