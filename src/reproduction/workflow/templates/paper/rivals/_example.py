"""A rival to copy: naive Bayes on the paper's own draws."""

from typing import Any

import numpy as np
from reproduction.papers.my_paper.rivals import compare

from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from reproduction.results.jobs import Context
from reproduction.results.rows import Result


def predict(Xs: list[Any], y: np.ndarray, seed: int) -> np.ndarray:
    """Return a class for every row."""
    return NaiveBayesEnsemble().fit(Xs, y).predict(Xs)


def run(context: Context) -> Result:
    """Run it beside the paper's methods."""
    return compare(context, "naive Bayes", predict)
