# Arabic letters are joined and run from right to left; a label that the
# program has put into that order itself is left alone.
# expect: success
# needs: matplotlib
# final: [true, true, true, true, false]
import matplotlib.pyplot as plt
import numpy as np


def picture(text):
    fig = plt.figure(figsize=(4, 1))
    label = fig.text(0.1, 0.3, text, fontsize=20)
    fig.canvas.draw()
    assert label.get_text() == text
    found = np.asarray(fig.canvas.buffer_rgba()).tobytes()
    plt.close(fig)
    return found


def same(text, shown):
    return picture(text) == picture(shown)


[
    # seen, lam with alef, meem
    same("\u0633\u0644\u0627\u0645", "\ufee1\ufefc\ufeb3"),
    # gaf and peh of Persian, a number and brackets
    same("\u06af\u067e (1,234)", "(1,234) \ufb57\ufb94"),
    # within text from left to right
    same("a \u0628\u0628 b", "a \ufe90\ufe91 b"),
    # the first of two lines
    same("\u0628\u0628\nabc", "\ufe90\ufe91\nabc"),
    same("\u0633\u0644\u0627\u0645", "\ufef3\ufefc\ufeb3"),
]
