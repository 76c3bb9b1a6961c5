"""Lines that say how far a fit has come, for those who ask (``verbose``)."""

import sys
import time
from typing import Any

from manyviews.validation import check_positive_int


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
    """

    def __init__(self, who: str, every: Any, total: int, what: str = "log-likelihood") -> None:
        self.every = check_positive_int("verbose", int(every) if every is True else every or 0, 0)
        self.who, self.total, self.what = who, total, what
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

    def _print(self, value: float | None, why: str = "") -> None:
        self.last = self.done
        told = "" if value is None else f", {self.what} {value:.8g}"
        seconds = time.perf_counter() - self.start
        line = f"{self.who}: iteration {self.done} of at most {self.total}{told} ({seconds:.1f} s)"
        print(f"{line}{f', {why}' if why else ''}", file=sys.stderr, flush=True)
