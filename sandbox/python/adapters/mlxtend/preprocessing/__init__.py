"""mlxtend.preprocessing - lists of items as columns of True and False."""

from __future__ import annotations

from typing import Any

import numpy
from sklearn.base import BaseEstimator, TransformerMixin

__all__ = ["TransactionEncoder"]


class TransactionEncoder(BaseEstimator, TransformerMixin):
    def fit(self, X: Any, y: Any = None) -> "TransactionEncoder":
        self.columns_ = sorted({item for basket in X for item in basket})
        self.columns_mapping_ = {
            item: at for at, item in enumerate(self.columns_)}
        return self

    def transform(self, X: Any, sparse: bool = False) -> Any:
        found = numpy.zeros((len(X), len(self.columns_)), dtype=bool)
        for row, basket in zip(found, X):
            row[[self.columns_mapping_[item] for item in basket]] = True
        if sparse:
            from scipy.sparse import csr_matrix
            return csr_matrix(found)
        return found

    def fit_transform(self, X: Any, y: Any = None,
                      sparse: bool = False) -> Any:
        return self.fit(X).transform(X, sparse=sparse)

    def inverse_transform(self, array: Any) -> list[list[Any]]:
        return [[item for item, there in zip(self.columns_, row) if there]
                for row in array]

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        return numpy.array(self.columns_, dtype=object)


def __getattr__(name: str) -> object:
    raise AttributeError(f"mlxtend.preprocessing.{name} is not here; "
                         "TransactionEncoder is, and sklearn.preprocessing")
