"""Where our own time goes, stage by stage, and what of the core each stage uses.

The profile behind a goal that is missed. Operations and bytes are counted by hand: a bound from
below, since indices, row ends and what is read again from the first cache are left out.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

import numpy as np
import scipy.sparse as sp
from numba import njit

from manyviews.assignment import flat
from manyviews.assignment.problem import TIE, LabelSetProblem
from manyviews.kernels import mvplsa, plsa
from manyviews.kernels.assignment_flat import two_views
from manyviews.kernels.passive_aggressive import MODES, pa_pass
from manyviews.kernels.spherical import WIDTH, centroid_scores
from manyviews.kernels.spherical_kmeans import nearest, unit_sums
from manyviews.models.factored_em import _View
from manyviews.models.multi_view_pa import MultiViewPassiveAggressive, side_by_side
from manyviews.models.online import csr_arrays, online_labels, online_view, online_views
from manyviews.parts.blocks import BlockedCounts, Threads
from manyviews.preprocessing.sparse import row_normalise
from speed.growth import THREADED, text
from speed.measure import take_turns
from speed.online import stream
from speed.topics import corpus, problem_of

REPEATS = 7
MEMORY, CACHE = "memory", "cache"


@dataclass
class Stage:
    """A part of a kernel, with the operations it needs and the bytes it moves."""

    run: Callable[[], object]
    operations: float = 0.0
    bytes: float = 0.0
    level: str = CACHE


Stages = dict[str, Stage]


@njit(cache=True)
def _logs(counts: np.ndarray, p: np.ndarray) -> float:
    total = 0.0
    for i in range(counts.size):
        total += counts[i] * np.log(p[i])
    return total


def _plsa(rows: int, words: int, length: int) -> Iterator[tuple[str, Stages, int]]:
    """An iteration, and the likelihood that it returns: NMF does not compute its own."""
    X = corpus(rows, words, length)
    rng = np.random.default_rng(0)
    p = rng.random(X.nnz)
    for k in (20, 100):
        H, W = rng.dirichlet(np.ones(k), X.shape[0]), rng.dirichlet(np.ones(X.shape[1]), k).T.copy()
        arrays = (X.indptr, X.indices, X.data, H, W, np.empty_like(H), np.empty_like(W))
        # a dot product and two updates; the word's row is read, its counts are read and written
        work = float(X.nnz * k)
        stages: Stages = {
            "all of an iteration": Stage(
                lambda arrays=arrays: plsa.em_step(*arrays), 6 * work, 24 * work
            ),
            "of which logarithms, which NMF does not take": Stage(lambda: _logs(X.data, p)),
        }
        yield f"PLSA, {k} topics, one iteration", stages, 1


def _online(n: int) -> Iterator[tuple[str, Stages, int]]:
    """Rounds of the online learners, and what is checked before the first of them."""
    X, y = stream(n, 20_000, 100, 0)
    arrays, (codes, _) = csr_arrays(X), online_labels(y, n, binary=True)
    signs, order = 2.0 * codes - 1.0, np.arange(n)

    def rounds() -> None:
        pa_pass(*arrays, signs, order, np.zeros(X.shape[1]), 0.1, MODES["PA-I"], np.empty(0))

    # product and length of each row, its columns and numbers from memory; updates are not counted
    each = Stage(rounds, 4.0 * X.nnz, 12.0 * X.nnz, MEMORY)
    labels = Stage(lambda: online_labels(y, n, binary=True), 0.0, 8.0 * n, MEMORY)
    checks: Stages = {
        "checking the matrix": Stage(lambda: online_view(X, "X"), X.nnz, 12.0 * X.nnz, MEMORY),
        "checking the labels": labels,
    }
    yield "PassiveAggressive, one row", {"rounds": each, **checks}, n
    views = [X[:, :10_000].tocsr(), X[:, 10_000:].tocsr()]
    model = MultiViewPassiveAggressive(C=0.1, gamma=0.05, shuffle=False).fit(views, y)
    moved = 24.0 * X.nnz  # columns and numbers, read and written
    joined: Stages = {
        "rounds, and joining the views": Stage(
            lambda: model._rounds(views, codes, order), 4.0 * X.nnz, moved + 12.0 * X.nnz, MEMORY
        ),
        "of which joining the views": Stage(lambda: side_by_side(views), 0.0, moved, MEMORY),
        "checking the matrices": Stage(lambda: online_views(views), X.nnz, 12.0 * X.nnz, MEMORY),
        "checking the labels": labels,
    }
    yield "MultiViewPassiveAggressive, one row", joined, n


def _label_sets(n: int) -> Iterator[tuple[str, Stages, int]]:
    problem = LabelSetProblem.flat(100)
    scores = np.random.default_rng(0).random((n, 2, 100))
    labels = flat.solve_flat(problem, scores)
    a1, a2, _ = problem.alphas
    once = {"bytes": float(scores.nbytes), "level": MEMORY}
    stages: Stages = {
        "are all scores finite?": Stage(lambda: problem.check_scores(scores), **once),
        "smallest and largest score: is the closed form proved?": Stage(
            lambda: flat.obstacle(problem, scores), **once
        ),
        "largest scores and their labels": Stage(
            lambda: two_views(scores, a1, a2, TIE, np.zeros(scores.shape, dtype=bool)), **once
        ),
        "objective, computed again from the labels": Stage(
            lambda: problem.value(scores, labels), **once
        ),
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
            best, work = np.empty(A.shape[0]), float(A.nnz)
            return {
                "dot products with the centroids": Stage(
                    lambda: centroid_scores(
                        A.indptr, A.indices, A.data, table, np.arange(k), scores
                    ),
                    2 * k * work, (12 + 8 * k) * work,
                ),
                "nearest centroid": Stage(
                    lambda: nearest(scores, labels.copy(), best), 0.0, float(scores.nbytes)
                ),
                "sums of the clusters": Stage(
                    lambda: unit_sums(
                        columns.indptr, columns.indices, columns.data, labels, out
                    ),
                    work, 36 * work,
                ),
            }  # fmt: skip

        yield f"SphericalKMeans, {name}, one iteration", stages(), 1


def _mvplsa(n: int, f: int) -> Iterator[tuple[str, Stages, int]]:
    k = 20
    Xs, p_zd, _, p_fy, p_yz = problem_of(n, f, 80, k, k)
    view = _View(sp.csr_matrix(Xs[0]), 1.0, p_fy[0], p_yz[0])
    documents, A = p_zd.copy(), np.zeros_like(p_zd)
    view.step(documents, A, False)
    counts, tables = float(Xs[0].nnz * k), float(f * k * k)
    stages: Stages = {
        "all of an iteration": Stage(
            lambda: view.step(documents, A, False), 6 * counts + 6 * tables, 24 * counts
        ),
        "of which p(f|y) and p(f|z), which NMF does not have": Stage(
            lambda: mvplsa.advance(view.P, view.Q, view.W, view.M, view.B), 4 * tables
        ),
    }
    yield "MVPLSA, 20 classes and topics, one iteration", stages, 1


def _two_threads(nonzeros: int) -> tuple[str, Stages]:
    """An iteration over all rows at once, over blocks of rows, and over these on two threads."""
    k, rng = 10, np.random.default_rng(0)
    X = text(nonzeros)
    h, w = rng.dirichlet(np.ones(k), X.shape[0]), rng.dirichlet(np.ones(X.shape[1]), k).T.copy()
    q, m, csr = np.zeros_like(h), np.empty_like(w), (X.indptr, X.indices, X.data)
    one, two = (BlockedCounts(csr, w.shape, Threads(count)) for count in (1, 2))

    def normalised() -> None:
        plsa.normalise_documents(q, h.copy())
        plsa.normalise_topics(m, w.copy())

    tasks: Stages = {
        "sums over all rows, one thread": Stage(lambda: plsa.em_step(*csr, h, w, q, m)),
        f"sums over {len(one.parts)} blocks of rows, one thread": Stage(
            lambda: one.step(h, w, q, m)
        ),
        "the same on two threads": Stage(lambda: two.step(h, w, q, m)),
        "of which adding the blocks up": Stage(lambda: two.add_up(m)),
        "normalising, one thread": Stage(normalised),
    }
    return f"PLSA, {X.nnz:,} non-zeros, 10 topics, one iteration on the clock", tasks


def stages(quick: bool, core: dict[str, float]) -> Iterator[dict[str, object]]:
    """Yield kernel, stage, microseconds, and the shares of what was probed of the core."""
    n = 500 if quick else 20_000
    corpora = (400, 800, 40) if quick else (4000, 8000, 85)
    cases = (
        *_plsa(*corpora), *_online(n), *_label_sets(n), *_clusters(*corpora),
        *_mvplsa(*((100, 500) if quick else (1000, 5000))),
    )  # fmt: skip
    for kernel, tasks, units in cases:
        yield from _rows(kernel, tasks, units, core, time.process_time)
    kernel, tasks = _two_threads(20_000 if quick else THREADED)
    yield from _rows(kernel, tasks, 1, core, time.perf_counter)


def _rows(
    kernel: str, tasks: Stages, units: int, core: dict[str, float], clock: Callable[[], float]
) -> Iterator[dict[str, object]]:
    found = take_turns({name: stage.run for name, stage in tasks.items()}, REPEATS, clock)
    for name, stage in tasks.items():
        seconds = median(found[name])
        rate, moved = (count / seconds / 1e9 for count in (stage.operations, stage.bytes))
        yield {
            "kernel": kernel, "stage": name, "µs": 1e6 * seconds / units,
            "Gflop/s": rate or np.nan,
            "% of the core's": 100 * rate / core["Gflop/s"] or np.nan,
            "GB/s": moved or np.nan,
            "% of the bandwidth": 100 * moved / core[f"GB/s {stage.level}"] or np.nan,
            "of": stage.level if moved else "",
        }  # fmt: skip
