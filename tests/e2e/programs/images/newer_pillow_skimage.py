# Words of Pillow 10 and scikit-image 0.26.
# expect: success
# needs: PIL skimage
# final: [true, true, [1, 0], [100, 50], 6, 2]
# stderr-like: .*
# cut
import numpy as np
from PIL import Image, ImageDraw, ImageFont, ImageOps
from skimage import graph, morphology

small, large = ImageFont.load_default(12), ImageFont.load_default(size=40)
image = Image.new("L", (200, 60))
ImageDraw.Draw(image).text((5, 5), "Größe", fill=255, font=large)
dots = np.zeros((9, 9), bool)
dots[1, 1] = True
dots[4:7, 4:7] = True
left = morphology.remove_small_objects(dots, max_size=8)
none = morphology.remove_small_objects(dots, max_size=9)
[large.getbbox("abc")[3] > 2 * small.getbbox("abc")[3],
 np.asarray(image).any(axis=0).sum() > 60, [int(left.sum() == 9),
                                            int(none.sum())],
 list(ImageOps.cover(image.crop((0, 0, 60, 30)), (90, 50)).size),
 int(morphology.footprint_rectangle((2, 3)).sum()),
 graph.rag_mean_color(np.dstack([dots * 1.0] * 3),
                      dots + 1).number_of_nodes()]
