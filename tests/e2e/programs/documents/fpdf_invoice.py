# An invoice as for PyFPDF, of more than one page: header, footer and {nb},
# ln= and dest=, a core font that has no euro sign. It does not run with fpdf2
# itself, because output(dest='S') of fpdf2 returns no text.
# expect: success
# needs: reportlab fitz
# without: fpdf
# stdout: "FPDFUnicodeEncodingException 6 helvetica\n2 Page 1 of 2 Page 2 of
#     2\n60 595\nTotal: 148.50\n%PDF-\n"
# files-kinds: {"invoice.pdf": "pdf"}
# cut
import fitz
from fpdf import FPDF
from fpdf.errors import FPDFException


class Invoice(FPDF):
    def header(self):
        self.set_font('Arial', 'B', 16)
        self.set_fill_color(30, 60, 120)
        self.set_text_color(255, 255, 255)
        self.cell(0, 12, 'INVOICE #1001', 0, 1, 'C', 1)
        self.ln(4)

    def footer(self):
        self.set_y(-15)
        self.set_font('Arial', 'I', 8)
        self.cell(0, 10, 'Page %s of {nb}' % self.page_no(), 0, 0, 'C')


pdf = Invoice('P', 'mm', 'A4')
pdf.alias_nb_pages()
pdf.set_auto_page_break(auto=True, margin=15)
pdf.set_margins(20, 15, 20)
pdf.add_page()
pdf.set_font('Arial', '', 11)
for i in range(40):
    pdf.cell(80, 7, f'Product {i}', 1)
    pdf.cell(30, 7, '%.2f' % i, 1, 0, 'R')
    pdf.ln()
pdf.multi_cell(0, 6, 'Total: 148.50\nThank you for your order. ' * 3,
               new_x='LMARGIN', new_y='NEXT')
try:
    pdf.cell(0, 6, 'Price €5')
except FPDFException as exc:
    print(type(exc).__name__, exc.text_index, exc.font_name)
pdf.output('invoice.pdf', 'F')

document = fitz.open('invoice.pdf')
lines = [page.get_text().splitlines() for page in document]
print(len(document), *(line for page in lines for line in page
                       if line.startswith('Page')))
word = [w for w in document[0].get_text('words') if w[4] == 'Product'][0]
print(round(word[0]), round(document[0].rect.width))
print([line for line in lines[1] if line.startswith('Total')][0])
print(pdf.output(dest='S').encode('latin-1')[:5].decode())
