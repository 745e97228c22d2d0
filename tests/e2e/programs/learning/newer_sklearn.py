# Words of scikit-learn 1.3 to 1.6.
# expect: success
# needs: sklearn
# final: [0.5, ["Chance level (AUC = 0.5)"], 2, [true, true], true, 0.9]
# cut
import matplotlib.pyplot as plt
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.manifold import TSNE
from sklearn.metrics import RocCurveDisplay, root_mean_squared_error
from sklearn.model_selection import cross_val_score
from sklearn.utils.validation import check_is_fitted, validate_data


class Nearest(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        X, y = validate_data(self, X, y)
        self.classes_ = np.unique(y)
        self.means_ = np.array([X[y == one].mean(0) for one in self.classes_])
        return self

    def predict(self, X):
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        far = ((X[:, None] - self.means_) ** 2).sum(-1)
        return self.classes_[far.argmin(1)]


X, y = load_iris(return_X_y=True)
two = y < 2
model = LogisticRegression().fit(X[two], y[two])
curve = RocCurveDisplay.from_estimator(model, X[two], y[two],
                                       plot_chance_level=True, despine=True)
words = [line.get_label() for line in curve.ax_.lines][1:]
spread = TSNE(max_iter=250, perplexity=5).fit_transform(X[::5])
score = cross_val_score(Nearest(), X, y, cv=3).mean()
plt.close("all")
[float(root_mean_squared_error([0, 1], [0.5, 0.5])), words, spread.shape[1],
 [curve.ax_.spines["top"].get_visible() is False,
  curve.ax_.spines["left"].get_visible()],
 "n_iter" in TSNE().get_params() or "max_iter" in TSNE().get_params(),
 round(float(score), 1)]
