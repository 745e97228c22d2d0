# expect: success
# needs: lxml
# files-in: {"books.xml": "<?xml version=\"1.0\"?><lib><book id=\"1\"><title>A</title><price>10</price></book><book id=\"2\"><title>B</title><price>25</price></book></lib>"}
# stdout: "35.0\n['B']\nlib\n"
# cut
import xml.etree.ElementTree as ET
from xml.dom import minidom
from lxml import etree

root = ET.parse('/mnt/data/books.xml').getroot()
print(sum(float(b.find('price').text) for b in root.findall('book')))
tree = etree.parse('/mnt/data/books.xml')
print(tree.xpath('//book[price > 20]/title/text()'))
print(minidom.parse('/mnt/data/books.xml').documentElement.tagName)
