# expect: success
# needs: sklearn matplotlib
# results: ["image/png"]
# stdout: "Explained: 0.8\n"
# stderr-like: .*
# cut
import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE

X, y = load_digits(n_class=4, return_X_y=True)
p = PCA(n_components=10).fit(X)
print(f"Explained: {p.explained_variance_ratio_.sum():.1f}")
Z = TSNE(n_components=2, random_state=0, perplexity=20, n_iter=250,
         init='pca').fit_transform(p.transform(X[:150]))
plt.scatter(Z[:, 0], Z[:, 1], c=y[:150], cmap='tab10', s=8)
plt.colorbar()
plt.show()
