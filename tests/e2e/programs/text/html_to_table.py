# expect: success
# needs: bs4 pandas lxml
# files-in: {"page.html": "<html><body><h1>Prices</h1><table><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>3</td></tr><tr><td>Milk</td><td>2</td></tr></table><a href='/x?y=1'>link</a></body></html>"}
# stdout: "Prices /x?y=1\n5 ['Item', 'Price']\n"
# cut
from bs4 import BeautifulSoup
import pandas as pd

with open('/mnt/data/page.html', encoding='utf-8') as f:
    html = f.read()
soup = BeautifulSoup(html, 'lxml')
print(soup.h1.get_text(strip=True), soup.select_one('a')['href'])
df = pd.read_html('/mnt/data/page.html')[0]
print(df['Price'].sum(), list(df.columns))
