"""The papers' tests see no results of one's own."""

import pytest


@pytest.fixture(autouse=True)
def no_results(tmp_path, monkeypatch):
    """Names ask the results folder what was a surrogate: here nothing is."""
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tmp_path))
