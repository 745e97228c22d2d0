# expect: success
# needs: pycosat
# final: [[1, -2, 3], "UNSAT"]
import pycosat
[pycosat.solve([[1], [-1, -2], [2, 3]]), pycosat.solve([[1], [-1]])]
