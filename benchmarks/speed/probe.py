"""What one core of this machine can do a second: bytes from memory and cache, operations."""

import time
from collections.abc import Callable

import numpy as np
from numba import njit

from manyviews.kernels.fma import fma

#: Numbers of each of the three arrays: far beyond every cache, and well within the second one.
_MEMORY, _CACHE = 8_000_000, 24_000


@njit(cache=True)
def _triad(a: np.ndarray, b: np.ndarray, c: np.ndarray, rounds: int) -> None:
    for _ in range(rounds):
        for i in range(a.size):
            a[i] = fma(3.0, c[i], b[i])


def _best(task: Callable[[], object], repeats: int = 7) -> float:
    task()
    best = np.inf
    for _ in range(repeats):
        start = time.process_time()
        task()
        best = min(best, time.process_time() - start)
    return best


def _bandwidth(size: int) -> float:
    """Return GB/s of reading two arrays and writing a third, all of one size."""
    a, b, c = (np.ones(size) for _ in range(3))
    rounds = max(1, _MEMORY // size)
    return 3 * 8 * size * rounds / _best(lambda: _triad(a, b, c, rounds)) / 1e9


def probe() -> dict[str, float]:
    """Return Gflop/s of a dense matrix product by BLAS, GB/s of the memory and of the cache."""
    size = 1200
    A, out = np.ones((size, size)), np.empty((size, size))
    return {
        "Gflop/s": 2.0 * size**3 / _best(lambda: np.matmul(A, A, out=out), 3) / 1e9,
        "GB/s memory": _bandwidth(_MEMORY),
        "GB/s cache": _bandwidth(_CACHE),
    }
