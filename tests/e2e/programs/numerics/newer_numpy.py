# More names of numpy 2.
# expect: success
# needs: numpy
# final: [[0, 3, 1], [1, 3, 6], [0, 1, 3], [true, false, true],
#    [[1, 2], [3, 4]], [0, 1, 0], 5.0, 5.0, ["A"], "[1. 2.]", true]
# cut
import numpy as np
from numpy.exceptions import AxisError

np.set_printoptions(legacy="1.25")
grid = np.array([[1, 2], [3, 4]])
[np.bitwise_count(np.array([0, 7, 8])).tolist(),
 np.cumulative_sum([1, 2, 3]).tolist(),
 np.cumulative_sum([1, 2], include_initial=True).tolist(),
 [np.isdtype(np.float32, "real floating"), np.isdtype(np.int8, "bool"),
  np.isdtype(np.dtype("u2"), ("integral", np.float64))],
 [row.tolist() for row in np.unstack(grid)],
 np.unique_inverse([3, 5, 3]).inverse_indices.tolist(),
 float(np.linalg.vector_norm([3, 4])),
 float(np.linalg.matrix_norm([[3, 0], [0, 4]])),
 np.strings.upper(np.array(["a"])).tolist(), str(np.array([1.0, 2.0])),
 issubclass(AxisError, ValueError)]
