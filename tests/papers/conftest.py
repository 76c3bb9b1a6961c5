"""Let the papers' tests import what they share, and see no results of one's own."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))


@pytest.fixture(autouse=True)
def no_results(tmp_path, monkeypatch):
    """Names ask the results folder what was a surrogate: here nothing is."""
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tmp_path))
