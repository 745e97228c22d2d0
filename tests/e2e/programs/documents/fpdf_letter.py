# Words of PyFPDF, which fpdf2 itself still takes with a warning.
# expect: success
# needs: reportlab fitz
# stdout: "Dear customer\n"
# stderr-like: ^$|DeprecationWarning: 
# files-kinds: {"letter.pdf": "pdf"}
# cut
from fpdf import FPDF

pdf = FPDF()
pdf.add_page()
pdf.set_font("Arial", size=12)
pdf.cell(200, 10, txt="Dear customer", ln=True)
pdf.output("/mnt/data/letter.pdf")

import fitz
letter = fitz.open("/mnt/data/letter.pdf")
print(letter[0].get_text(), end="")
