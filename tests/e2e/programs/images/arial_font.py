# expect: success
# needs: PIL
# files-kinds: {"meme.png": "png"}
# warnings: ["arial.ttf"]
# cut
from PIL import Image, ImageDraw, ImageFont

img = Image.new('RGB', (300, 120), 'black')
draw = ImageDraw.Draw(img)
font = ImageFont.truetype("arial.ttf", 40)
w = draw.textlength("TOP TEXT", font=font)
draw.text(((300 - w) / 2, 10), "TOP TEXT", font=font, fill="white")
img.save('/mnt/data/meme.png')
