# The words of reviews as a picture, on a figure and as a file.
# expect: success
# files-kinds: {"cloud.png": "png", "figure.png": "png"}
# stdout: "[('great', 12), ('Customer service', 6), ('battery life', 6),
#     ('camera', 6), ('excellent', 6)]\n[('great', 12)] False\ngreat
#     True\n(400, 800, 3) True\n"
# cut
from collections import Counter

import matplotlib.pyplot as plt
import numpy as np
from wordcloud import STOPWORDS, WordCloud

text = """The battery life is great and the screen is great. Battery life
could be better, but the camera is excellent. Great camera, great screens!
The battery's charger broke. Customer service was slow; customer service
never answered. Excellent phone for the price.""" * 3
cloud = WordCloud(width=800, height=400, background_color="white",
                  stopwords=STOPWORDS | {"phone"}, max_words=60,
                  colormap="plasma", random_state=42).generate(text)
counts = cloud.process_text(text)
print(sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:5])
print(Counter(counts).most_common(1), "phone" in counts)
print(max(cloud.words_, key=cloud.words_.get), len(cloud.layout_) <= 60)
cloud.to_file("cloud.png")

plt.figure(figsize=(10, 5))
plt.imshow(cloud, interpolation="bilinear")
plt.axis("off")
plt.tight_layout(pad=0)
plt.savefig("figure.png")
plt.close()
pixels = cloud.to_array()
print(pixels.shape, 0.02 < np.mean(pixels.min(axis=2) < 250) < 0.6)
