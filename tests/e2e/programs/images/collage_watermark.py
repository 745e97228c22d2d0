# expect: success
# files-kinds: {"collage.png": "png", "a.webp": "wave", "b.bmp": "bmp"}
# stdout-has: "(420, 220)"
# warnings: ["LiberationSans-Bold.ttf"]
# needs: PIL
# cut
from PIL import Image, ImageDraw, ImageFont, ImageEnhance, ImageChops
a = Image.radial_gradient("L").convert("RGB").resize((200, 200)); a.save("/mnt/data/a.webp")
b = Image.new("RGBA", (200, 200), (0, 128, 0, 128)); b.convert("RGB").save("/mnt/data/b.bmp")
sheet = Image.new("RGBA", (420, 220), "white"); sheet.paste(ImageEnhance.Contrast(a).enhance(1.5), (10, 10)); sheet.alpha_composite(b, (215, 10))
font = ImageFont.truetype("/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf", 24)
ImageDraw.Draw(sheet).text((100, 90), "© 2024", font=font, fill=(255, 0, 0, 160), anchor="mm", stroke_width=1)
sheet.save("/mnt/data/collage.png"); print(sheet.size, sheet.getbbox())
