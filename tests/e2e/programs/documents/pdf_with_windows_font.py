# expect: success
# Cryptodome binds libraries in a way that sanitizers cannot follow.
# needs: reportlab pypdf
# final: "中文报告"
# files-kinds: {"cn.pdf": "pdf"}
# warnings: ["simsun.ttc"]
# cut
from pypdf import PdfReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas

pdfmetrics.registerFont(TTFont('SimSun', 'simsun.ttc'))
c = canvas.Canvas('/mnt/data/cn.pdf')
c.setFont('SimSun', 20)
c.drawString(100, 700, '中文报告')
c.save()
PdfReader('/mnt/data/cn.pdf').pages[0].extract_text().strip()
