"""What a comparison found: scores, predictions, settings, times, curves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from manyviews.compare.method import Facts, Method
from manyviews.compare.reading.own import OwnData
from manyviews.compare.statistics import leader_of
from manyviews.compare.task import Split, Task
from manyviews.views import Views

#: Key of the plain way, by kind of task; what it is called, and the methods that go it.
PLAIN = {"classify": "concatenation", "cluster": "kmeans", "stream": "online_concatenation",
         "retrieve": "cca"}  # fmt: skip
PLAIN_WAY = dict.fromkeys(PLAIN, "Just concatenate") | {"retrieve": "Plain CCA will do"}
PLAIN_NAME = dict.fromkeys(PLAIN, "the best method on the concatenation") | {
    "retrieve": "the plain method"
}
#: Keys of controls that only guess.
GUESSES = ("majority", "chance", "online_majority", "last_label")


@dataclass
class Point:
    """One method at one place of a curve, on one split."""

    method: str
    at: float
    name: str
    split: Split
    shown: np.ndarray
    views: Views
    settings: dict[str, Any]
    score: float | None = None


@dataclass
class Curve:
    """Scores of some methods over a share."""

    title: str
    axis: str
    points: list[Point] = field(default_factory=list)

    def means(self) -> dict[str, list[tuple[float, float]]]:
        """Return method -> (place, mean score), where every split has answered."""
        found: dict[str, dict[float, list[float]]] = {}
        for point in self.points:
            if point.score is not None:
                found.setdefault(point.method, {}).setdefault(point.at, []).append(point.score)
        return {
            method: [(at, float(np.mean(values))) for at, values in sorted(places.items())]
            for method, places in found.items()
        }


@dataclass
class Comparison:
    """Everything a comparison found."""

    data: OwnData
    task: Task
    facts: Facts
    methods: dict[str, Method]
    skipped: list[str]
    records: list[dict[str, Any]] = field(default_factory=list)
    splits: list[Split] = field(default_factory=list)
    rounds: int = 0
    stop: str = ""
    failed: dict[str, str] = field(default_factory=dict)
    curves: list[Curve] = field(default_factory=list)

    def scores(self, metric: str | None = None) -> dict[str, np.ndarray]:
        """Return the scores of every method that answered on all splits, in the splits' order."""
        name = metric or self.task.metric
        names = [split.name for split in self.splits]
        found: dict[str, dict[str, float]] = {}
        for record in self.records:
            if record["error"] is None and name in record["scores"]:
                found.setdefault(record["method"], {})[record["split"]] = record["scores"][name]
        return {
            key: np.array([values[name] for name in names])
            for key, values in sorted(found.items())
            if len(values) == len(names)
        }

    def reference(self) -> str | None:
        """Return the best method on one table, which the others must beat; None if none ran."""
        plain = {key: s for key, s in self.scores().items() if self.methods[key].one_table}
        return leader_of(plain) if plain else None

    def by_method(self, key: str) -> list[dict[str, Any]]:
        """Return the records of one method."""
        return [record for record in self.records if record["method"] == key]
