"""What a comparison found: scores, predictions, settings, times."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from manyviews.compare.method import Facts, Method
from manyviews.compare.reading.own import OwnData
from manyviews.compare.statistics import leader_of
from manyviews.compare.task import Split, Task

#: Key of the plain way, by kind of task; what it is called, and the methods that go it.
PLAIN = {"classify": "concatenation", "cluster": "kmeans", "retrieve": "cca"}
PLAIN_WAY = dict.fromkeys(PLAIN, "Just concatenate") | {"retrieve": "Plain CCA will do"}
PLAIN_NAME = dict.fromkeys(PLAIN, "the best method on the concatenation") | {
    "retrieve": "the plain method"
}
#: Keys of controls that only guess.
GUESSES = ("majority", "chance")


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
