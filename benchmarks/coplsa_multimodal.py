"""The PLSA engine and the co-regularised steps against their peers, as ratios of one run.

    python benchmarks/coplsa_multimodal.py [--csv FILE] [--quick]

An EM iteration against scikit-learn's NMF (Kullback-Leibler, multiplicative updates) on counts of
the size of the Wikipedia texts; the memory of a fit as the non-zeros grow; the H-steps against a
convex solver and against SciPy's Wright omega. Times are of the processor on one thread.
"""

import argparse
import csv
import time
import tracemalloc
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.special import wrightomega
from threadpoolctl import threadpool_limits

from manyviews.kernels import coplsa, coplsa_l1
from manyviews.kernels import plsa as kernels


def best_of(function: Callable[[], object], repeats: int = 5, *, warm: bool = True) -> float:
    if warm:
        function()  # compile and warm the caches
    times = []
    for _ in range(repeats):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def corpus(n: int, f: int, per_row: int, seed: int = 0, *, zipf: bool = True) -> sp.csr_matrix:
    """Counts with the word frequencies of a text (Zipf) or equal ones, twice ``per_row`` draws."""
    rng = np.random.default_rng(seed)
    weights = 1.0 / np.arange(10, f + 10) if zipf else np.ones(f)
    cumulated = np.cumsum(weights / weights.sum())
    words = np.searchsorted(cumulated, rng.random(n * 2 * per_row))
    rows = np.repeat(np.arange(n), 2 * per_row)
    X = sp.csr_matrix((np.ones(words.size), (rows, np.minimum(words, f - 1))), shape=(n, f))
    X.sum_duplicates()
    return X


def em_iteration(quick: bool) -> list[tuple[str, float, str]]:
    from sklearn.decomposition import NMF

    rows = []
    cases = [
        (2173, 6192, 100, 50, True), (2173, 6192, 100, 100, True), (2173, 6192, 50, 50, False),
    ]  # fmt: skip
    for n, f, per_row, k, zipf in [(500, 1500, 60, 50, True)] if quick else cases:
        X = corpus(n, f, per_row, zipf=zipf)
        rng = np.random.default_rng(1)
        h, w = rng.dirichlet(np.ones(k), n), np.ascontiguousarray(rng.dirichlet(np.ones(f), k).T)
        q, m = np.empty_like(h), np.empty_like(w)

        def ours(X=X, h=h, w=w, q=q, m=m):
            kernels.em_step(X.indptr, X.indices, X.data, h, w, q, m)
            kernels.normalise_documents(q, h)
            kernels.normalise_topics(m, w)

        def theirs(iterations, X=X, k=k):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                NMF(k, solver="mu", beta_loss="kullback-leibler", init="random", tol=0.0,
                    max_iter=iterations, random_state=0).fit(X)  # fmt: skip

        mine = best_of(ours, 9)
        # the difference of two lengths takes the set-up out of the account
        theirs(1)
        lengths = [best_of(partial(theirs, count), 2, warm=False) for count in (2, 6)]
        peer = (lengths[1] - lengths[0]) / 4
        words = "words as in a text" if zipf else "equal words"
        place = f"{n} x {f}, {words}, {X.nnz} non-zeros, {k} topics"
        rows += [
            (f"EM iteration, ms ({place})", 1e3 * mine, "ms"),
            (f"NMF iteration, ms ({place})", 1e3 * peer, "ms"),
            (f"NMF / EM ({place})", peer / mine, "ratio"),
        ]
    return rows


def peak(model: object, X: sp.csr_matrix) -> float:
    """Largest memory of a fit in MB beyond what was there (arrays that NumPy allocates)."""
    model.fit(X[:50])
    tracemalloc.start()
    model.fit(X)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 2**20


def memory(quick: bool) -> list[tuple[str, float, str]]:
    from sklearn.decomposition import NMF

    from manyviews.models.plsa import PLSA

    rows = []
    for per_row in (50, 200) if quick else (50, 200, 800):
        X = corpus(1000, 4000, per_row)
        place = f"1000 x 4000, {X.nnz} non-zeros ({X.data.nbytes / 2**20:.1f} MB), 50 topics"
        nmf = NMF(50, solver="mu", beta_loss="kullback-leibler", init="random", max_iter=2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rows.append((f"memory of PLSA ({place})", peak(PLSA(50, max_iter=2), X), "MB"))
            rows.append((f"memory of NMF ({place})", peak(nmf, X), "MB"))
    return rows


def h_steps(quick: bool) -> list[tuple[str, float, str]]:
    import cvxpy as cp

    n, k = (200, 20) if quick else (2173, 100)
    rng = np.random.default_rng(2)
    q = rng.dirichlet(np.full(k, 0.05), n)
    g = np.maximum(rng.dirichlet(np.full(k, 0.05), n), 1e-10)
    g /= g.sum(axis=1, keepdims=True)
    weight, out, use = np.ones(n), np.empty_like(q), np.ones((1, n), dtype=bool)
    second = np.empty_like(q)
    rows = []

    def timed(name: str, function: Callable[[np.ndarray], object], shape=(n,)) -> float:
        cold = best_of(lambda: function(np.full(shape, np.nan)), 3)
        eta = np.full(shape, np.nan)
        warm = best_of(lambda: function(eta), 3)
        rows.append((f"{name}, cold start ({n} x {k})", 1e3 * cold, "ms"))
        rows.append((f"{name}, warm start ({n} x {k})", 1e3 * warm, "ms"))
        return cold

    skl = timed("sKL H-step", lambda e: coplsa.h_step_skl(q, g, np.log(g), weight, 1e-10, e, out))
    timed("l2 H-step", lambda e: coplsa.h_step_l2(q, g, weight, e, out))
    timed("l1 H-step", lambda e: coplsa_l1.h_step_l1(q, g[None], use, 1.0, e, out))
    timed("l1 joint H-step", lambda e: coplsa_l1.h_step_l1_joint(q, g, 1.0, e, out, second), (n, 2))

    few = 20
    h = cp.Variable((few, k), nonneg=True)
    kl = cp.sum(cp.kl_div(h, g[:few])) + cp.sum(cp.kl_div(g[:few], h))
    gain = cp.sum(cp.multiply(q[:few], cp.log(h)))
    problem = cp.Problem(cp.Maximize(gain - kl), [cp.sum(h, axis=1) == 1])
    solver = best_of(lambda: problem.solve(solver=cp.CLARABEL), 1) / few
    rows.append(("convex solver / sKL H-step, per column", solver / (skl / n), "ratio"))
    z = np.random.default_rng(3).uniform(-5, 30, 100_000)
    whole = best_of(lambda: wrightomega(z), 3)
    own = best_of(lambda: _omega(z), 3)
    rows.append(("SciPy's Wright omega / ours", whole / own, "ratio"))
    return rows


def _omega(z: np.ndarray) -> np.ndarray:
    return _omega_loop(z, np.empty_like(z))


def _compile_loop() -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    from numba import njit

    @njit
    def loop(z, out):
        for i in range(z.size):
            out[i] = coplsa.wright_omega(z[i])
        return out

    return loop


_omega_loop = _compile_loop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    rows = []
    with threadpool_limits(limits=1):
        for part in (em_iteration, h_steps, memory):
            found = part(arguments.quick)
            for name, value, unit in found:
                print(f"{name:90s} {value:10.2f} {unit}", flush=True)
            rows += found
    if arguments.csv:
        arguments.csv.parent.mkdir(parents=True, exist_ok=True)
        with arguments.csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["what", "value", "unit"])
            writer.writerows(rows)


if __name__ == "__main__":
    main()
