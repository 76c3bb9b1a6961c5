"""Small own data for all tests of comparisons."""

import pytest


@pytest.fixture
def data(rng):
    from small_data import own_data

    return own_data(rng)


@pytest.fixture
def quick(monkeypatch):
    """Two folds a round, one held-out quarter to tune on: every row is still predicted once."""
    from manyviews.compare import fit, task

    monkeypatch.setattr(task, "PER_ROUND", 2)
    monkeypatch.setattr(fit, "MANY", 1)
