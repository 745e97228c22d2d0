# HTML with a style sheet and a picture becomes a PDF of two pages.
# expect: success
# needs: weasyprint fitz
# files-kinds: {"report.pdf": "pdf"}
# stdout: "2\nQuarter 1: Grüße\n"
# cut
import base64
import io

import fitz
import matplotlib.pyplot as plt
from weasyprint import CSS, HTML

figure, ax = plt.subplots(figsize=(2, 1))
ax.bar(["a", "b"], [1, 2])
buffer = io.BytesIO()
figure.savefig(buffer)
plt.close(figure)
picture = base64.b64encode(buffer.getvalue()).decode()
html = (f"<h1>Quarter 1: Grüße</h1><img src='data:image/png;base64,{picture}'"
        ">"
        "<p lang='en' style='hyphens: auto; page-break-after: always'>A long "
        "paragraph.</p><table><tr><th>A</th><td>1</td></tr></table>")
HTML(string=html).write_pdf(
    "report.pdf", stylesheets=[CSS(string="@page { size: A5; margin: 1cm }")])
with fitz.open("report.pdf") as pages:
    print(len(pages))
    print(pages[0].get_text().splitlines()[0])
