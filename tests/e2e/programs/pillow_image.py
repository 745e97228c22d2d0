# expect: success
# needs: PIL
# make: picture
# final: [8, 4]
# check: check_picture
from PIL import Image
image = Image.open("in.png")
image.transpose(Image.Transpose.ROTATE_90).save("out.png")
image.size
