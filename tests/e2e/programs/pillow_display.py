# expect: success
# needs: PIL
# final-like: ^<PIL.Image.Image image mode=RGB size=4x4
# results: ["image/png"]
from PIL import Image
Image.new("RGB", (4, 4))
