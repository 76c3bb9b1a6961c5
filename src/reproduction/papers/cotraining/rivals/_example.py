"""A rival to copy: an estimator of the library beside the paper's methods."""

from typing import Any

import numpy as np

from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from reproduction.papers.cotraining.rivals import compare
from reproduction.results.jobs import Context
from reproduction.results.rows import Result


def predict(Xs: list[Any], y: np.ndarray, Xs_new: list[Any], seed: int) -> np.ndarray:
    """Return a column per class for every test page, the larger the likelier."""
    return np.eye(2)[NaiveBayesEnsemble().fit(Xs, y).predict(Xs_new)]


def run(context: Context) -> Result:
    """Run it on the draws of Table 2."""
    return compare(context, "naive Bayes", predict)
