# expect: success
# needs: PIL numpy
# stdout: "{'Make': 'Camera Co'}\n16384 JPEG\n"
# files-kinds: {"photo.jpg": "jpeg"}
# cut
from PIL import Image
from PIL.ExifTags import TAGS
import numpy as np

img = Image.fromarray(np.tile(np.arange(256, dtype=np.uint8), (64, 1)))
exif = Image.Exif()
exif[0x010F] = "Camera Co"
img.save('photo.jpg', exif=exif)
loaded = Image.open('photo.jpg')
print({TAGS.get(k, k): v for k, v in loaded.getexif().items()})
hist, _ = np.histogram(np.array(loaded), bins=4, range=(0, 256))
print(hist.sum(), loaded.format)
