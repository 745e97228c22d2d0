# expect: success
# needs: reportlab
# files-kinds: {"invoice.pdf": "pdf"}
# stdout: "Invoice total: $1,150.00\n"
# cut
from reportlab.lib.pagesizes import letter
from reportlab.lib import colors
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.units import inch
from reportlab.platypus import (SimpleDocTemplate, Paragraph, Spacer, Table,
                                TableStyle)

items = [('Consulting', 10, 100.0), ('Travel', 1, 150.0)]
total = sum(q * p for _, q, p in items)
styles = getSampleStyleSheet()
doc = SimpleDocTemplate('/mnt/data/invoice.pdf', pagesize=letter)
rows = [['Item', 'Qty', 'Price']] + [[n, q, f'${p:,.2f}']
                                     for n, q, p in items]
table = Table(rows, colWidths=[3 * inch, 1 * inch, 1.5 * inch])
table.setStyle(TableStyle([
    ('BACKGROUND', (0, 0), (-1, 0), colors.grey),
    ('GRID', (0, 0), (-1, -1), 0.5, colors.black)]))
doc.build([Paragraph('Invoice #1001', styles['Title']), Spacer(1, 12), table,
           Paragraph(f'<b>Total:</b> ${total:,.2f}', styles['Normal'])])
print(f'Invoice total: ${total:,.2f}')
