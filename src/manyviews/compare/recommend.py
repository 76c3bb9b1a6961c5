"""Which methods to try on new data, learnt from comparisons on other data, with its own error.

A data set is a point of :func:`manyviews.compare.diagnose.diagnostics`; the advice is the mean rank
of the methods on the nearest data sets. Leaving each data set out in turn shows what the advice is
worth; where it is no better than plain concatenation, it says so.
"""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from manyviews.compare.advice import PLAIN
from manyviews.compare.reading.guard import DataError

#: Comparisons that came with the package, or in a clone those of its reports.
SHIPPED = Path(__file__).with_name("experience.csv")
if not SHIPPED.is_file():
    SHIPPED = Path(__file__).parents[3] / "reports" / "tables" / "then_and_now.csv"
#: Data sets whose experience is averaged.
NEAREST = 3
#: Plain concatenation in words.
PLAIN_WORDS = {
    "classify": "logistic regression on the concatenation",
    "cluster": "k-means on the concatenation",
    "retrieve": "plain CCA",
}
#: Keys of methods that are no advice.
_NO_ADVICE = ("majority", "chance", "single_view", "single_view_kmeans")


@dataclass(frozen=True)
class Experience:
    """One comparison that was made: what the data were like, and the methods' mean scores."""

    name: str
    task: str
    diagnostics: dict[str, float]
    scores: dict[str, float]
    data: str = ""

    @property
    def corpus(self) -> str:
        """Where the data are from: editions of one corpus begin alike (``cora``, ``cora_tree``)."""
        return re.split(r"[._]", self.data or self.name)[0]

    def loss(self, methods: Sequence[str]) -> float:
        """Return how far the first of some methods that ran is behind the best."""
        chosen = (self.scores[m] for m in methods if m in self.scores)
        return max(self.scores.values()) - next(chosen, min(self.scores.values()))


@dataclass(frozen=True)
class Recommendation:
    """Methods in the order to try them, from which data sets, and what the advice is worth."""

    methods: list[str]
    nearest: list[str]
    regret: float
    plain_regret: float
    n_sets: int

    @property
    def helps(self) -> bool:
        """Whether the advice loses less than plain concatenation."""
        return self.regret < self.plain_regret

    def sentence(self, task: str) -> str:
        """Return the advice with its error."""
        plain = PLAIN_WORDS[task]
        worth = (
            f"Left out one by one, {self.n_sets} data sets lose {100 * self.regret:.1f} points to "
            f"their best method by this advice and {100 * self.plain_regret:.1f} by {plain} alone."
        )
        if not self.helps:
            return f"Just start with {plain}: what helped on other data is no better. {worth}"
        near = ", ".join(self.nearest)
        return f"Try {', '.join(self.methods[:3])}: they did best on {near}. {worth}"


def experience_of(rows: Iterable[Mapping[str, str]]) -> list[Experience]:
    """Return comparisons from the rows of a table: a row a method or diagnostic.

    Its columns are ``comparison``, ``data``, ``task``, ``kind`` (``method`` or ``diagnostic``),
    ``name``, and ``score`` (of a method, 0 to 1, larger is better) or ``value`` (of a diagnostic).
    """
    found: dict[tuple[str, str], Experience] = {}
    for row in rows:
        name, task = row["comparison"], row["task"]
        one = found.setdefault((name, task), Experience(name, task, {}, {}, row["data"]))
        if row["kind"] == "diagnostic":
            one.diagnostics[row["name"]] = float(row["value"])
        elif row["name"].partition(".")[0] not in _NO_ADVICE:
            one.scores[row["name"]] = float(row["score"])
    return list(found.values())


def read_experience(path: str | Path) -> list[Experience]:
    """Read comparisons that were made, from the table of the page "Then and now"."""
    with open(path, encoding="utf-8", newline="") as file:
        return experience_of(csv.DictReader(file))


def nearest_sets(
    experience: Sequence[Experience], diagnostics: Mapping[str, float]
) -> list[Experience]:
    """Return the data sets whose standardised diagnostics are nearest."""
    names = sorted(diagnostics)
    table = np.array([[one.diagnostics[name] for name in names] for one in experience])
    spread = table.std(axis=0)
    own = np.array([diagnostics[name] for name in names])
    distance = np.linalg.norm((table - own) / np.where(spread > 0, spread, 1.0), axis=1)
    order = sorted(range(len(experience)), key=lambda i: (distance[i], experience[i].name))
    return [experience[i] for i in order[:NEAREST]]


def ranked(experience: Sequence[Experience]) -> list[str]:
    """Return the methods by their mean loss to the best method of each data set."""
    losses: dict[str, list[float]] = {}
    for one in experience:
        for method in one.scores:
            losses.setdefault(method, []).append(one.loss([method]))
    full = {m: v for m, v in losses.items() if len(v) == len(experience)} or losses
    return sorted(full, key=lambda m: (float(np.mean(full[m])), m))


def recommend(
    experience: Sequence[Experience], task: str, diagnostics: Mapping[str, float]
) -> Recommendation:
    """Return what to try on data of some diagnostics, with the error of leaving one set out."""
    known = [one for one in experience if one.task == task]
    if len(known) <= NEAREST:
        what = f"{len(known)} comparisons of this task are too few to learn from"
        raise DataError(f"{what}; {NEAREST + 1} are needed")
    regrets = []
    for one in known:  # all that is known of its data is left out, whatever else they were asked
        others = [other for other in known if other.corpus != one.corpus]
        regrets.append(one.loss(ranked(nearest_sets(others, one.diagnostics))))
    plain = float(np.mean([one.loss([PLAIN[task]]) for one in known]))
    near = nearest_sets(known, diagnostics)
    names = [one.name for one in near]
    return Recommendation(ranked(near), names, float(np.mean(regrets)), plain, len(known))
