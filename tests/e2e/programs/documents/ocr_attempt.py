# expect: failure
# error: ModuleNotFoundError
# told: ["pytesseract", "not installed", "Send the text itself"]
# without: pytesseract
# cut
import pytesseract
from PIL import Image, ImageDraw

img = Image.new('RGB', (200, 60), 'white')
ImageDraw.Draw(img).text((10, 20), 'Invoice 123', fill='black')
print(pytesseract.image_to_string(img))
