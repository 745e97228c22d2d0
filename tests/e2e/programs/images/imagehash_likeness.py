# Imagehash: fingerprints that can be told by hand, and likeness.
# expect: success
# needs: scipy
# without: imagehash
# stdout:
#     "ffffffffffffffff 0000000000000000 0000000000000000
#     ffffffffffffffff\n0f0f0f0f0f0f0f0f 00000000ffffffff
#     3333\n32\naverage_hash 64 True True True True 2\nphash 64 True True True
#     True 2\ndhash 64 True True True True 2\nTrue (8, 8)\n"
# cut
import imagehash
import numpy as np
from PIL import Image, ImageEnhance

ramp = np.tile(np.arange(0, 250, 2, dtype=np.uint8), (125, 1))
right, down = Image.fromarray(ramp), Image.fromarray(ramp.T)
print(imagehash.dhash(right), imagehash.dhash(down),
      imagehash.dhash_vertical(right), imagehash.dhash_vertical(down))
print(imagehash.average_hash(right), imagehash.average_hash(down),
      imagehash.average_hash(right, hash_size=4))
print(imagehash.average_hash(right) - imagehash.average_hash(down))

cells = np.random.RandomState(3).randint(0, 200, (7, 9, 3))
photo = Image.fromarray(cells.astype(np.uint8)).resize((192, 128), 3)
small = photo.resize((96, 64))
lighter = ImageEnhance.Brightness(photo).enhance(1.1)
other = photo.rotate(90, expand=True)
for name in ("average_hash", "phash", "dhash"):
    of = getattr(imagehash, name)
    first = of(photo)
    print(name, len(first), first - of(small) <= 4, first - of(lighter) <= 4,
          first - of(other) > 10, first == of(photo.copy()),
          len({first, of(photo), of(other)}))
# The perceptual hash again, by sums of cosines.
pixels = np.asarray(photo.convert("L").resize((32, 32), Image.LANCZOS), float)
place = np.arange(32)
cosines = 2 * np.cos(np.pi * place[:8, None] * (2 * place + 1) / 64)
low = cosines @ pixels @ cosines.T
print(bool((imagehash.phash(photo).hash == (low > np.median(low))).all()),
      imagehash.phash(photo).hash.shape)
