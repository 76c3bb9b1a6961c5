"""The protocol of the paper, in one place: views, partitions, methods, scoring."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.metrics import macro_f1, micro_f1
from manyviews.models.multiview_kmeans import MultiViewKMeans
from manyviews.models.spherical_view import SphericalView, concatenated, prepare_views
from manyviews.preprocessing.sparse import tfidf
from manyviews.seeding import generator
from reproduction.data.format import MultiViewData
from reproduction.papers.multiview_hier.constants import (
    FLAT_METHODS,
    PAPER,
    UNLABELLED,
    VIEWS,
    WEIGHTED,
)
from reproduction.results.jobs import Row, draw_per_class, stopwatch


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


def paper_views(data: MultiViewData) -> Prepared:
    """Return the two views declared for a data set."""
    return Prepared.of(paper_matrices(data))


def paper_matrices(data: MultiViewData) -> list[sp.csr_matrix]:
    """Return the matrices of those views."""
    Xs = data.Xs(*VIEWS[data.name])
    return [tfidf(X) for X in Xs] if data.name in WEIGHTED else Xs


def partition(dataset: str, percent: float, run: int, y: np.ndarray) -> np.ndarray:
    """Return the mask of labelled points: round(p n_c) of every class, at least one."""
    rng = generator(PAPER, dataset, f"train={percent:g}%", run)
    return draw_per_class(y, percent / 100, rng, rounding="round")


def fit(combine: str, prepared: Prepared, y: Any, **options: Any) -> Fit:
    """Fit one method and time it."""
    model = MultiViewKMeans(combine, **options)
    with stopwatch() as watch:
        model.fit(prepared.for_method(combine), y)
    return Fit(model, watch.seconds)


def fit_flat(
    prepared: Prepared,
    y: np.ndarray,
    known: np.ndarray,
    max_iter: int,
    methods: Iterable[str] = tuple(FLAT_METHODS),
    **options: Any,
) -> dict[str, Fit]:
    """Fit flat methods on the same labelled points."""
    given = np.where(known, y, -1)
    return {
        name: fit(FLAT_METHODS[name], prepared, given, max_iter=max_iter, **options)
        for name in methods
    }


def score(
    table: str,
    setting: str,
    method: str,
    truth: np.ndarray,
    guess: np.ndarray,
    known: np.ndarray,
    *,
    run: int,
    label: str = "",
    reading: str = "paper",
    source: Fit | None = None,
) -> list[Row]:
    """Return macro and micro F1 in percent, over all points and over the unlabelled ones."""
    rows = []
    for scored, mask in (("", np.ones(truth.size, dtype=bool)), (UNLABELLED, ~known)):
        name = _joined(reading, scored)
        for metric, measure in (("macro_f1_pct", macro_f1), ("micro_f1_pct", micro_f1)):
            row = Row(
                table, setting, method, metric, 100 * measure(truth[mask], guess[mask]),
                reading=name, run=run, label=label,
            )  # fmt: skip
            if source is not None and not scored and metric == "macro_f1_pct":
                row.seconds, row.iterations = source.seconds, float(source.model.n_iter_)
            rows.append(row)
    return rows


def _joined(reading: str, scored: str) -> str:
    """Return the name of a reading; the declared one is called by its scoring alone."""
    if reading == "paper":
        return scored or "paper"
    return f"{reading},{scored}" if scored else reading


def agreement(one: np.ndarray, two: np.ndarray, known: np.ndarray) -> dict[str, float]:
    """Return the share of equal labels, over all points and over the unlabelled ones."""
    same = one == two
    return {"paper": float(same.mean()), UNLABELLED: float(same[~known].mean())}


def controls(
    y: np.ndarray, known: np.ndarray, seed: tuple[str | int, ...]
) -> dict[str, np.ndarray]:
    """Return what needs no features: the largest labelled class, and a draw from their shares."""
    counts = np.bincount(y[known], minlength=int(y.max()) + 1)
    rng = generator(PAPER, *seed, "control")
    majority = np.full(y.size, counts.argmax())
    drawn = rng.choice(counts.size, size=y.size, p=counts / counts.sum())
    return {
        "control:majority": np.where(known, y, majority),
        "control:random": np.where(known, y, drawn),
    }


def setting_name(percent: float) -> str:
    """Return the published name of a training share."""
    return f"train={percent:g}%"


def statistics(data: MultiViewData, prepared: Prepared) -> list[Row]:
    """Return Table 1's row of the data set, and how many rows of a view are empty."""
    rows = [
        Row("1", "all", "data set", "documents", float(data.n_rows)),
        Row("1", "all", "data set", "classes", float(len(data.ontology or data.class_names))),
    ]
    names = VIEWS[data.name]
    for number, (name, view) in enumerate(zip(names, prepared.pair, strict=True), start=1):
        facts = {
            "features": view.shape[1],
            "non_zeros": view.X.nnz,
            "empty_rows": int((np.diff(view.X.indptr) == 0).sum()),
        }
        rows += [Row("1", name, f"view {number}", metric, float(v)) for metric, v in facts.items()]
    return rows
