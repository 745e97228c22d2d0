# Pictures: drawing with a font, filters, formats there and back.
import io

from PIL import Image, ImageDraw, ImageFilter, ImageFont

picture = Image.new("RGB", (64, 32), "white")
draw = ImageDraw.Draw(picture)
draw.rectangle((8, 8, 24, 24), fill=(255, 0, 0))
draw.text((30, 8), "Hi", fill="black")
font = ImageFont.truetype("DejaVuSans.ttf", 12)
draw.text((30, 18), "\u00e9\u0416", font=font, fill="blue")
result = {}
for kind in ("PNG", "GIF", "BMP", "TIFF", "JPEG", "WEBP", "PDF", "PPM"):
    made = io.BytesIO()
    picture.save(made, kind)
    if kind == "PDF":
        result[kind] = made.getvalue()[:5].decode()
    else:
        again = Image.open(io.BytesIO(made.getvalue())).convert("RGB")
        red = again.getpixel((16, 16))
        result[kind] = red[0] > 200 and red[1] < 60 and red[2] < 60
result["blurred"] = picture.filter(ImageFilter.GaussianBlur(2)).size[0]
result["resized"] = list(picture.resize((16, 8), Image.LANCZOS).size)
result["rotated"] = list(picture.rotate(90, expand=True).size)
result["histogram"] = sum(picture.convert("L").histogram())
picture.save("p.png")
with Image.open("p.png") as lazily:
    result["lazily"] = list(lazily.size)
import os
os.remove("p.png")
result
# expected: {
#   "PNG": true,
#   "GIF": true,
#   "BMP": true,
#   "TIFF": true,
#   "JPEG": true,
#   "WEBP": true,
#   "PDF": "%PDF-",
#   "PPM": true,
#   "blurred": 64,
#   "resized": [16, 8],
#   "rotated": [32, 64],
#   "histogram": 2048,
#   "lazily": [64, 32]
# }
