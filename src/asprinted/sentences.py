"""Sentences as small declarations, written as text: ``better("A", "B", on=["Cora"])``.

A sentence has a part for every data set (or those of ``on``), and all of them must hold. ``metric``
says which where there are several, ``lower=True`` that small values are good.
"""

import ast
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from asprinted import claims
from asprinted.margins import Margins
from asprinted.parts import Part, every


class Rows:
    """Rows of one metric on some data sets, and how its values are read."""

    def __init__(
        self, rows: pd.DataFrame, margins: Margins, on: Any, metric: str | None, lower: bool
    ) -> None:
        wanted = {"dataset": [on] if isinstance(on, str) else on, "metric": metric}
        self.rows, self.lower = claims.select(rows, reading=None, **wanted), lower
        metrics = sorted(set(self.rows["metric"]))
        if len(metrics) != 1:
            raise ValueError(f"metrics {metrics}: a sentence is about one; say metric=")
        self.margin = margins.unit(metrics[0]).margin

    def each(self, test: Callable[..., Part], *methods: str, **how: Any) -> Part:
        """Every data set that has all of the methods."""
        known = set(self.rows["method"])
        if unknown := [method for method in methods if method not in known]:
            raise ValueError(f"no rows of {unknown[0]!r}; methods: {', '.join(sorted(known))}")
        parts: dict[str, Part] = {}
        for name, own in self.rows.groupby("dataset", sort=True):
            sides = [own[own["method"] == method] for method in methods]
            if all(map(len, sides)):
                parts[str(name)] = test(*sides, **how)
        return every(parts)


def better(rows: Rows, one: str, *others: str, by: float = 0.0) -> Part:
    """The first method is better than each of the others (by more than so much)."""
    how = {"margin": by, "higher_is_better": not rows.lower, "practical": rows.margin}
    parts = {
        other: rows.each(claims.better, one, other, names=(one, other), **how) for other in others
    }
    return every(parts) if len(parts) > 1 else parts[others[0]]


def equal(rows: Rows, one: str, other: str, within: float | None = None) -> Part:
    """Two methods are the same, within so much or the metric's margin."""
    margin = within or rows.margin
    return rows.each(claims.equal, one, other, margin=margin, names=(one, other))


def rank(rows: Rows, one: str, place: float = 1) -> Part:
    """The method's average rank over the data sets is ``place`` or better, up to a half."""
    column = sorted(set(rows.rows["method"])).index(one)

    def ahead(mean: np.ndarray, std: np.ndarray) -> np.ndarray:
        own = mean[..., column, None]
        before = mean < own if rows.lower else mean > own
        return place + 0.5 - (1 + before.sum(axis=-1)).mean(axis=-1)

    what = f"average rank {{}} below {place + 0.5:g}"
    return claims.resampled(rows.rows, ahead, columns=("method",), what=what)


def rises(rows: Rows, one: str, x: str, falling: bool = False) -> Part:
    """The value of a method rises with a column of numbers (or falls)."""
    return rows.each(claims.trend, one, x=x, rising=not falling)


TESTS = {test.__name__: test for test in (better, equal, rank, rises)}


def tested(text: str, rows: pd.DataFrame, margins: Margins) -> Part:
    """Test a declaration; its arguments are constants, nothing of it is executed."""
    try:
        call: Any = ast.parse(text.strip(), mode="eval").body
        test, args = TESTS[call.func.id], [ast.literal_eval(arg) for arg in call.args]
        how = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
        chosen = how.pop("on", None), how.pop("metric", None), how.pop("lower", False)
        inspect.signature(test).bind(None, *args, **how)
    except (SyntaxError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{text!r}: {error}; write one of {', '.join(TESTS)}") from None
    return test(Rows(rows, margins, *chosen), *args, **how)
