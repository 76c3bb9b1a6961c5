"""Control: the most frequent class for every row, or one cluster of all rows."""

from typing import Any

from sklearn.dummy import DummyClassifier

from manyviews.compare.method import Facts, Method, Settings


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the classifier."""
    return DummyClassifier(strategy="most_frequent")


METHOD = Method("Majority class", ("classify",), "control", build)
