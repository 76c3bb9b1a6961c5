"""A rival to copy: an estimator of the library beside the paper's methods."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from reproduction.papers.twoview_pa.rivals import compare
from reproduction.results.jobs import Context
from reproduction.results.rows import Result


def predict(
    train: Sequence[sp.csr_matrix],
    y: np.ndarray,
    test: Sequence[sp.csr_matrix],
    rng: np.random.Generator,
) -> np.ndarray:
    """Return a score for every test row; above zero means positive."""
    model = NaiveBayesEnsemble().fit(list(train), (y > 0).astype(int))
    return model.predict(list(test)) - 0.5


def run(context: Context) -> Result:
    """Run it on the folds of Table 2."""
    return compare(context, "naive Bayes", predict)
