"""Views, partitions, fits and scores of the paper, whichever table asks for them.

The library is imported where it is called: every plan reads this file, few need the estimators.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from manyviews.preprocessing.sparse import binarise, document_frequency
from manyviews.seeding import generator
from reproduction.papers.multiview_hier import settings as mh
from reproduction.results.draws import draw_per_class
from reproduction.results.jobs import stopwatch

if TYPE_CHECKING:
    from manyviews.models.multiview_kmeans import MultiViewKMeans
    from manyviews.models.spherical_view import SphericalView
    from reproduction.data.format import MultiViewData
    from reproduction.results.cases import Plan
    from reproduction.results.study import Protocol
    from reproduction.results.tables import Column

#: What Table 2 takes where the paper leaves a choice open, and what print does not vary: the pair
#: of views ("" for the declared one), how their files are joined, ...; the last two of MAXAGREE.
TAKEN: Mapping[str, Any] = {
    "pair": "", "join": "class", "words": "as released", "centroids": "unit rows",
    "concat": "raw", "draw": "per class", "cotrain_order": "simultaneous", "readout": "auto",
    "zero_products": "lowest class", "first_class": "", "missing": "auto", "alphas": None,
}  # fmt: skip
#: Methods, or a mapping that shows one under the name of another.
Methods = Sequence[str] | Mapping[str, str]
#: How rows of the views are joined -> variant of the data set; one has more rows.
JOINS = {"class": "", "line": "by_line", "more rows": "all_classes"}


@dataclass
class Prepared:
    """A data set, two views of it with unit rows, and their concatenation, shared by all fits."""

    data: MultiViewData
    pair: list[SphericalView]
    both: SphericalView

    @classmethod
    def of(cls, data: MultiViewData, Xs: Sequence[Any]) -> Prepared:
        """Prepare two matrices."""
        from manyviews.models.spherical_view import concatenated, prepare_views

        pair = prepare_views(list(Xs))
        return cls(data, pair, concatenated(pair))

    def for_method(self, combine: str) -> list[SphericalView]:
        """Return what the estimator gets (the concatenation is made once, not per fit)."""
        return [self.both] if combine == "concat" else self.pair


def one_plus_idf(X: Any) -> Any:
    """Return X with columns weighted 1 + log(n / df)."""
    frequency = np.maximum(document_frequency(X), 1)
    return sp.csr_matrix(X @ sp.diags(1.0 + np.log(X.shape[0] / frequency)))


def views(
    files: Mapping[str, MultiViewData], pair: str, join: str, words: str, centroids: str,
    concat: str,
) -> Prepared:  # fmt: skip
    """Return two views: the declared ones, others (``a+b``), or another second one (``b``)."""
    from manyviews.models.spherical_view import SphericalView, concatenated

    source = files[JOINS[join]]
    first, second = mh.VIEWS[source.name.partition(".")[0]]
    Xs = source.Xs(*(pair.split("+") if "+" in pair else (first, pair or second)))
    if words != TAKEN["words"]:
        Xs[0] = {"0/1": binarise, "1+idf": one_plus_idf}[words](Xs[0])
    # by line or by class, the rows are the same and so are their labels
    made = Prepared.of(files[""] if join == "line" else source, Xs)
    if centroids == "raw rows":  # sums of the rows as they are, not of unit rows
        made.pair = [SphericalView(X, sum_raw=True) for X in Xs]
        made.both = SphericalView(concatenated(made.pair).raw, sum_raw=True)
    if concat == "scaled views":
        made.both = concatenated(made.pair, scaled=True)
    return made


@dataclass
class Found:
    """Labels that a method gives to all rows, and what is told of its fit."""

    labels: np.ndarray
    facts: Mapping[str, float] = field(default_factory=dict)
    flips: Sequence[int] = ()

    @classmethod
    def of(
        cls, model: MultiViewKMeans, labels: np.ndarray, sets: np.ndarray, **facts: float
    ) -> Found:
        """Take from a model what rows need; the model itself is large."""
        facts["iterations"] = float(model.n_iter_)
        facts["views_disagree_pct"] = 100 * float((sets != sets[:, :1]).any(axis=(1, 2)).mean())
        return cls(labels, facts, model.flips_)


@dataclass
class Draw:
    """One random partition: classes, which of them are known, and fits that answers share.

    ``seed`` has the names that the seeds of guesses begin with.
    """

    views: Prepared
    y: np.ndarray
    known: np.ndarray
    seed: tuple[str, ...] = ()
    fits: dict[Any, Found] = field(default_factory=dict)

    @property
    def given(self) -> np.ndarray:
        """Class of the labelled rows, -1 for all others: what a method may see."""
        return np.where(self.known, self.y, -1)

    def rows(self, scored: str) -> np.ndarray:
        """Return the mask of the rows that are scored."""
        if scored == mh.LINKED:
            return np.diff(self.views.pair[1].X.indptr) > 0
        return ~self.known if scored == mh.UNLABELLED else np.ones(self.y.size, dtype=bool)

    def keep(self, labels: np.ndarray) -> np.ndarray:
        """Return labels with those that were given."""
        return np.where(self.known, self.y, labels)

    def model(
        self, method: str, iterations: int, first: int = 0, **options: Any
    ) -> MultiViewKMeans:
        """Fit a flat method to classes in an order in which ``first`` comes first."""
        from manyviews.models.multiview_kmeans import MultiViewKMeans

        combine, count = mh.FLAT_METHODS[method], len(self.views.data.class_names)
        turned = np.where(self.known, (self.y - first) % count, -1)
        model = MultiViewKMeans(combine, max_iter=iterations, **options)
        return model.fit(self.views.for_method(combine), turned)

    def flat(self, method: str, iterations: int, first_class: str = "", **options: Any) -> Found:
        """Return what a flat method finds; it is fitted once."""
        key = (method, iterations, first_class, repr(options))
        if key not in self.fits:
            names = self.views.data.class_names
            first = names.index(first_class) if first_class else 0
            with stopwatch() as watch:
                model = self.model(method, iterations, first, **options)
            labels, sets = (model.labels_ + first) % len(names), model.label_sets_[~self.known]
            self.fits[key] = Found.of(model, labels, sets, seconds=watch.seconds)
        return self.fits[key]

    def differing(self, one: Found, two: Found) -> float:
        """Return the share of unlabelled points with other labels, in per cent."""
        same = one.labels == two.labels
        return 100 * (1 - float(same[~self.known].mean()))


def named(share: float) -> str:
    """Return the name of a training share in seeds; its form decides the draws."""
    return f"train={share:g}%"


def levels(data: MultiViewData) -> list[int | None]:
    """Return the levels of a tree below its root, which is level 1; a flat data set has none."""
    from manyviews.assignment.ontology import Ontology

    if data.ontology is None:
        return [None]
    return list(range(2, int(Ontology(data.ontology).depth.max()) + 2))


def labels_at(data: MultiViewData, level: int | None) -> np.ndarray:
    """Return each row's class, or the class above it at a level of the tree."""
    from manyviews.assignment.ontology import Ontology

    if level is None:
        return data.labels
    ontology = Ontology(data.ontology or {})
    above = [ontology.above[ontology.index[name]] for name in data.class_names]
    column = [int(np.flatnonzero(each & (ontology.depth == level - 1))[0]) for each in above]
    return np.unique(column, return_inverse=True)[1][data.labels]


def draw_over_all(y: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Return labelled points drawn over all classes together (one per class made sure)."""
    order = rng.permutation(y.size)
    known = np.zeros(y.size, dtype=bool)
    known[order[: round(share / 100 * y.size)]] = True
    for c in np.setdiff1d(np.unique(y), np.unique(y[known])):
        known[order[np.flatnonzero(y[order] == c)[0]]] = True
    return known


def partition(
    views: Prepared, run: int, seeded: Any, share: float, level: int | None, draw: str
) -> Draw:
    """Label a share of the points, of every class or over all; every job draws the same ones."""
    y, per_class = labels_at(views.data, level), draw == TAKEN["draw"]
    names = (named(share) if per_class else f"uniform {share:g}%", run)
    own = (views.data.name,) if "." in views.data.name else ()
    rng = seeded(*own, *names)  # refuses what was asked for before
    if own:  # a variant with other rows has draws of its own
        rng = generator(mh.PAPER, *own, *names)
    if per_class:
        known = draw_per_class(y, share / 100, rng, rounding="round")
    else:
        known = draw_over_all(y, share, rng)
    return Draw(views, y, known, ("" if level is None else f"NELL_mv level={level}",))


def fit_flat(
    part: Draw, iterations: int, cotrain_order: str, readout: str, zero_products: str,
    first_class: str, missing: str, alphas: tuple[float, float, float] | None, *, method: str,
) -> Found:  # fmt: skip
    """Fit a flat method; the estimator is told what differs from its defaults."""
    asked = {
        "cotrain_order": cotrain_order, "readout": readout, "zero_products": zero_products,
        "missing": missing, "alphas": alphas,
    }  # fmt: skip
    options = {name: value for name, value in asked.items() if value != TAKEN[name]}
    return part.flat(method, iterations, first_class, **options)


def counts(part: Draw) -> np.ndarray:
    """Return how many labelled points every class has."""
    return np.bincount(part.y[part.known], minlength=int(part.y.max()) + 1)


def guess(part: Draw, run: int, seeded: Any, share: float) -> Found:
    """Guess by the sizes of the labelled classes."""
    sizes, rng = counts(part), seeded(*part.seed, named(share), run, "control")
    return Found(part.keep(rng.choice(sizes.size, size=part.y.size, p=sizes / sizes.sum())))


def f1_pct(part: Draw, answer: Found, scored: str, *, average: str = mh.MACRO) -> float:
    """Return macro or micro F1 in per cent."""
    from manyviews import metrics

    score = metrics.macro_f1 if average == mh.MACRO else metrics.micro_f1
    rows = part.rows(scored)
    return 100 * score(part.y[rows], answer.labels[rows])


def agreement(part: Draw, answer: np.ndarray, scored: str) -> float:
    """Return the share of points on which the single views agree."""
    return float(answer[part.rows(scored)].mean())


def add_flat(protocol: Protocol) -> None:
    """Declare flat methods, controls, the views' agreement and how they are measured."""
    for name in mh.FLAT_NAMES:
        protocol.method(name)(partial(fit_flat, method=name))
    protocol.method("majority", "control")(lambda part: Found(part.keep(counts(part).argmax())))
    protocol.method("random", "control")(guess)
    protocol.method(mh.BOTH_VIEWS)(
        lambda part, iterations: (
            part.flat("V1", iterations).labels == part.flat("V2", iterations).labels
        )
    )
    for name in mh.SCORES:
        protocol.metric(name)(partial(f1_pct, average=name))
    protocol.metric(mh.AGREEMENT)(agreement)
    add_facts(protocol, "seconds", "iterations", "views_disagree_pct")


def fact(part: Draw, answer: Found, *, name: str) -> float:
    """Return what a fit tells itself."""
    return answer.facts[name]


def add_facts(protocol: Protocol, *names: str) -> None:
    """Declare metrics that a fit tells itself."""
    for name in names:
        protocol.metric(name)(partial(fact, name=name))


def table(
    protocol: Protocol, name: str, methods: Methods, vary: Mapping[str, Any], *,
    columns: Mapping[str, Column] = mh.COLUMNS, given: Mapping[str, Any] | None = None, **how: Any,
) -> Plan:  # fmt: skip
    """Declare a table with ``columns`` of what it varies; the rest is as in Table 2, or given."""
    rest = {setting: value for setting, value in TAKEN.items() if setting not in vary}
    shown = {setting: column for setting, column in columns.items() if setting in vary}
    given = {**rest, **(given or {})}
    return protocol.table(name, methods, vary=vary, given=given, columns=shown, **how)


def scores(
    protocol: Protocol, name: str, methods: Methods, vary: Mapping[str, Any],
    metrics: Sequence[str] = mh.SCORES, both: str = mh.BOTH_VIEWS, **how: Any,
) -> Plan:  # fmt: skip
    """Declare the scores of methods, and beside them on how many points the single views agree."""
    plan = table(protocol, name, methods, vary, metrics=metrics, **how)
    table(protocol, name, {mh.BOTH_VIEWS: both}, vary, metrics=[mh.AGREEMENT], **how)
    return plan
