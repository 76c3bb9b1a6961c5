"""The wait for the compiler is announced once, and not at all when the loops are on disk."""

import os
import subprocess
import sys

from numba import njit

import manyviews.kernels  # noqa: F401 - listens to the compiler

SCRIPT = """
import numpy as np
from manyviews.kernels.chi2 import harmonic_products
X = np.ones((2, 2))
for kind in (np.int32, np.int64):
    pointers, columns = np.array([0, 2, 4], kind), np.array([0, 1, 0, 1], kind)
    harmonic_products(pointers, columns, X.ravel(), X, X.copy())
"""


def test_one_line_and_only_the_first_time(tmp_path):
    where = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    said = []
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=where, capture_output=True, text=True, check=True
        )
        said.append([line for line in run.stderr.splitlines() if "compiles its loops" in line])
    assert len(said[0]) == 1
    assert said[1] == []


def test_a_loop_of_no_module_is_nobodys():
    """Functions made from text compile beside ours, and nothing is said of them."""
    made = {}
    exec("def twice(x):\n    return 2 * x", made)
    made["twice"].__module__ = None
    assert njit(made["twice"])(3) == 6
