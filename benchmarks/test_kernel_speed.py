"""No kernel becomes a fifth slower unnoticed.

Each is timed in turns with one fixed loop, in the same thread, and the best of many rounds of both
give a ratio: a busy machine slows both alike, and processor time leaves out what others took. The
ratios that ``kernel_ratios.json`` keeps for this kind of processor are the measure. Kernels whose
sources and compiler are those the file was written for are not timed again.

``WRITE_KERNEL_RATIOS=1 pytest benchmarks/test_kernel_speed.py`` writes the file anew: after a
kernel became faster, or slower for a reason that the commit tells.
"""

import hashlib
import json
import os
import platform
import time
from functools import partial
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from numba import njit

import manyviews
from manyviews.assignment.ontology import Ontology
from manyviews.assignment.problem import LabelSetProblem
from manyviews.assignment.solvers import solve
from manyviews.kernels import coplsa, plsa, spherical, spherical_kmeans
from manyviews.models import MultiViewPassiveAggressive, PassiveAggressive
from manyviews.models.factored_em import factored_em, random_topics

KEPT = Path(__file__).with_name("kernel_ratios.json")
#: A kernel fails when it takes this many times the kept ratio.
LIMIT = 1.2
ROUNDS, ATTEMPTS = 25, 4


@njit
def reference(x, w, indices, out):
    """The fixed loop: gathers, products, sums; fits the cache, cannot be vectorised away."""
    for _ in range(40):
        total = 0.0
        for e in range(indices.size):
            i = indices[e]
            total += x[e] * w[i]
            out[i] = out[i] * 0.5 + total
    return total


def sources() -> str:
    """Digest of the kernels' sources and of what compiles them."""
    folder = Path(manyviews.__file__).parent / "kernels"
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.read_bytes())
    for package in ("numba", "llvmlite", "numpy"):
        digest.update(f"{package} {metadata.version(package)}".encode())
    return digest.hexdigest()[:16]


def counts(n, f, per_row, seed=0):
    """Sparse counts, the same every time: the ratios are of these."""
    rng = np.random.default_rng(seed)
    columns = np.concatenate([np.sort(rng.choice(f, per_row, replace=False)) for _ in range(n)])
    data = rng.poisson(2.0, columns.size) + 1.0
    return sp.csr_matrix((data, columns, np.arange(0, columns.size + 1, per_row)), shape=(n, f))


def em_step():
    X, k = counts(200, 400, 40), 20
    rng = np.random.default_rng(1)
    h = rng.dirichlet(np.ones(k), 200)
    w = np.ascontiguousarray(rng.dirichlet(np.ones(400), k).T)
    rows = (X.indptr, X.indices, X.data)
    return partial(plsa.em_step, *rows, h, w, np.empty_like(h), np.empty_like(w))


def mvplsa(n_classes):
    X = counts(150, 500, 30)
    rng = np.random.default_rng(2)
    parts = random_topics([X], [16], n_classes, rng)
    start = rng.dirichlet(np.ones(n_classes), 150)
    return partial(factored_em, [X], start, np.zeros(150, bool), *parts, n_iter=8)


def scores(count):
    X = counts(400, 500, 40)
    table = np.random.default_rng(3).random(500 * count + spherical.WIDTH)
    out = np.zeros((400, count))
    rows = (X.indptr, X.indices, X.data)

    def run():
        for _ in range(10):
            spherical.centroid_scores(*rows, table, np.arange(count), out)

    return run


def sums_of_clusters():
    X = counts(500, 400, 40).T.tocsr()  # feature by feature
    labels, out = np.random.default_rng(4).integers(0, 12, 500), np.empty((400, 12))

    def run():
        for _ in range(10):
            spherical_kmeans.unit_sums(X.indptr, X.indices, X.data, labels, out)

    return run


def skl():
    rng = np.random.default_rng(5)
    q, g = (np.maximum(rng.dirichlet(np.full(30, 0.3), 100), 1e-10) for _ in range(2))
    weight, out = np.ones(100), np.empty_like(q)
    return lambda: coplsa.h_step_skl(q, g, np.log(g), weight, 1e-10, np.full(100, np.nan), out)


def online(model, n_views):
    Xs = [counts(3000, 300, 20, seed) for seed in range(n_views)]
    y = np.random.default_rng(6).integers(0, 2, 3000)
    return partial(model.fit, Xs if n_views > 1 else Xs[0], y)


def label_sets(problem):
    points = np.random.default_rng(7).random((2000, problem.n_views, problem.n_labels))
    return partial(solve, problem, points)


TREE = Ontology({"r": (), **{f"a{i}": ("r",) for i in range(3)},
                 **{f"b{i}": (f"a{i % 3}",) for i in range(9)}})  # fmt: skip
KERNELS = {
    "PLSA, EM step": em_step,
    "MVPLSA, 2 classes": partial(mvplsa, 2),
    "MVPLSA, 20 classes": partial(mvplsa, 20),
    "spherical k-means, 3 centroids": partial(scores, 3),
    "spherical k-means, 20 centroids": partial(scores, 20),
    "cosine k-means, sums of clusters": sums_of_clusters,
    "co-regularised step, symmetric KL": skl,
    "passive-aggressive": lambda: online(PassiveAggressive(C=0.1, shuffle=False), 1),
    "passive-aggressive, two views": lambda: online(
        MultiViewPassiveAggressive(C=0.1, gamma=0.05, shuffle=False), 2
    ),
    "MAXAGREE, flat": lambda: label_sets(LabelSetProblem.flat(20)),
    "MAXAGREE, tree": lambda: label_sets(
        LabelSetProblem.hierarchical(TREE, subset="parents", mutex="siblings")
    ),
}


def fixed_loop():
    rng = np.random.default_rng(0)
    indices = rng.integers(0, 2000, 4000)
    return partial(reference, rng.random(4000), rng.random(2000), indices, np.zeros(2000))


def ratio(kernel, rounds=ROUNDS):
    """Best time of a kernel over the best time of the fixed loop, taken in turns."""
    fixed = fixed_loop()
    kernel(), fixed()
    best = {kernel: np.inf, fixed: np.inf}
    for _ in range(rounds):
        for task in (fixed, kernel):
            start = time.thread_time()
            task()
            best[task] = min(best[task], time.thread_time() - start)
    return best[kernel] / best[fixed]


def slower(kernel, kept, attempts=ATTEMPTS):
    """How many times the kept ratio a kernel takes; measured again while that is too much."""
    found = np.inf
    for _ in range(attempts):
        found = min(found, ratio(kernel) / kept)
        if found <= LIMIT:
            break
    return found


def kept_ratios():
    """What is kept for this kind of processor; nothing where there is none."""
    known = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {}
    return known.get(platform.machine(), {})


@pytest.mark.skipif("WRITE_KERNEL_RATIOS" not in os.environ, reason="only on demand")
def test_write_the_ratios():
    known = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {}
    ratios = {
        name: float(f"{min(ratio(make()) for _ in range(ATTEMPTS)):.4g}")
        for name, make in KERNELS.items()
    }
    known[platform.machine()] = {"sources": sources(), "ratios": ratios}
    KEPT.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


@pytest.mark.parametrize("name", KERNELS)
def test_no_kernel_became_a_fifth_slower(name):
    kept = kept_ratios()
    if not kept:
        pytest.skip(
            f"no ratios are kept for {platform.machine()}: WRITE_KERNEL_RATIOS=1 keeps them"
        )
    if kept["sources"] == sources():
        pytest.skip("the kernels and their compiler are those the ratios were measured with")
    times = slower(KERNELS[name](), kept["ratios"][name])
    assert times <= LIMIT, f"{name} takes {times:.2f} times what it took"


def test_every_kernel_has_a_ratio():
    kept = kept_ratios()
    assert not kept or set(kept["ratios"]) == set(KERNELS)
