# A cloud in a circle, one of Chinese words, and words that never overlap.
# expect: success
# files-kinds: {"circle.png": "png"}
# stdout: "1 0 True\n{'rgb(0, 0, 200)'}\n['\u6570\u636e', '\u6a21\u578b']
#     True\nValueError We need at least 1 word to plot a word cloud, got
#     0.\nValueError WordCloud has not been calculated, call generate
#     first.\nNotImplementedError WordCloud.to_svg is not here;
#     to_file('x.png') and to_image() are\n"
# cut
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from wordcloud import ImageColorGenerator, WordCloud, get_single_color_func

rows, columns = np.ogrid[:300, :300]
circle = (rows - 150) ** 2 + (columns - 150) ** 2 > 130 ** 2
sales = {f"product {at}": 100 / at for at in range(1, 60)}
cloud = WordCloud(mask=255 * circle.astype(int), background_color="white",
                  contour_width=3, contour_color="steelblue",
                  random_state=1)
cloud.generate_from_frequencies(sales)
cloud.to_file("circle.png")
taken = np.zeros((300, 300), dtype=int)
for (word, share), size, place, turn, color in cloud.layout_:
    one = Image.new("L", (300, 300))
    font = ImageFont.TransposedFont(
        ImageFont.truetype(cloud.font_path, size), orientation=turn)
    ImageDraw.Draw(one).text(place[::-1], word, fill=255, font=font)
    taken += np.asarray(one) > 0
print(taken.max(), int(taken[circle].sum()), len(cloud.layout_) > 20)

blue = np.zeros((300, 300, 3), dtype=np.uint8)
blue[:, :, 2] = 200
cloud.recolor(color_func=ImageColorGenerator(blue))
print({color for *_, color in cloud.layout_})
cloud.recolor(color_func=get_single_color_func("gold"), random_state=3)
chinese = WordCloud(random_state=2).fit_words({"数据": 3, "模型": 1})
print(list(chinese.words_), "wqy" in chinese.font_path)
for wrong in (lambda: WordCloud().generate("the of"),
              lambda: WordCloud().to_image(), lambda: cloud.to_svg()):
    try:
        wrong()
    except (ValueError, NotImplementedError) as error:
        print(type(error).__name__, error)
