# expect: failure
# error: ModuleNotFoundError
# told: ["barcode"]
# without: barcode
# cut
import barcode
from barcode.writer import ImageWriter
ean = barcode.get("ean13", "123456789102", writer=ImageWriter())
ean.save("/mnt/data/ean13")
