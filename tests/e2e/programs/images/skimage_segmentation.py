# expect: success
# needs: skimage
# stdout: "3 objects\n[30, 30, 80]\n"
# cut
import numpy as np
from skimage import filters, measure, morphology
from skimage.draw import disk

image = np.zeros((120, 120))
for center in [(30, 30), (80, 80), (30, 90)]:
    rr, cc = disk(center, 12)
    image[rr, cc] = 1
image += np.random.default_rng(0).normal(0, 0.1, image.shape)
thresh = filters.threshold_otsu(image)
clean = morphology.remove_small_objects(image > thresh, 50)
labels = measure.label(clean)
props = measure.regionprops(labels)
print(f"{len(props)} objects")
print(sorted(round(p.centroid[0]) for p in props))
