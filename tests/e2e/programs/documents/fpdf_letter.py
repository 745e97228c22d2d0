# expect: failure
# error: ModuleNotFoundError
# told: ["fpdf", "reportlab"]
# without: fpdf
# cut
from fpdf import FPDF

pdf = FPDF()
pdf.add_page()
pdf.set_font("Arial", size=12)
pdf.cell(200, 10, txt="Dear customer", ln=True)
pdf.output("/mnt/data/letter.pdf")
