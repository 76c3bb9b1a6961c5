"""Lines that say how far a fit has come, for those who ask (``verbose``)."""

import sys
import time
import warnings
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from manyviews.validation import check_positive_int


def warn_unsettled(who: str, max_iter: int, what: str, tol: float) -> None:
    """Warn that a fit has used up its iterations."""
    warnings.warn(
        f"{who} did not settle in max_iter={max_iter} iterations: the {what} still changes by more "
        f"than tol={tol:g} of its size; raise max_iter or tol",
        ConvergenceWarning,
        stacklevel=3,
    )


class Progress:
    """Print a line every ``every`` iterations, and one at the end; 0 prints nothing.

    Parameters
    ----------
    who
        Name of the estimator.
    every
        Iterations between two lines (``verbose``; True is 1).
    total
        Iterations at most.
    what
        What the value of an iteration is called.
    tol
        Warn if it is positive and the fit ends without being settled.
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
