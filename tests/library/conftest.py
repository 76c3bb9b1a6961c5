"""The library's tests run with its extra ``test`` alone; what needs more says so."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for problems.py, which the tests share


def pytest_runtest_setup(item):
    if item.get_closest_marker("mip"):
        for module in ("cvxpy", "highspy"):
            pytest.importorskip(module, reason="needs the extra: pip install manyviews[mip]")
