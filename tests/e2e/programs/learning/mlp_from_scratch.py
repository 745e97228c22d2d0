# expect: success
# needs: numpy
# stdout: "[0, 1, 1, 0]\n"
# cut
import numpy as np

np.random.seed(0)
X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
y = np.array([[0], [1], [1], [0]])
W1, b1 = np.random.randn(2, 8), np.zeros((1, 8))
W2, b2 = np.random.randn(8, 1), np.zeros((1, 1))
sigmoid = lambda z: 1 / (1 + np.exp(-z))
for epoch in range(5000):
    h = np.tanh(X @ W1 + b1)
    out = sigmoid(h @ W2 + b2)
    d2 = out - y
    d1 = (d2 @ W2.T) * (1 - h ** 2)
    W2 -= 0.1 * h.T @ d2; b2 -= 0.1 * d2.sum(0, keepdims=True)
    W1 -= 0.1 * X.T @ d1; b1 -= 0.1 * d1.sum(0, keepdims=True)
print(out.round().astype(int).ravel().tolist())
