# Families and files of other systems are replaced without a flood of warnings.
# expect: success
# needs: matplotlib font:zh
# stderr: "There is no font file C:/Windows/Fonts/simhei.ttf: an installed font
#    is used.\n"
# results: ["image/png"]
import matplotlib.pyplot as plt
from matplotlib.font_manager import FontProperties

plt.rcParams["font.sans-serif"] = ["SimHei", "Arial Unicode MS"]
plt.rcParams["axes.unicode_minus"] = False
plt.rcParams["font.family"] = ["Arial", "Microsoft YaHei", "sans-serif"]
fig, ax = plt.subplots()
ax.plot([-1, 2], label="中文")
ax.set_title("标题", fontname="SimHei")
ax.set_xlabel("x", fontdict={"family": "Times New Roman"})
ax.set_ylabel("销售额", fontproperties=FontProperties(
    fname="C:/Windows/Fonts/simhei.ttf", size=14))
ax.text(0, 0, "code", family="Consolas")
ax.legend(prop={"family": "Noto Sans CJK SC"})
plt.show()
