"""Which view "contains most information"? With labels, as the paper did, and without.

Jiang et al. (2012) report the best view's clusters and choose it by how well k-means does on
each view alone: that looks at the labels. Two rules that do not are offered beside it.
"""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score

from manyviews.base import MultiViewInput, observed_rows
from manyviews.metrics import clustering_accuracy, nmi
from manyviews.models.plsa import PLSA
from manyviews.parts.blocks import in_order
from manyviews.validation import check_choice, check_positive_int

__all__ = ["ViewSelector"]

LABEL_RULES = ("accuracy", "nmi")
FREE_RULES = ("silhouette", "likelihood")


def information_per_word(X: sp.csr_matrix, loglik: float) -> float:
    """Log-likelihood gained over one topic per count (nats): comparable between vocabularies."""
    words = np.asarray(X.sum(axis=0)).ravel()
    total = words.sum()
    used = words[words > 0]
    return float((loglik - (used * np.log(used / total)).sum()) / total)


@dataclass(eq=False, repr=False)
class ViewSelector(MultiViewInput, BaseEstimator):
    """Rank views for clustering.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    criterion : {"accuracy", "nmi", "silhouette", "likelihood"}
        ``"accuracy"``, ``"nmi"``: mean score of k-means on the view against the labels (the
        paper's rule; uses ``y``). ``"silhouette"``: mean silhouette of the same k-means clusters.
        ``"likelihood"``: what PLSA explains beyond one topic, in nats per word.
    n_runs : int
        Random starts to average over.
    sample_size : int
        Rows the silhouette is measured on at most.
    max_iter : int
        Cap on the iterations of k-means and PLSA.
    random_state : int or None
        Seed; run r uses ``random_state + r``.
    n_jobs : None or int
        Runs side by side, on threads; -1 for one per core. The result is the same.

    Attributes
    ----------
    scores_ : ndarray (V,)
        Score of each view.
    best_view_ : int
        The view with the largest score; the first of equals.

    Notes
    -----
    A view is scored on the rows that have it.
    """

    n_clusters: int = 2
    _: KW_ONLY
    criterion: str = "accuracy"
    n_runs: int = 5
    sample_size: int = 1000
    max_iter: int = 100
    random_state: int | None = None
    n_jobs: int | None = None

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Score every view; ``y`` is needed for the rules that look at labels, and ignored else."""
        check_choice("criterion", self.criterion, (*LABEL_RULES, *FREE_RULES))
        check_positive_int("n_runs", self.n_runs)
        views = self._fit_views(Xs)
        if not 2 <= check_positive_int("n_clusters", self.n_clusters) <= views[0].shape[0]:
            raise ValueError(
                f"n_clusters={self.n_clusters} must lie between 2 and n_samples={views[0].shape[0]}"
            )
        if self.criterion in LABEL_RULES and y is None:
            raise ValueError(
                f"criterion {self.criterion!r} compares with labels; pass y, or use one of "
                + ", ".join(repr(rule) for rule in FREE_RULES)
            )
        base = 0 if self.random_state is None else self.random_state
        observed = observed_rows(Xs)
        tables: list[tuple[Any, Any]] = [(X, y) for X in views]
        if observed is not None:
            tables = [
                (X[here], None if y is None else np.asarray(y)[here])
                for X, here in zip(views, observed.T, strict=True)
            ]
        runs = [(*table, base + r) for table in tables for r in range(self.n_runs)]
        found = in_order(lambda run: self._score(*run), runs, self.n_jobs)
        self.scores_ = np.reshape(found, (len(views), self.n_runs)).mean(axis=1)
        self.best_view_ = int(self.scores_.argmax())
        return self

    def _score(self, X: sp.csr_matrix, y: Any, seed: int) -> float:
        if self.criterion == "likelihood":
            plsa = PLSA(self.n_clusters, max_iter=self.max_iter, random_state=seed).fit(X)
            return information_per_word(X, plsa.loglik_[-1])
        kmeans = KMeans(
            self.n_clusters, init="random", n_init=1, max_iter=self.max_iter, random_state=seed
        )
        labels = kmeans.fit(X).labels_
        if self.criterion == "accuracy":
            return clustering_accuracy(y, labels)
        if self.criterion == "nmi":
            return nmi(y, labels, "max")
        return sampled_silhouette(X, labels, self.sample_size, seed)


def sampled_silhouette(X: Any, labels: np.ndarray, sample_size: int, seed: int) -> float:
    """Mean silhouette on a random sample of rows; -1 when the sample shows one cluster only."""
    n_rows = X.shape[0]
    rows = np.arange(n_rows)
    if n_rows > sample_size:
        rows = np.sort(np.random.default_rng(seed).choice(n_rows, sample_size, replace=False))
    groups = np.unique(labels[rows]).size
    if groups < 2 or groups >= rows.size:
        return -1.0
    return float(silhouette_score(X[rows], labels[rows]))
