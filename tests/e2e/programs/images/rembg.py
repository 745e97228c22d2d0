# expect: failure
# error: ModuleNotFoundError
# told: ["rembg"]
# without: rembg
# cut
from rembg import remove
from PIL import Image
remove(Image.new("RGB", (10, 10))).save("/mnt/data/o.png")
