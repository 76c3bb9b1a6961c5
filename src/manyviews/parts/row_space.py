"""Linear classifiers on few rows of a wide table: the same answer, found among the rows.

A linear model with a squared penalty depends on the rows through their inner products alone, so its
weights lie in the space that the rows span. There a table of 200 rows has 200 columns, however wide
it was; the fitted weights are then told for the columns that were given.
"""

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator

#: A table with at most so many columns and at least that share of values is dense.
WIDE, FILLED = 2000, 0.25
#: What a column costs a solver beside its cells, in cells: its own vectors are as long as a row.
PER_COLUMN = 40


def as_filled(X: sp.csr_matrix) -> Any:
    """Return a table dense if it is narrow and filled: solvers are faster on it."""
    filled = X.nnz >= FILLED * X.shape[0] * X.shape[1]
    return X.toarray() if filled and X.shape[1] <= WIDE else X


def few_rows(X: Any) -> bool:
    """Tell whether the space of the rows has fewer cells to go through than the table."""
    n, width = X.shape
    cells = X.nnz if sp.issparse(X) else n * width
    return n < width and n * (n + PER_COLUMN) < cells + PER_COLUMN * width


def coordinates(X: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows in their own space, and what turns weights there into weights of columns.

    With ``Z, back = coordinates(X)`` inner products of rows are those of ``Z``, and weights ``w``
    on ``Z`` are the weights ``X.T @ back @ w`` on ``X``.
    """
    products = X @ X.T
    values, vectors = np.linalg.eigh(products.toarray() if sp.issparse(products) else products)
    kept = values > values[-1] * len(values) * np.finfo(float).eps
    lengths, directions = np.sqrt(values[kept]), vectors[:, kept]
    return directions * lengths, directions / lengths


class InRowSpace(BaseEstimator):
    """A linear classifier with a squared penalty, fitted in the space of the rows if that is less.

    Parameters
    ----------
    model
        Classifier with ``coef_``; its penalty must be the squared length of the weights.
    """

    def __init__(self, model: Any) -> None:
        self.model = model

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self.model, "coef_")

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the model."""
        if not few_rows(X) or not abs(X).max():
            self.model.fit(X, y)
            return self
        if self.model.get_params().get("dual") == "auto":
            self.model.set_params(dual=True)  # what it would choose on the wide table
        Z, back = coordinates(X)
        self.model.fit(Z, y)
        self.model.coef_ = np.asarray(X.T @ (back @ self.model.coef_.T)).T
        self.model.n_features_in_ = X.shape[1]
        return self

    @property
    def coef_(self) -> np.ndarray:
        """Weights of the columns, a row a class."""
        return np.asarray(self.model.coef_)

    @property
    def classes_(self) -> np.ndarray:
        """Classes."""
        return np.asarray(self.model.classes_)

    def predict(self, X: Any) -> np.ndarray:
        """Tell the classes of rows."""
        return np.asarray(self.model.predict(X))

    def predict_proba(self, X: Any) -> np.ndarray:
        """Tell the probabilities of the classes."""
        return np.asarray(self.model.predict_proba(X))
