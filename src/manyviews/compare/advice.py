"""What a comparison found, and what to use: its leader, or the best method on one table."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from manyviews.compare.method import Facts, Method
from manyviews.compare.reading.own import OwnData
from manyviews.compare.statistics import ALPHA, against, interval, leader_of
from manyviews.compare.task import Split, Task

#: Key of the plain way, by kind of task; what it is called, and the methods that go it.
PLAIN = {"classify": "concatenation", "cluster": "kmeans", "retrieve": "cca"}
PLAIN_WAY = dict.fromkeys(PLAIN, "Just concatenate") | {"retrieve": "Plain CCA will do"}
PLAIN_NAME = dict.fromkeys(PLAIN, "the best method on the concatenation") | {
    "retrieve": "the plain method"
}
#: Keys of controls that only guess.
GUESSES = ("majority", "chance")
#: Points (of a hundred) below which an advantage does not matter.
MATTERS = 0.005
NAMES = {"macro_f1": "macro F1", "nmi": "NMI", "silhouette": "silhouette", "accuracy": "accuracy",
         "map": "mean average precision"}  # fmt: skip


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


@dataclass(frozen=True)
class Advice:
    """The method to use, and why."""

    key: str
    sentence: str


def advise(found: Comparison) -> Advice:
    """Say what to use, by what margin, at what cost."""
    scores, overlap, metric = found.scores(), found.task.overlap, NAMES[found.task.metric]
    best, plain = leader_of(scores), found.reference()
    title = {key: found.methods[key].title for key in scores}
    own = {key: f"{metric} {interval(scores[key], overlap)}" for key in scores}
    spent = f"{found.seconds(best):.2g} CPU seconds a split with tuning"
    way, name = PLAIN_WAY[found.task.kind], PLAIN_NAME[found.task.kind]
    guesses = [key for key in GUESSES if key in scores]
    if best in guesses or any(against(scores, key, overlap)[best].p >= ALPHA for key in guesses):
        said = (
            f"Nothing to use: no method is clearly better than guessing. The best, {title[best]}, "
            f"reaches {own[best]}."
        )
        return Advice(best, said)
    if plain is None:
        return Advice(best, f"Use {title[best]}: {own[best]}, {spent}; {name} did not run.")
    if best == plain:
        said = (
            f"{way}: {title[best]} leads with {own[best]}; none of {len(scores)} methods does "
            f"better. It takes {spent}."
        )
        return Advice(best, said)
    margin = against(scores, plain, overlap)[best]
    cost = found.seconds(best) / max(found.seconds(plain), 1e-9)
    low, high = 100 * margin.low, 100 * margin.high
    ahead = f"{100 * margin.mean:.1f} points more ({low:.1f} to {high:.1f}, p = {margin.p:.2g})"
    price = f"{cost:.1f} times its time ({spent})"
    if margin.p < ALPHA and margin.mean >= MATTERS:
        said = f"Use {title[best]}: {own[best]}, {ahead} than {name} ({title[plain]}), at {price}."
        return Advice(best, said)
    said = (
        f"{way}: {title[plain]} reaches {own[plain]}. No difference that matters: {title[best]} "
        f"has {ahead}, at {price}."
    )
    return Advice(plain, said)
