"""What a comparison found, and what to use: the leader if it is really ahead of one table."""

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
        found = {
            key: {r["split"]: r["scores"][name] for r in self.by_method(key) if name in r["scores"]}
            for key in sorted(self.methods)
        }
        return {
            key: np.array([values[split.name] for split in self.splits])
            for key, values in found.items()
            if len(values) == len(self.splits) > 0
        }

    def reference(self) -> str | None:
        """Return the best method on one table, which the others must beat; None if none ran."""
        plain = {key: s for key, s in self.scores().items() if self.methods[key].one_table}
        return leader_of(plain) if plain else None

    def by_method(self, key: str) -> list[dict[str, Any]]:
        """Return the records of one method where it answered."""
        return [r for r in self.records if r["method"] == key and r["error"] is None]

    def rows_of(self, record: dict[str, Any]) -> np.ndarray:
        """Return the test rows of a record."""
        return next(split.test for split in self.splits if split.name == record["split"])

    def seconds(self, key: str) -> float:
        """Return the mean processor seconds of a fit with its tuning."""
        times = [r["tune_seconds"] + r["fit_seconds"] for r in self.by_method(key)]
        return float(np.mean(times))
