# expect: success
# stdout-has: ["rank 2", "peak 50.0", "cond"]
# needs: numpy scipy
# cut
import numpy as np
from scipy import sparse, linalg
from scipy.sparse.linalg import spsolve, eigsh
A = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9.]])
print("rank", np.linalg.matrix_rank(A)); U, s, Vt = np.linalg.svd(A); print("cond", np.linalg.cond(A) > 1e10)
t = np.linspace(0, 1, 1000, endpoint=False); y = np.sin(2*np.pi*50*t)
print("peak", np.fft.rfftfreq(1000, 1e-3)[np.abs(np.fft.rfft(y)).argmax()])
L = sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(50, 50), format="csc"); print(spsolve(L, np.ones(50)).max().round(1), eigsh(L, k=1)[0].round(2))
print(linalg.expm(np.zeros((2, 2))))
