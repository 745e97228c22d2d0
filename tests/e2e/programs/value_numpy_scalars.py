# expect: success
# needs: numpy
# final: [7, 0.5, 255, -9223372036854775808, 18446744073709551615, true,
#    0.25, null]
# warnings: ["a value that is NaN, NaT or infinite became null"]
import numpy as np
[np.int32(7), np.float64(0.5), np.uint8(255), np.int64(-2**63),
 np.uint64(2**64 - 1), np.bool_(True), np.float32(0.25), np.float64("nan")]
