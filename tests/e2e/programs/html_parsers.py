# expect: success
# needs: bs4 lxml html5lib
# final: [["one", "two"], ["one", "two"]]
from bs4 import BeautifulSoup
page = "<ul><li>one<li>two</ul>"
[[item.text for item in BeautifulSoup(page, parser).find_all("li")]
 for parser in ("lxml", "html5lib")]
