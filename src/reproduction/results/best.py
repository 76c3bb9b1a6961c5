"""A search over the values of a setting: what is best on average over the runs is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from reproduction.results.rows import Row


@dataclass
class Tried:
    """A value that was tried: its scores, run by run, and its rows."""

    value: Any
    scores: list[float] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """Mean of the scores; a run may have none (NaN)."""
        return float(np.nanmean(self.scores))


class Search:
    """Everything tried at every place of a table; the first of equally good values wins."""

    def __init__(self) -> None:
        self.places: dict[str, tuple[Mapping[str, Any], dict[str, Tried]]] = {}

    def add(
        self, at: Mapping[str, Any], value: Any, scores: Iterable[float], rows: Iterable[Row]
    ) -> None:
        """Add what one run found with a value."""
        _, tried = self.places.setdefault(repr(at), (at, {}))
        one = tried.setdefault(repr(value), Tried(value))
        one.scores += scores
        one.rows += rows

    def kept(self) -> list[Row]:
        """Return the rows of the best value at every place."""
        best = [max(tried.values(), key=lambda one: one.mean) for _, tried in self.places.values()]
        return [row for one in best for row in one.rows]

    def told(self) -> list[dict[str, Any]]:
        """Return the mean score of every value at every place."""
        return [
            {**at, "tried": [[one.value, one.mean] for one in tried.values()]}
            for at, tried in self.places.values()
        ]
