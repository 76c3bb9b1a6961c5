"""Shared fixtures: a seed that changes from run to run (and is printed), small random views."""

import os

import numpy as np
import pytest


def pytest_report_header(config):
    return f"seed of the random cases: {_seed()} (set MULTIVIEW_TEST_SEED to repeat)"


def _seed() -> int:
    # workers of pytest-xdist inherit the variable, so all of them use the same seed
    if "MULTIVIEW_TEST_SEED" not in os.environ:
        os.environ["MULTIVIEW_TEST_SEED"] = str(int.from_bytes(os.urandom(3), "little"))
    return int(os.environ["MULTIVIEW_TEST_SEED"])


@pytest.fixture
def rng(request) -> np.random.Generator:
    """A generator that differs between tests and between runs of the suite."""
    name = [ord(c) for c in request.node.name]
    return np.random.default_rng([_seed(), *name])
