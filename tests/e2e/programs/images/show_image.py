# expect: success
# needs: PIL
# results: ["image/png"]
# cut
from PIL import Image
img = Image.linear_gradient('L').rotate(90)
img.show()
