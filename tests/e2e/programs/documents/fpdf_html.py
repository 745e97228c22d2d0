# HTML in a PDF of fpdf: headings, lists, links, fonts, a table; what is not
# there raises.
# expect: success
# needs: reportlab pypdf
# without: fpdf
# files-kinds: {"trip.pdf": "pdf"}
# stdout:
#     "helvetica 11 1\nTrip report\nWe met three clients & two partners; see
#     our page.\nResults\nFirst point\nSecond point that is so long that it
#     has to go on in a second line, below the first one and not below its
#     mark\nNested\n1.one\n2.two\n3.three\n4.four\nGreen and x = 1\na  b\n  c\nItem
#     Count Cost\nTrain 2 88.00\nSum 88.00\nTo be continued\nnext
#     month\nafter\nhttps://example.com/\nwrite_html(): <sup> is not in this
#     fpdf; it has a, article, \nwrite_html(): a picture within a table is not
#     in this fpdf\n"
# cut
from fpdf import FPDF
from pypdf import PdfReader

pdf = FPDF()
pdf.add_page()
pdf.set_font("Helvetica", size=11)
pdf.write_html("""
<h1>Trip report</h1>
<p>We met <b>three</b> clients &amp; <i>two</i> partners; see
<a href="https://example.com/">our page</a>.</p>
<h2>Results</h2>
<ul><li>First <u>point</u></li><li>Second point that is so long that it has
to go on in a second line, below the first one and not below its mark</li>
<li>Nested<ol><li>one</li><li>two</li></ol></li></ul>
<ol start="3"><li>three</li><li>four</li></ol>
<p align="center"><font color="#008000" size="16">Green</font> and
<code>x = 1</code></p>
<pre>a  b
  c</pre>
<hr>
<table border="1" width="80%"><thead><tr><th width="50%">Item</th>
<th width="25%">Count</th><th width="25%">Cost</th></tr></thead>
<tbody><tr><td>Train</td><td align="right">2</td><td align="right">88.00</td>
</tr><tr><td bgcolor="#ffeecc" colspan="2">Sum</td>
<td align="right"><b>88.00</b></td></tr></tbody></table>
<blockquote>To be continued<br>next month</blockquote>
""")
pdf.set_x(pdf.l_margin)
pdf.cell(0, 8, "after", new_x="LMARGIN", new_y="NEXT")
print(pdf.font_family, pdf.font_size_pt, pdf.page_no())
pdf.output("trip.pdf")
page = PdfReader("trip.pdf").pages[0]
print(page.extract_text())
print(page["/Annots"][0].get_object()["/A"]["/URI"])
for text in ("<sup>2</sup>", "<table><tr><td><img src='a.png'></table>"):
    try:
        pdf.write_html(text)
    except NotImplementedError as error:
        print(str(error)[:60])
