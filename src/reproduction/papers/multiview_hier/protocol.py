"""The protocol of the paper, in one place: views, partitions, methods, scoring, ranks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from manyviews.assignment.ontology import Ontology
from manyviews.metrics import macro_f1, micro_f1
from manyviews.models.multiview_kmeans import MultiViewKMeans
from manyviews.models.spherical_view import SphericalView, concatenated, prepare_views
from manyviews.preprocessing.sparse import tfidf
from manyviews.seeding import generator
from reproduction.data.format import MultiViewData
from reproduction.papers.multiview_hier import PAPER
from reproduction.papers.multiview_hier.columns import ALL_POINTS, UNLABELLED
from reproduction.papers.multiview_hier.methods import (
    FLAT_METHODS,
    FLAT_NAMES,
    MACRO,
    MICRO,
    VIEWS,
    WEIGHTED,
)
from reproduction.results.draws import draw_per_class
from reproduction.results.jobs import stopwatch
from reproduction.results.rows import INFERRED, Row


@dataclass
class Prepared:
    """Two prepared views of a data set and their concatenation, shared by all fits."""

    pair: list[SphericalView]
    both: SphericalView

    @classmethod
    def of(cls, Xs: Iterable[Any]) -> "Prepared":
        """Prepare two matrices."""
        pair = prepare_views(list(Xs))
        return cls(pair, concatenated(pair))

    def for_method(self, combine: str) -> list[SphericalView]:
        """Return what the estimator gets (the concatenation is made once, not per fit)."""
        return [self.both] if combine == "concat" else self.pair


@dataclass
class Fit:
    """A fitted model with the time it took."""

    model: MultiViewKMeans
    seconds: float

    @property
    def labels(self) -> np.ndarray:
        """Labels of all rows."""
        return self.model.labels_

    @property
    def iterations(self) -> float:
        """Iterations of EM."""
        return float(self.model.n_iter_)


def paper_views(data: MultiViewData) -> Prepared:
    """Return the two views declared for a data set."""
    return Prepared.of(paper_matrices(data))


def paper_matrices(data: MultiViewData) -> list[sp.csr_matrix]:
    """Return the matrices of those views."""
    Xs = data.Xs(*VIEWS[data.name])
    return [tfidf(X) for X in Xs] if data.name in WEIGHTED else Xs


def share_name(percent: float) -> str:
    """Return the name of a training share that keys the seeds."""
    return f"train={percent:g}%"


def partition(dataset: str, percent: float, run: int, y: np.ndarray) -> np.ndarray:
    """Return the mask of labelled points: round(p n_c) of every class, at least one."""
    rng = generator(PAPER, dataset, share_name(percent), run)
    return draw_per_class(y, percent / 100, rng, rounding="round")


@dataclass(frozen=True)
class Target:
    """What a data set is labelled with: its classes, or those at one level of its tree."""

    level: int | None
    y: np.ndarray
    names: list[str]

    @property
    def name(self) -> str:
        """Name that keys the seeds; empty for a flat data set."""
        return "" if self.level is None else f"NELL_mv level={self.level}"


def labels_at_level(data: MultiViewData, level: int) -> Target:
    """Return each row's label at a level of the tree (the root is level 1)."""
    assert data.ontology is not None
    ontology = Ontology(data.ontology)
    column = []
    for name in data.class_names:
        above = ontology.above[ontology.index[name]]
        column.append(int(np.flatnonzero(above & (ontology.depth == level - 1))[0]))
    used = sorted(set(column))
    of_leaf = np.array([used.index(c) for c in column])
    return Target(level, of_leaf[data.labels], [ontology.names[c] for c in used])


def targets(data: MultiViewData) -> list[Target]:
    """Return what Table 2 has for a data set; a tree gives every level below the root."""
    if data.ontology is None:
        return [Target(None, data.labels, data.class_names)]
    depth = int(Ontology(data.ontology).depth.max())
    return [labels_at_level(data, level) for level in range(2, depth + 2)]


@dataclass(frozen=True)
class Case:
    """One random partition: labels, which of them are known, share in per cent and run."""

    target: Target
    percent: float
    run: int
    known: np.ndarray

    @property
    def y(self) -> np.ndarray:
        """True class of every row."""
        return self.target.y

    @property
    def given(self) -> np.ndarray:
        """Class of the labelled rows, -1 for all others: what a method may see."""
        return np.where(self.known, self.y, -1)


def cases(
    dataset: str, target: Target, shares: Sequence[float], runs: Iterable[int]
) -> Iterator[Case]:
    """Yield the partitions of a data set; all jobs draw the same ones."""
    for percent in shares:
        for run in runs:
            yield Case(target, percent, run, partition(dataset, percent, run, target.y))


def fit(combine: str, prepared: Prepared, y: Any, **options: Any) -> Fit:
    """Fit one method and time it."""
    model = MultiViewKMeans(combine, **options)
    with stopwatch() as watch:
        model.fit(prepared.for_method(combine), y)
    return Fit(model, watch.seconds)


def fit_flat(
    prepared: Prepared,
    given: np.ndarray,
    max_iter: int,
    methods: Iterable[str] = FLAT_NAMES,
    **options: Any,
) -> dict[str, Fit]:
    """Fit flat methods on the same labelled points (``given`` is -1 for the others)."""
    return {
        name: fit(FLAT_METHODS[name], prepared, given, max_iter=max_iter, **options)
        for name in methods
    }


def score(
    table: str,
    at: Mapping[str, Any],
    method: str,
    truth: np.ndarray,
    guess: np.ndarray,
    known: np.ndarray,
    *,
    run: int,
    reading: str = INFERRED,
    role: str = "published",
    seconds: float = nan,
    iterations: float = nan,
) -> list[Row]:
    """Return macro and micro F1 in percent, over all points and over the unlabelled ones."""
    rows = []
    for scored, mask in ((ALL_POINTS, np.ones(truth.size, dtype=bool)), (UNLABELLED, ~known)):
        for metric, measure in ((MACRO, macro_f1), (MICRO, micro_f1)):
            value = 100 * measure(truth[mask], guess[mask])
            place = {**at, "scored": scored}
            rows.append(Row(table, place, method, metric, value, reading, run, role))
    # one row carries what the fit took
    rows[0].seconds, rows[0].iterations = seconds, iterations
    return rows


def agreement(one: np.ndarray, two: np.ndarray, known: np.ndarray) -> dict[str, float]:
    """Return the share of equal labels, over all points and over the unlabelled ones."""
    same = one == two
    return {ALL_POINTS: float(same.mean()), UNLABELLED: float(same[~known].mean())}


def controls(
    y: np.ndarray, known: np.ndarray, seed: tuple[str | int, ...]
) -> dict[str, np.ndarray]:
    """Return what needs no features: the largest labelled class, and a draw from their shares."""
    counts = np.bincount(y[known], minlength=int(y.max()) + 1)
    rng = generator(PAPER, *seed, "control")
    majority = np.full(y.size, counts.argmax())
    drawn = rng.choice(counts.size, size=y.size, p=counts / counts.sum())
    return {"majority": np.where(known, y, majority), "random": np.where(known, y, drawn)}


def statistics(data: MultiViewData, prepared: Prepared) -> list[Row]:
    """Return Table 1's row of the data set, and how many rows of a view are empty."""
    sizes = {"documents": data.n_rows, "classes": len(data.ontology or data.class_names)}
    rows = [Row("1", {}, "data set", metric, float(size)) for metric, size in sizes.items()]
    names = VIEWS[data.name]
    for place, (name, view) in enumerate(zip(names, prepared.pair, strict=True), start=1):
        facts = {
            "features": view.shape[1],
            "non_zeros": view.X.nnz,
            "empty_rows": int((np.diff(view.X.indptr) == 0).sum()),
        }
        at = {"place": place, "view": name}
        rows += [Row("1", at, "view", metric, float(fact)) for metric, fact in facts.items()]
    return rows


def average_ranks(
    rows: pd.DataFrame, methods: Sequence[str], case: Sequence[str]
) -> dict[str, float]:
    """Return each method's rank averaged over test cases, then over macro and micro F1.

    The columns ``case`` make a test case; its scores are means over the partitions, rank 1 is the
    best, and equal scores share the mean of their ranks.
    """
    ranked = []
    for metric in (MACRO, MICRO):
        part = rows[(rows["metric"] == metric) & rows["method"].isin(list(methods))]
        means = part.groupby([*case, "method"], sort=True)["value"].mean().unstack("method")
        if means.empty or means.isna().any().any():
            raise ValueError(f"some method lacks {metric} rows; average ranks need all of them")
        # rounding keeps methods that gave the same labels tied whatever the order of the sums
        ranks = means.round(9).rank(axis=1, ascending=False, method="average")
        ranked.append(ranks.mean(axis=0))
    total = (ranked[0] + ranked[1]) / 2
    return {method: float(total[method]) for method in methods}
