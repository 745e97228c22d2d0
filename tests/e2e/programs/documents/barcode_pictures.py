# Barcode: pictures, which another library reads.
# expect: success
# needs: pyzbar
# without: barcode
# stdout:
#     "ean13 RGB (523, 280) [('EAN13', '5901234123457')]\nean8 RGB (414, 280)
#     [('EAN8', '73513537')]\nupca RGB (523, 280) [('EAN13',
#     '0036000291452')]\nisbn13 RGB (523, 280) [('EAN13',
#     '9780306406157')]\ncode39 RGB (397, 280) [('CODE39',
#     'PART-75')]\ncode128 RGB (532, 280) [('CODE128', 'Order
#     #0012345/b')]\nitf RGB (360, 280) [('I25',
#     '0012345678')]\n/tmp/ean13.png (339, 179) (255, 255, 238) (0, 0,
#     128)\n['1234567891026']\nJPEG (246, 200) 12345678\nTrue\n"
# cut
import io

import barcode
from barcode.writer import ImageWriter
from PIL import Image
from pyzbar.pyzbar import decode

for name, code in (("ean13", "590123412345"), ("ean8", "7351353"),
                   ("upca", "03600029145"), ("isbn13", "978030640615"),
                   ("code39", "PART-7"), ("code128", "Order #0012345/b"),
                   ("itf", "0012345678")):
    image = barcode.get(name, code, writer=ImageWriter()).render()
    found = decode(image)
    print(name, image.mode, image.size,
          [(one.type, one.data.decode()) for one in found])

name = barcode.get("ean13", "123456789102", writer=ImageWriter()).save(
    "/tmp/ean13", options={"dpi": 150, "module_width": 0.5,
                           "module_height": 20, "quiet_zone": 5,
                           "font_size": 14, "text_distance": 6,
                           "background": "#ffffee", "foreground": "navy"})
image = Image.open(name)
print(name, image.size, image.getpixel((2, 2)), image.getpixel((31, 20)))
print([one.data.decode() for one in decode(image)])
buffer = io.BytesIO()
barcode.generate("code128", "12345678", writer=ImageWriter(format="JPEG"),
                 output=buffer, writer_options={"write_text": False})
image = Image.open(buffer)
print(image.format, image.size, decode(image)[0].data.decode())
low = image.convert("L").getpixel((image.width // 2, image.height - 5))
print(low > 200)
