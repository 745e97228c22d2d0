# expect: success
# needs: markdown jinja2
# stdout-has: ["<h1", "<td>3</td>", "<strong>bold</strong>"]
# files-kinds: {"report.html": "text"}
# cut
import markdown
from jinja2 import Template

body = markdown.markdown("""# Report

Some **bold** text.

| a | b |
|---|---|
| 3 | 4 |
""", extensions=['tables', 'fenced_code', 'toc'])
html = Template("<html><body>{{ body }}{% for n in names %}<p>{{ n|upper }}"
                "</p>{% endfor %}</body></html>").render(body=body,
                                                         names=['x', 'y'])
with open('/mnt/data/report.html', 'w', encoding='utf-8') as f:
    f.write(html)
print(html)
