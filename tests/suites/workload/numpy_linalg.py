# Linear algebra of small exact matrices: LAPACK and BLAS from alternatives.
import numpy as np

a = np.array([[4.0, 1, 2], [1, 3, 0], [2, 0, 5]])
values = np.linalg.eigvalsh(a)
q, r = np.linalg.qr(a)
u, s, vt = np.linalg.svd(a)
big = np.arange(1.0, 10001).reshape(100, 100) % 7 + np.eye(100) * 50
{
    "det": round(float(np.linalg.det(a)), 9),
    "inv": np.allclose(np.linalg.inv(a) @ a, np.eye(3)),
    "trace": round(float(values.sum()), 9),
    "solve": np.linalg.solve(a, [9.0, 7, 17]).round(9).tolist(),
    "qr": np.allclose(q @ r, a),
    "svd": np.allclose(u * s @ vt, a),
    "cholesky": np.allclose(np.linalg.cholesky(a) @
                            np.linalg.cholesky(a).T, a),
    "lstsq": np.linalg.lstsq(np.array([[1.0, 1], [1, 2], [1, 3]]),
                             np.array([2.0, 3, 4]),
                             rcond=None)[0].round(9).tolist(),
    "rank": int(np.linalg.matrix_rank(big)),
    "big": np.allclose(big @ np.linalg.solve(big, np.ones(100)),
                       np.ones(100)),
}
# expected: {
#   "det": 43.0,
#   "inv": true,
#   "trace": 12.0,
#   "solve": [-0.046511628, 2.348837209, 3.418604651],
#   "qr": true,
#   "svd": true,
#   "cholesky": true,
#   "lstsq": [1.0, 1.0],
#   "rank": 100,
#   "big": true
# }
