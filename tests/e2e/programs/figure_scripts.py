# Every script is drawn without naming a font: no warning, and each character
# differs from the box of a character that no font has, and from nothing. A
# mark is drawn on a letter: alone some fonts have it outside the text's width.
# expect: success
# needs: matplotlib font:zh font:ko font:th
# final: {"boxes": [], "spare": true}
# results: ["image/png"]
import unicodedata
import warnings
import matplotlib.pyplot as plt
import numpy as np

LABELS = ["中文图表，销售额（万元）", "日本語のグラフ", "한국어차트", "العربية",
          "Русский", "ภาษาไทย", "Ελληνικά", "हिंदी", "😀🚀📈🤖✅⭐🧪"]


def picture(text):
    fig = plt.figure(figsize=(1, 1))
    fig.text(0.2, 0.3, text, fontsize=40)
    fig.canvas.draw()
    found = np.asarray(fig.canvas.buffer_rgba()).copy()
    plt.close(fig)
    return found.tobytes()


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    odd = {picture("\U000e0fff"), picture(" ")}
    odd_marked = {picture("ह\U000e0fff"), picture("ह")}


def is_lost(char):
    if unicodedata.category(char) == "Mn":
        return picture("ह" + char) in odd_marked
    return picture(char) in odd


boxes = [char for label in LABELS for char in label if is_lost(char)]
fig, ax = plt.subplots()
ax.set_title("\n".join(LABELS))
ax.set_xlabel("面积 (m$^2$), 温度 $^\\circ$C")
fig.savefig("/tmp/a.pdf")
fig.savefig("/tmp/a.svg")
plt.show()
{"boxes": boxes, "spare": len(odd) == 2}
