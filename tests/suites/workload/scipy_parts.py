# Something of each part of scipy.
import numpy as np
from scipy import (fft, integrate, interpolate, linalg, ndimage, optimize,
                   signal, sparse, spatial, special, stats)
from scipy.sparse.linalg import spsolve
from scipy.cluster.vq import kmeans
from scipy.io import loadmat, savemat, wavfile

savemat("m.mat", {"a": np.eye(3)})
wavfile.write("w.wav", 8000, np.arange(100, dtype=np.int16))
result = {
    "quad": round(integrate.quad(lambda x: x ** 2, 0, 3)[0], 9),
    "ode": round(float(integrate.solve_ivp(
        lambda t, y: -y, (0, 1), [1.0], rtol=1e-10, atol=1e-12)
        .y[0, -1]), 6),
    "root": round(optimize.brentq(lambda x: x ** 3 - 8, 0, 5), 9),
    "minimum": optimize.minimize(
        lambda v: (v[0] - 1) ** 2 + (v[1] + 2) ** 2, [0, 0])
    .x.round(4).tolist(),
    "linprog": round(optimize.linprog(
        [-1, -2], A_ub=[[1, 1]], b_ub=[4], bounds=[(0, 3), (0, 3)]).fun, 9),
    "curve": optimize.curve_fit(
        lambda x, a, b: a * x + b, np.arange(5.0),
        2 * np.arange(5.0) + 1)[0].round(6).tolist(),
    "expm": np.allclose(linalg.expm(np.zeros((2, 2))), np.eye(2)),
    "lu": np.allclose(linalg.det([[1.0, 2], [3, 4]]), -2),
    "spline": round(float(interpolate.CubicSpline(
        np.arange(6), np.arange(6) ** 3)(2.5)), 9),
    "norm": round(float(stats.norm.cdf(1.96)), 6),
    "ttest": round(float(stats.ttest_1samp([1, 2, 3, 4], 2.5).statistic), 9),
    "gamma": float(special.gamma(6)),
    "dct": np.allclose(fft.idct(fft.dct(np.arange(8.0))), np.arange(8)),
    "peaks": signal.find_peaks([0, 1, 0, 2, 0])[0].tolist(),
    "butter": len(signal.butter(4, 0.2)[0]),
    "sparse": spsolve(sparse.csc_matrix([[2.0, 0], [0, 4]]),
                      [2.0, 8.0]).tolist(),
    "tree": int(spatial.cKDTree([[0, 0], [5, 5]]).query([4, 4])[1]),
    "hull": float(spatial.ConvexHull([[0, 0], [0, 2], [2, 0], [2, 2],
                                      [1, 1]]).volume),
    "label": int(ndimage.label([[1, 0, 1], [0, 0, 1]])[1]),
    "kmeans": len(kmeans(np.array([[0.0], [0.1], [9.0], [9.1]]), 2)[0]),
    "mat": loadmat("m.mat")["a"].tolist(),
    "wav": int(wavfile.read("w.wav")[1][-1]),
}
import os
os.remove("m.mat")
os.remove("w.wav")
result
# expected: {
#   "quad": 9.0,
#   "ode": 0.367879,
#   "root": 2.0,
#   "minimum": [1.0, -2.0],
#   "linprog": -7.0,
#   "curve": [2.0, 1.0],
#   "expm": true,
#   "lu": true,
#   "spline": 15.625,
#   "norm": 0.975002,
#   "ttest": 0.0,
#   "gamma": 120.0,
#   "dct": true,
#   "peaks": [1, 3],
#   "butter": 5,
#   "sparse": [1.0, 2.0],
#   "tree": 1,
#   "hull": 4.0,
#   "label": 2,
#   "kmeans": 2,
#   "mat": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
#   "wav": 99
# }
