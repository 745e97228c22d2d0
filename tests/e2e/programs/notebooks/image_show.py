# expect: success
# needs: PIL
# results: ["image/png", "image/png"]
from PIL import Image
Image.new("CMYK", (4, 4)).show()
Image.new("L", (4, 4)).show(title="grey")
