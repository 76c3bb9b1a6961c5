"""How far a fit has come: lines for those who ask (``verbose``), its end, its ascent."""

import sys
import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from manyviews.validation import check_positive_int

_SLACK = 1e-9  # relative rounding of a sum of logarithms, allowed when monotonicity is asserted


def warn_unsettled(who: str, max_iter: int, what: str, tol: float) -> None:
    """Warn that a fit has used up its iterations."""
    warnings.warn(
        f"{who} did not settle in max_iter={max_iter} iterations: the {what} still changes by more "
        f"than tol={tol:g} of its size; raise max_iter or tol",
        ConvergenceWarning,
        stacklevel=3,
    )


def settled(trace: Sequence[float], tol: float) -> bool:
    """Whether the last iteration gained no more than ``tol`` of the objective's size."""
    return len(trace) > 1 and trace[-1] - trace[-2] <= tol * abs(trace[-2])


def assert_monotone(trace: np.ndarray, what: str) -> None:
    """Raise when a trace that EM must not decrease has decreased by more than rounding."""
    trace = np.asarray(trace, dtype=np.float64)
    if trace.size < 2:
        return
    scale = np.maximum(1.0, np.abs(trace[:-1]))
    worst = int(np.argmin(np.diff(trace) / scale))
    if np.diff(trace)[worst] < -_SLACK * scale[worst]:
        raise FloatingPointError(
            f"the {what} fell from {trace[worst]!r} to {trace[worst + 1]!r} in iteration "
            f"{worst + 1}; an EM step cannot do that, so the input or a kernel is at fault"
        )


class Progress:
    """Print a line every ``every`` iterations, and one at the end; 0 prints nothing.

    ``who`` is the estimator, ``every`` its ``verbose`` (True is 1), ``total`` its iterations and
    ``what`` the value of one; with a positive ``tol`` an end that is not settled is warned of.
    """

    def __init__(
        self, who: str, every: Any, total: int, what: str = "log-likelihood", tol: float = 0.0
    ) -> None:
        self.every = check_positive_int("verbose", int(every) if every is True else every or 0, 0)
        self.who, self.total, self.what, self.tol = who, total, what, tol
        self.start = time.perf_counter()
        self.done, self.last = 0, 0

    def __call__(self, iteration: int, value: float | None = None) -> None:
        """Note that ``iteration`` iterations are done."""
        self.done = iteration
        if self.every and iteration % self.every == 0 and iteration > self.last:
            self._print(value)

    def end(self, value: float | None = None, why: str = "") -> None:
        """Say that the fit is over."""
        if self.every and (self.done > self.last or why):
            self._print(value, why)
        if self.tol > 0.0 and not why:
            warn_unsettled(self.who, self.total, self.what, self.tol)

    def _print(self, value: float | None, why: str = "") -> None:
        self.last = self.done
        told = "" if value is None else f", {self.what} {value:.8g}"
        seconds = time.perf_counter() - self.start
        line = f"{self.who}: iteration {self.done} of at most {self.total}{told} ({seconds:.1f} s)"
        print(f"{line}{f', {why}' if why else ''}", file=sys.stderr, flush=True)
