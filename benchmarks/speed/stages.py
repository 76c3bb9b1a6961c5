"""Where our own time goes, stage by stage: the profile behind a goal that is missed."""

from collections.abc import Callable, Iterator
from statistics import median

import numpy as np
import scipy.sparse as sp

from manyviews.assignment import flat
from manyviews.assignment.problem import TIE, LabelSetProblem
from manyviews.kernels import mvplsa
from manyviews.kernels.assignment_flat import two_views
from manyviews.kernels.passive_aggressive import MODES, pa_pass
from manyviews.kernels.spherical import WIDTH, centroid_scores
from manyviews.kernels.spherical_kmeans import nearest, unit_sums
from manyviews.models.factored_em import _View
from manyviews.models.multi_view_pa import MultiViewPassiveAggressive, side_by_side
from manyviews.models.online import csr_arrays, online_labels, online_view, online_views
from manyviews.preprocessing.sparse import row_normalise
from speed.measure import take_turns
from speed.online import stream
from speed.topics import corpus, problem_of

Stages = dict[str, Callable[[], object]]
REPEATS = 7


def _online(n: int) -> Iterator[tuple[str, Stages, int]]:
    """Rounds of the online learners, and what is checked before the first of them."""
    X, y = stream(n, 20_000, 100, 0)
    arrays, (codes, _) = csr_arrays(X), online_labels(y, n, binary=True)
    signs, order = 2.0 * codes - 1.0, np.arange(n)

    def rounds() -> None:
        pa_pass(*arrays, signs, order, np.zeros(X.shape[1]), 0.1, MODES["PA-I"], np.empty(0))

    checks: Stages = {
        "checking the matrix": lambda: online_view(X, "X"),
        "checking the labels": lambda: online_labels(y, n, binary=True),
    }
    yield "PassiveAggressive, one row", {"rounds": rounds, **checks}, n
    views = [X[:, :10_000].tocsr(), X[:, 10_000:].tocsr()]
    model = MultiViewPassiveAggressive(C=0.1, gamma=0.05, shuffle=False).fit(views, y)
    joined: Stages = {
        "rounds, and joining the views": lambda: model._rounds(views, codes, order),
        "of which joining the views": lambda: side_by_side(views),
        "checking the matrices": lambda: online_views(views),
        "checking the labels": checks["checking the labels"],
    }
    yield "MultiViewPassiveAggressive, one row", joined, n


def _label_sets(n: int) -> Iterator[tuple[str, Stages, int]]:
    problem = LabelSetProblem.flat(100)
    scores = np.random.default_rng(0).random((n, 2, 100))
    labels = flat.solve_flat(problem, scores)
    a1, a2, _ = problem.alphas
    stages: Stages = {
        "are all scores finite?": lambda: problem.check_scores(scores),
        "smallest and largest score: is the closed form proved?": lambda: flat.obstacle(
            problem, scores
        ),
        "largest scores and their labels": lambda: two_views(
            scores, a1, a2, TIE, np.zeros(scores.shape, dtype=bool)
        ),
        "objective, computed again from the labels": lambda: problem.value(scores, labels),
    }
    yield "flat MAXAGREE, 100 labels, one point", stages, n


def _clusters(rows: int, words: int, length: int) -> Iterator[tuple[str, Stages, int]]:
    k = 20
    X = row_normalise(corpus(rows, words, length))
    for name, A in (("sparse rows", X), ("400 columns", row_normalise(X[:, :400].tocsr()))):
        columns, table = A.T.tocsr(), np.random.default_rng(0).random(A.shape[1] * k + WIDTH)
        scores, out = np.empty((A.shape[0], k)), np.empty((A.shape[1], k))
        labels = np.random.default_rng(1).integers(0, k, A.shape[0])

        def stages(A=A, columns=columns, table=table, scores=scores, labels=labels, out=out):
            best = np.empty(A.shape[0])
            return {
                "dot products with the centroids": lambda: centroid_scores(
                    A.indptr, A.indices, A.data, table, np.arange(k), scores
                ),
                "nearest centroid": lambda: nearest(scores, labels.copy(), best),
                "sums of the clusters": lambda: unit_sums(
                    columns.indptr, columns.indices, columns.data, labels, out
                ),
            }

        yield f"SphericalKMeans, {name}, one iteration", stages(), 1


def _mvplsa(n: int, f: int) -> Iterator[tuple[str, Stages, int]]:
    Xs, p_zd, _, p_fy, p_yz = problem_of(n, f, 80, 20, 20)
    view = _View(sp.csr_matrix(Xs[0]), 1.0, p_fy[0], p_yz[0])
    documents, A = p_zd.copy(), np.zeros_like(p_zd)
    view.step(documents, A, False)
    stages: Stages = {
        "all of an iteration": lambda: view.step(documents, A, False),
        "of which p(f|y) and p(f|z), which NMF does not have": lambda: mvplsa.advance(
            view.P, view.Q, view.W, view.M, view.B
        ),
    }
    yield "MVPLSA, 20 classes and topics, one iteration", stages, 1


def stages(quick: bool) -> Iterator[dict[str, object]]:
    """Yield kernel, stage and microseconds of each."""
    n = 500 if quick else 20_000
    corpora = (400, 800, 40) if quick else (4000, 8000, 85)
    cases = (
        *_online(n), *_label_sets(n), *_clusters(*corpora),
        *_mvplsa(*((100, 500) if quick else (1000, 5000))),
    )  # fmt: skip
    for kernel, tasks, units in cases:
        for stage, seconds in take_turns(tasks, REPEATS).items():
            yield {"kernel": kernel, "stage": stage, "µs": 1e6 * median(seconds) / units}
