"""The library's tests run with its extra ``test`` alone; what needs more says so."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for what the tests share
pytest.register_assert_rewrite("contract", "problems")


def pytest_runtest_setup(item):
    if item.get_closest_marker("mip"):
        for module in ("cvxpy", "highspy"):
            pytest.importorskip(module, reason="needs the extra: pip install manyviews[mip]")
