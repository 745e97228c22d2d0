# expect: success
# needs: sklearn PIL
# final: ["#0000ff", "#ff0000"]
# stderr-like: .*
# cut
import numpy as np
from PIL import Image
from sklearn.cluster import KMeans

img = Image.new('RGB', (40, 40), 'red')
img.paste('blue', (0, 0, 20, 40))
pixels = np.array(img).reshape(-1, 3)
km = KMeans(n_clusters=2, n_init=10, random_state=0).fit(pixels)
colors = km.cluster_centers_.round().astype(int)
sorted('#%02x%02x%02x' % tuple(c) for c in colors)
