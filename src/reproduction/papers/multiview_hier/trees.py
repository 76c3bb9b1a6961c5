"""Trees of classes (Table 4, Figures 8 to 11), and the check of the solvers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from manyviews.preprocessing.sparse import tfidf
from manyviews.seeding import generator
from reproduction.papers.multiview_hier import protocol as base
from reproduction.papers.multiview_hier import settings as mh
from reproduction.results.draws import draw_per_class
from reproduction.results.jobs import stopwatch
from reproduction.results.rows import INFERRED
from reproduction.results.study import Protocol

if TYPE_CHECKING:
    from manyviews.assignment.ontology import Ontology
    from manyviews.assignment.problem import LabelSetProblem
    from reproduction.data.format import MultiViewData

#: Stand-ins whose released views are plain word counts; they get tf-idf weights, because the
#: commonest words of running text would drown everything else.
WEIGHTED = ("newsgroups_tree", "amazon_tree")
#: Shares of unlabelled points whose label sets look so.
SETS = ("violating_sets_pct", "views_disagree_pct", "no_leaf_pct", "several_leaves_pct")


def sample(data: MultiViewData, per_class: int) -> MultiViewData:
    """Return at most so many rows of every class, drawn once for all runs."""
    if np.bincount(data.labels).max() <= per_class:
        return data
    rng = generator(mh.PAPER, data.name, "rows per leaf")
    members = [np.flatnonzero(data.labels == c) for c in range(len(data.class_names))]
    kept = [rng.permutation(each)[:per_class] for each in members]
    return data.subset(np.sort(np.concatenate(kept)))


def tree_views(data: MultiViewData, tree_rows: int) -> base.Prepared:
    """Return a tree's sampled documents, their words weighted where they are plain counts."""
    kept = sample(data, tree_rows)
    Xs = kept.Xs(*mh.VIEWS[data.name])
    return base.Prepared.of(kept, [tfidf(X) for X in Xs] if data.name in WEIGHTED else Xs)


@dataclass
class Leaves(base.Draw):
    """A partition whose classes are the leaves of a tree."""

    @cached_property
    def ontology(self) -> Ontology:
        """The tree."""
        from manyviews.assignment.ontology import Ontology

        return Ontology(self.views.data.ontology or {})

    @cached_property
    def columns(self) -> np.ndarray:
        """Column of every leaf in the ontology."""
        return np.array([self.ontology.index[name] for name in self.views.data.class_names])

    def hier(self, method: str, iterations: int, reading: str) -> base.Found:
        """Return what a Hier- method finds from the label sets of known rows; fitted once."""
        from manyviews.models.multiview_kmeans import MultiViewKMeans

        combine, own = mh.FLAT_METHODS[mh.COUNTERPART[method]], mh.CONSTRAINTS.get(reading, {})
        key = (method, iterations, reading)
        if key not in self.fits:
            model = MultiViewKMeans(combine, ontology=self.ontology, max_iter=iterations, **own)
            given = self.ontology.above[self.columns[self.y]] & self.known[:, None]
            with stopwatch() as watch:
                model.fit(self.views.for_method(combine), given)
            class_of = np.full(len(self.ontology), -1)
            class_of[self.columns] = np.arange(len(self.columns))
            sets = model.label_sets_[~self.known]
            broken = self.ontology.violations(sets, "ancestors", "disjoint").sum(axis=1) > 0
            leaves = sets[:, :, self.ontology.leaves].any(axis=1).sum(axis=1)
            looks = {
                "violating_sets_pct": broken, "no_leaf_pct": leaves == 0,
                "several_leaves_pct": leaves > 1,
            }  # fmt: skip
            facts = {name: 100 * float(points.mean()) for name, points in looks.items()}
            facts["seconds"] = watch.seconds
            self.fits[key] = base.Found.of(model, class_of[model.labels_], sets, **facts)
        return self.fits[key]


trees = Protocol(mh.PAPER, mh.TREES, mh.PaperSettings)
trees.views(tree_views)
base.add_flat(trees)


@trees.split
def leaves(views: base.Prepared, run: int, seeded: Any, share: float) -> Leaves:
    """Label a share of the documents of every leaf."""
    y, rng = views.data.labels, seeded(base.named(share), run)
    return Leaves(views, y, draw_per_class(y, share / 100, rng, rounding="round"))


def fit_hier(part: Leaves, iterations: int, constraints: str, *, method: str) -> base.Found:
    """Fit a Hier- method under a reading of the constraints."""
    return part.hier(method, iterations, constraints)


def compared(part: Leaves, iterations: int, constraints: str, *, method: str) -> base.Found:
    """Tell how far a Hier- method is from another reading of the constraints, or the flat one."""
    own = part.hier(method, iterations, INFERRED)
    if constraints == INFERRED:
        what, other = "differs_from_flat_pct", part.flat(mh.COUNTERPART[method], iterations)
    else:
        what, other = f"changed_by_{constraints}_pct", part.hier(method, iterations, constraints)
    return base.Found(own.labels, {what: part.differing(own, other)})


for _name in mh.HIER_NAMES:
    trees.method(_name)(partial(fit_hier, method=_name))
    trees.method(f"{_name}, compared")(partial(compared, method=_name))
base.add_facts(
    trees, *SETS, "differs_from_flat_pct", *(f"changed_by_{name}_pct" for name in mh.CONSTRAINTS)
)
trees.metric("documents")(lambda part, answer: part.y.size)


@trees.metric("bits_flipped", mh.ITERATION)
def flipped(part: Leaves, answer: base.Found) -> Iterator[tuple[dict[str, int], float]]:
    """Yield the label bits that flipped in every iteration (Figure 11 b)."""
    for i, bits in enumerate(answer.flips, start=1):
        yield {"iteration": i}, bits


SETS_TABLE = "extra:label_sets"
_every = [*mh.FLAT_NAMES, *mh.HIER_NAMES]
_compared = {name: f"{name}, compared" for name in mh.HIER_NAMES}
_shares: dict[str, Any] = {"share": "tree_train"}
_by: dict[str, Any] = {"runs": "tree_runs", "job": "table4", "given": {"constraints": INFERRED}}
_table: Callable[..., Any] = partial(base.table, trees, **_by)
base.scores(trees, "4", [*_every, *mh.CONTROLS], {**_shares, "scored": mh.BOTH}, **_by)
_table("time:4", _every, _shares, metrics=["seconds", "iterations", "documents"], timed=True)
_table(SETS_TABLE, mh.HIER_NAMES, _shares, metrics=SETS)
_table(SETS_TABLE, _compared, _shares, metrics=["differs_from_flat_pct"])
_shares = {"share": lambda tree_train: [max(tree_train)]}
_table("fig11b", _every, _shares, metrics=["bits_flipped"])

# other readings of the constraints, at the shares of Table 2 and on few partitions
_shares = {"share": lambda tree_train, train: [share for share in tree_train if share in train]}
for _name in mh.CONSTRAINTS:
    _table = partial(_table, runs="constraint_runs", given={"constraints": _name})
    _both = {**_shares, "scored": mh.BOTH}
    _table("4", mh.HIER_NAMES, _both, metrics=mh.SCORES, reading=_name)
    _table(SETS_TABLE, mh.HIER_NAMES, _shares, metrics=SETS, reading=_name)
    _table(SETS_TABLE, _compared, _shares, metrics=[f"changed_by_{_name}_pct"])


def details(data: MultiViewData, tree_rows: int) -> dict[str, Any]:
    """Return the sizes of the leaves (Figure 10 b)."""
    kept = sample(data, tree_rows)
    sizes = np.bincount(kept.labels).tolist()
    return {"leaf_frequency": dict(zip(kept.class_names, sizes, strict=True))}


# -- the exact solvers against cvxpy with HiGHS on a fixed sample of real E-step problems
#
# They are those of the first E-step at the first training share, partition 0: cosines of unlabelled
# points with the centroids of the labelled ones. For each programme ``extra:mip_check`` has the
# points, the share whose objectives agree to 1e-9 and the largest difference; ``time:mip_check``
# the seconds per point of every solver.

TOLERANCE = 1e-9
#: Trees with more labels are checked with parent edges and siblings only: all disjoint pairs would
#: be tens of thousands of slack variables per point.
MANY_LABELS = 40
#: cvxpy needs seconds per point on trees with more labels; a fifth (a tenth) of the points does.
SOME_LABELS = 15
#: The exact solver is timed on so many points at once, as an E-step would call it.
TIMED = 20_000
#: Documents kept of every class, drawn once.
ROWS = 200
FACTS = ("points", "cvxpy_agrees_pct", "batch_agrees_pct", "largest_difference", "labels")
TIMES = ("cvxpy_ms_per_point", "batch_ms_per_point", "exact_ms_per_point", "speed_ratio")


def first_scores(part: Leaves, sets: np.ndarray) -> np.ndarray:
    """Return the cosines (points, views, labels) of unlabelled points in the first E-step."""
    from manyviews.models.spherical_view import ViewState

    scores = []
    for view in part.views.pair:
        state = ViewState(view, sets.shape[1])
        state.update(sets & part.known[:, None])
        scores.append(state.scores[~part.known])
    return np.stack(scores, axis=1)


def programme(part: Leaves, method: str) -> tuple[LabelSetProblem, np.ndarray]:
    """Return the problem that the paper solves by MIP, and the scores of its points."""
    from manyviews.assignment.problem import LabelSetProblem

    if method == "MAXAGREE":
        flat = first_scores(part, np.eye(len(part.views.data.class_names), dtype=bool)[part.y])
        return LabelSetProblem.flat(flat.shape[2]), flat
    scores = first_scores(part, part.ontology.above[part.columns[part.y]])
    problem = LabelSetProblem.hierarchical(part.ontology, 2 if method == "Hier-MAXAGREE" else 1)
    if len(part.ontology) > MANY_LABELS:
        problem = replace(problem, subset="parents", mutex="siblings")
    if method == "Hier-MAXAGREE":
        return problem, scores
    join = np.sum if method == "Hier-SUMSCORE" else np.prod
    return problem, join(scores, axis=1, keepdims=True)


def checked(problem: LabelSetProblem, scores: np.ndarray, picked: np.ndarray) -> base.Found:
    """Compare and time all solvers of one programme on the picked points."""
    from manyviews.assignment.mip import CvxpyReference, solve_batch
    from manyviews.assignment.solvers import solve

    points = scores[picked]
    exact = solve(problem, points)  # loads the compiled kernels
    reference = CvxpyReference(problem)
    reference.solve(points[:1])  # states the programme
    enough = TIMED if scores[0].size < 100 else TIMED // 10
    many = np.resize(scores, (enough, *scores.shape[1:]))
    with stopwatch() as slow:
        labels = reference.solve(points)
    with stopwatch() as middle:
        batched = solve_batch(problem, points)
    with stopwatch() as fast:
        solve(problem, many)
    gaps = [np.abs(problem.objective(points, each) - exact.objective) for each in (labels, batched)]
    agree = [100 * float((gap <= TOLERANCE).mean()) for gap in gaps]
    largest = float(round(max(gap.max() for gap in gaps), 12))
    seconds = slow.seconds / len(points), middle.seconds / len(points), fast.seconds / len(many)
    facts = (len(points), *agree, largest, problem.n_labels)
    times = (*(1e3 * each for each in seconds), seconds[0] / seconds[2])
    return base.Found(picked, dict(zip((*FACTS, *TIMES), (*facts, *times), strict=True)))


def solved(part: Leaves, seeded: Any, mip_points: int, *, method: str) -> base.Found:
    """Check one method's programme on a sample of its points."""
    problem, scores = programme(part, method)
    size = mip_points
    if problem.ontology is not None and problem.n_labels > SOME_LABELS:
        size = max(1, size // (10 if problem.n_labels > MANY_LABELS else 5))
    rng = seeded(method, "mip_check")
    picked = rng.choice(len(scores), size=min(size, len(scores)), replace=False)
    return checked(problem, scores, np.sort(picked))


checks = Protocol(mh.PAPER, (*mh.FLAT, *mh.TREES), mh.PaperSettings)
checks.views(lambda data: tree_views(data, ROWS))
checks.split(leaves)
for _name in ("MAXAGREE", *mh.HIER_NAMES):
    checks.method(_name)(partial(solved, method=_name))
base.add_facts(checks, *FACTS, *TIMES)
for _methods, _datasets in ((["MAXAGREE"], checks.datasets), (mh.HIER_NAMES, mh.TREES)):
    for _name, _metrics in (("extra:mip_check", FACTS), ("time:mip_check", TIMES)):
        base.table(
            checks, _name, _methods, {"share": lambda train: train[:1]}, metrics=_metrics, runs=1,
            datasets=_datasets, job="mip_check", timed=_metrics is TIMES,
        )  # fmt: skip
