# Imagehash: hashes as text and back, colours, and refusals.
# expect: success
# needs: scipy
# without: imagehash
# stdout:
#     "0100000000000080 64 129 True\nTrue 0 False False\n33\nblack
#     38000000000\nwhite 07000000000\nred 00000038000\nblue
#     38000000000\n0c000000f00000 True\n0f0f0f0f0f0f0f0f [[False \u0020True]\n
#     [False \u0020True]]\nTypeError ('ImageHashes must be of the same
#     shape.', (8, 8), (4, 4))\nTypeError Other hash must not be
#     None.\nValueError Hash size must be greater than or equal to
#     2\nAttributeError module 'imagehash' has no attribute
#     'crop_resistant_hash'\n"
# cut
import imagehash
import numpy as np
from PIL import Image

bits = np.zeros((8, 8), dtype=bool)
bits[0, 7] = bits[7, 0] = True
mine = imagehash.ImageHash(bits)
print(mine, len(mine), hash(mine), hash(mine) == 0b10000001)
again = imagehash.hex_to_hash("0100000000000080")
print(again == mine, again - mine, again != mine, mine == None)  # noqa: E711
print(imagehash.hex_to_hash("ffd7918181c9ffff") -
      imagehash.hex_to_hash("9f172786e71f1e00"))
for colour in ("black", "white", "red", "blue"):
    print(colour, imagehash.colorhash(Image.new("RGB", (20, 20), colour)))
half = Image.new("RGB", (20, 20), "white")
half.paste((255, 0, 0), (0, 0, 10, 20))
print(imagehash.colorhash(half, binbits=4),
      imagehash.hex_to_flathash(str(imagehash.colorhash(half)), 3) ==
      imagehash.colorhash(half))
print(imagehash.average_hash(half), imagehash.average_hash(half, 2).hash)
for wrong in (lambda: mine - imagehash.average_hash(half, 4),
              lambda: mine - None,
              lambda: imagehash.phash(half, hash_size=1),
              lambda: imagehash.crop_resistant_hash(half)):
    try:
        wrong()
    except (TypeError, ValueError, AttributeError) as error:
        print(type(error).__name__, error)
