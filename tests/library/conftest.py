"""The library's tests run with its extra ``test`` alone; what needs more says so."""

import pytest

pytest.register_assert_rewrite("contract", "problems")


def pytest_runtest_setup(item):
    if item.get_closest_marker("mip"):
        for module in ("cvxpy", "highspy"):
            pytest.importorskip(module, reason="needs the extra: pip install manyviews[mip]")
