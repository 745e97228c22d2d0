# expect: success
# needs: PIL
# files-kinds: {"thumb.jpg": "jpeg", "text.png": "png"}
# stdout: "(128, 96) L\n"
# cut
from PIL import Image, ImageDraw, ImageFilter, ImageFont, ImageOps

img = Image.new('RGB', (400, 300), color=(73, 109, 137))
d = ImageDraw.Draw(img)
try:
    font = ImageFont.truetype('DejaVuSans.ttf', 36)
except IOError:
    font = ImageFont.load_default()
d.text((50, 120), 'Hello World', fill=(255, 255, 0), font=font)
d.ellipse([300, 200, 380, 280], outline='red', width=4)
img.save('/mnt/data/text.png')
thumb = ImageOps.grayscale(img).filter(ImageFilter.GaussianBlur(2))
thumb.thumbnail((128, 128), Image.LANCZOS)
thumb.save('/mnt/data/thumb.jpg', quality=85)
print(thumb.size, thumb.mode)
