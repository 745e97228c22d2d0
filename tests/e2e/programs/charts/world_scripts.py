# expect: success
# needs: matplotlib
# results: ["image/png"]
# cut
import matplotlib.pyplot as plt

labels = ['日本語', '한국어', 'العربية', 'Русский', 'ไทย', 'Ελληνικά']
plt.barh(labels, range(1, 7))
plt.title('Languages 🌍')
plt.show()
