"""Small own data for all tests of comparisons."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # the tests share small_data


@pytest.fixture
def data(rng):
    from small_data import own_data

    return own_data(rng)


@pytest.fixture
def one_validation_split(monkeypatch):
    """Tune on one held-out quarter, as with many rows, instead of on three folds."""
    from manyviews.compare import fit

    monkeypatch.setattr(fit, "MANY", 1)


@pytest.fixture
def two_folds(monkeypatch):
    """Two folds a round instead of five: every row is still predicted once by all who learn."""
    from manyviews.compare import task

    monkeypatch.setattr(task, "PER_ROUND", 2)
