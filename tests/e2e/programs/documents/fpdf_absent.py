# What the adapter for fpdf does not do tells so; nothing is left out silently.
# expect: success
# needs: reportlab
# without: fpdf
# stdout: "marquee\nset_encryption\nTemplate\nTrue\n"
# cut
import fpdf

pdf = fpdf.FPDF()
pdf.add_page()
for name, call in (('marquee', lambda: pdf.write_html('<marquee>x')),
                   ('set_encryption', lambda: pdf.set_encryption('secret')),
                   ('Template', lambda: fpdf.Template())):
    try:
        call()
    except NotImplementedError as exc:
        print(name if name in str(exc) else exc)
pdf.set_font('Arial', size=12)      # twice the whole width, as with PyFPDF
pdf.multi_cell(0, 8, 'one')
pdf.multi_cell(0, 8, 'two')
pdf.cell(20, 8, 'three', ln=True)
print(pdf.get_x() == pdf.l_margin)
