"""Stepwise EM: parameters that learn from one batch at a time (Cappé and Moulines 2009)."""

import numpy as np


def batch_weight(batch: int) -> float:
    """Return the weight of batch 0, 1, ...: their sum is infinite, that of their squares is not."""
    return float((batch + 2.0) ** -0.7)


def blended(
    rows: np.ndarray, mass: np.ndarray, counts: np.ndarray, rate: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return distributions (rows) and their shares of all counts, ``mass``, after one batch.

    The batch's expected ``counts`` (as ``rows``), scaled to sum to one, enter a running mean with
    weight ``rate``: what the batch lacks keeps some probability.
    """
    total = counts.sum()
    if not total > 0.0:
        return rows, mass
    sums = (1.0 - rate) * mass[:, None] * rows + (rate / total) * counts
    mass = sums.sum(axis=1)
    whole = mass[:, None]
    return np.divide(sums, whole, out=rows.copy(), where=whole > 0.0), mass
