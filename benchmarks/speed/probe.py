"""What one core of this machine can do: bytes a second from memory, operations a second."""

import time

import numpy as np
from numba import njit

from manyviews.kernels.fma import fma


@njit(cache=True)
def _triad(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    for i in range(a.size):
        a[i] = fma(3.0, c[i], b[i])


@njit(cache=True)
def _chains(x: np.ndarray, factor: float, rounds: int) -> None:
    """Independent multiply-adds on numbers that stay in the first-level cache."""
    for _ in range(rounds):
        for i in range(x.size):
            y = x[i]
            y = fma(y, factor, 0.1)
            y = fma(y, factor, 0.2)
            y = fma(y, factor, 0.3)
            y = fma(y, factor, 0.4)
            y = fma(y, factor, 0.5)
            y = fma(y, factor, 0.6)
            y = fma(y, factor, 0.7)
            y = fma(y, factor, 0.8)
            x[i] = y


def _best(task, repeats: int = 7) -> float:
    task()
    best = np.inf
    for _ in range(repeats):
        start = time.process_time()
        task()
        best = min(best, time.process_time() - start)
    return best


def probe() -> dict[str, float]:
    """Return the bandwidth in GB/s (three arrays of 64 MB) and the peak in Gflop/s."""
    a, b, c = (np.ones(8_000_000) for _ in range(3))
    seconds = _best(lambda: _triad(a, b, c))
    x, rounds = np.ones(512), 4000
    work = _best(lambda: _chains(x, 0.5, rounds))
    return {
        "bandwidth GB/s": 3 * a.nbytes / seconds / 1e9,
        "peak Gflop/s": 16.0 * x.size * rounds / work / 1e9,
    }
