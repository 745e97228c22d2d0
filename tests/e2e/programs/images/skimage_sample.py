# expect: success
# needs: skimage
# stdout: "(512, 512) uint8 (64, 64)\n"
# cut
from skimage import data, color, transform

img = data.camera()
small = transform.resize(img, (64, 64), anti_aliasing=True)
print(img.shape, img.dtype, small.shape)
