"""A search over the values of a setting: what is best on average over the runs is kept."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from reproduction.results.rows import Row

#: A value that was tried, its scores, run by run (NaN where a run has none), and its rows.
Tried = tuple[Any, list[float], list[Row]]


def _mean(tried: Tried) -> float:
    return float(np.nanmean(tried[1]))


class Search:
    """Everything tried at every place of a table; the first of equally good values wins."""

    def __init__(self) -> None:
        self.places: dict[str, tuple[Mapping[str, Any], dict[str, Tried]]] = {}

    def add(
        self, at: Mapping[str, Any], value: Any, scores: Iterable[float], rows: Iterable[Row]
    ) -> None:
        """Add what one run found with a value."""
        _, tried = self.places.setdefault(repr(at), (at, {}))
        _, known, made = tried.setdefault(repr(value), (value, [], []))
        known += scores
        made += rows

    def kept(self) -> list[Row]:
        """Return the rows of the best value at every place."""
        best = [max(tried.values(), key=_mean) for _, tried in self.places.values()]
        return [row for _, _, rows in best for row in rows]

    def told(self) -> list[dict[str, Any]]:
        """Return the mean score of every value at every place."""
        return [
            {**at, "tried": [[one[0], _mean(one)] for one in tried.values()]}
            for at, tried in self.places.values()
        ]
