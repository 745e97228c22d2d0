# No "Glyph missing from current font" on standard error.
# expect: success
# needs: matplotlib font:zh font:ja
# results: ["image/png"]
import matplotlib.pyplot as plt
plt.title("\u4e2d\u6587\u6a19\u984c \u65e5\u672c\u8a9e")
plt.plot([1, 2])
plt.show()
