"""A rival to copy: an estimator of the library beside the paper's methods."""

import numpy as np
import scipy.sparse as sp

from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from reproduction.papers.multiview_hier.rivals import compare
from reproduction.results.jobs import Context
from reproduction.results.rows import Result


def predict(Xs: list[sp.csr_matrix], y: np.ndarray, seed: int) -> np.ndarray:
    """Return a class for every row."""
    return NaiveBayesEnsemble().fit(Xs, y).predict(Xs)


def run(context: Context) -> Result:
    """Run it on the partitions of Table 2."""
    return compare(context, "naive Bayes", predict)
