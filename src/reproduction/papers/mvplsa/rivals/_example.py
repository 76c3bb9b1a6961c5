"""A rival to copy: an estimator of the library beside the paper's methods."""

import numpy as np
import scipy.sparse as sp

from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from reproduction.papers.mvplsa.rivals import compare
from reproduction.results.jobs import Context
from reproduction.results.rows import Result


def predict(
    Xs: list[sp.csr_matrix], labels: np.ndarray, n_classes: int, rng: np.random.Generator
) -> np.ndarray:
    """Return a class for every document."""
    return NaiveBayesEnsemble().fit(Xs, labels).predict(Xs)


def run(context: Context) -> Result:
    """Run it on the draws of Table 3."""
    return compare(context, "naive Bayes", predict)
