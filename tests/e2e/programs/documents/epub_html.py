# expect: success
# files-kinds: {"book.txt": "text"}
# stdout-has: "Chapter 1"
# cut
import zipfile, re
from html.parser import HTMLParser
class Strip(HTMLParser):
    def __init__(self): super().__init__(); self.out = []
    def handle_data(self, d): self.out.append(d)
with zipfile.ZipFile("/tmp/b.epub", "w") as z: z.writestr("OEBPS/ch1.xhtml", "<html><body><h1>Chapter 1</h1><p>It was &amp; a night.</p></body></html>")
with zipfile.ZipFile("/tmp/b.epub") as z:
    s = Strip(); s.feed(z.read("OEBPS/ch1.xhtml").decode())
text = re.sub(r"\s+", " ", " ".join(s.out)); open("/mnt/data/book.txt", "w").write(text)
print(text)
