# expect: success
# needs: numpy
# final: [[[1, 2], [3, 4]], [0.5, null], [true, false], [255], [], 5,
#    ["a", "b"], [1, "x"]]
# warnings: ["a value that is NaN, NaT or infinite became null"]
import numpy as np
[np.array([[1, 2], [3, 4]]), np.array([0.5, np.inf]),
 np.array([True, False]), np.array([255], dtype=np.uint8), np.array([]),
 np.array(5), np.array(["a", "b"]), np.array([1, "x"], dtype=object)]
