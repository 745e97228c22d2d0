# Barcode: digits of check, modules, SVG and refusals.
# expect: success
# needs: PIL
# without: barcode
# stdout:
#     "5901234123457 73513537 036000291452 0306406152 080442957X 9780306406157
#     03785955\nCODE39W CODE39 0123 <EuropeanArticleNumber13('5901234123457')>
#     9780306406157\n10100010110100111011001100100110111101001110101010110011011011001000010101110010011101000100101\n['10001011101110101110101000101110100010111011101']\n['101010001011100011101011101']\n[46,
#     68, 79, 79]\nTrue <class 'barcode.ean.EuropeanArticleNumber13'>\n31 True
#     True\nFalse\n/tmp/label.svg True\nNumberOfDigitsError EAN must have 12
#     digits, not 5.\nIllegalCharacterError EAN code can only contain
#     numbers.\nBarcodeNotFoundError The barcode 'qr' you requested is not
#     known.\nWrongCountryCodeError ISBN must start with 978 or
#     979.\nIllegalCharacterError The following characters are not valid for
#     Code 39: _\nIllegalCharacterError The following characters are not valid
#     for Code 128: \u00e9\nTypeError 'output' cannot be None\nTrue True
#     True\n"
# cut
import io

import barcode
from barcode import EAN13, ISBN13, Code39
from barcode.errors import (BarcodeError, BarcodeNotFoundError,
                            IllegalCharacterError, NumberOfDigitsError)

print(EAN13("590123412345"), barcode.get("ean8", "7351353"),
      barcode.get("upca", "03600029145"), barcode.get("isbn10", "0306406152"),
      barcode.get_barcode_class("isbn10")("0-8044-2957-X"),
      ISBN13("978-0-306-40615-7"), barcode.get("issn", "0378-595"))
print(Code39("CODE39"), Code39("code39", add_checksum=False),
      barcode.get("itf", "123"), repr(EAN13("5901234123457")),
      barcode.get("isbn10", "0306406152").get_fullcode())
print(EAN13("5901234123457").build()[0])
print(barcode.get("code39", "A", options={"add_checksum": False}).build())
print(barcode.get("itf", "05", options={"narrow": 1, "wide": 3}).build())
print([len(barcode.get("code128", text).build()[0])
       for text in ("A", "123456", "A1234", "AB\t")])
print("ean13" in barcode.PROVIDED_BARCODES, barcode.get_barcode_class("EAN13"))

out = io.BytesIO()
EAN13("5901234123457").write(out, options={"module_width": 0.4})
svg = out.getvalue().decode()
print(svg.count("<rect"), 'width="51.000mm" height="23.764mm"' in svg,
      ">5901234123457</text>" in svg)
print("<text" in EAN13("590123412345").render({"write_text": False}).decode())
print(Code39("AB").save("/tmp/label", {"font_size": 8}, text="a & b"),
      "a &amp; b" in open("/tmp/label.svg").read())
for wrong in (lambda: EAN13("12345"), lambda: EAN13("59012341234x"),
              lambda: barcode.get("qr", "1"), lambda: ISBN13("1234567890123"),
              lambda: Code39("a_b"), lambda: barcode.get("code128", "é"),
              lambda: barcode.generate("ean13", "590123412345")):
    try:
        print(wrong())
    except (BarcodeError, TypeError) as error:
        print(type(error).__name__, error)
print(issubclass(NumberOfDigitsError, BarcodeError),
      issubclass(IllegalCharacterError, Exception),
      issubclass(BarcodeNotFoundError, BarcodeError))
