# Families and files of other systems are replaced without a flood of warnings.
# expect: success
# needs: matplotlib font:zh
# stderr: "There is no font file C:/Windows/Fonts/simhei.ttf: an installed font
#    is used.\n"
# stdout: "DejaVu Sans\n"
# results: ["image/png"]
import matplotlib.pyplot as plt
from matplotlib import font_manager
from matplotlib.font_manager import FontProperties

path = "C:/Windows/Fonts/simhei.ttf"
font_manager.fontManager.addfont(path)
print(FontProperties(fname=path).get_name())
plt.rcParams["text.usetex"] = True
plt.rcParams["font.sans-serif"] = ["SimHei", "Arial Unicode MS"]
plt.rcParams["axes.unicode_minus"] = False
plt.rcParams["font.family"] = ["Arial", "Microsoft YaHei", "sans-serif"]
fig, ax = plt.subplots()
ax.plot([-1, 2], label="中文")
ax.set_title("标题 $x^2$", fontname="SimHei")
ax.set_xlabel("x", fontdict={"family": "Times New Roman"})
ax.set_ylabel("销售额", fontproperties=FontProperties(
    fname=path, size=14))
ax.text(0, 0, "code", family="Consolas")
ax.legend(prop={"family": "Noto Sans CJK SC"})
plt.show()
