"""Factored EM of MVPLSA against the four-index EM it replaces, as ratios measured in one run.

    python benchmarks/mvplsa.py [--csv FILE] [--quick]

Per EM iteration: the compiled factored form, the same form with SciPy's sparse products, and the
posterior p(y, z | f, d, v) of eq. 9 formed on the non-zeros (in chunks, vectorised). Growth of the
factored form: twice the non-zeros, twice the topics. Peak memory beside the model's own tables. A
peer with the same objective in one view: scikit-learn's NMF with Kullback-Leibler loss. Times are
of the processor (one thread), so that a busy machine does not distort them.
"""

import argparse
import csv
import time
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import NMF

from manyviews.models.factored_em import factored_em, random_topics


def problem(n_rows, n_features, nonzeros, n_topics, n_classes, n_views=2, seed=0):
    rng = np.random.default_rng(seed)
    Xs = []
    for _ in range(n_views):
        columns = np.concatenate(
            [rng.choice(n_features, nonzeros, replace=False) for _ in range(n_rows)]
        )
        data = rng.poisson(2.0, columns.size) + 1.0
        indptr = np.arange(0, columns.size + 1, nonzeros)
        X = sp.csr_matrix((data, columns, indptr), shape=(n_rows, n_features))
        X.sort_indices()
        Xs.append(X)
    p_zd = rng.dirichlet(np.ones(n_classes), n_rows)
    frozen = np.arange(n_rows) < 10
    return Xs, p_zd, frozen, *random_topics(Xs, [n_topics] * n_views, n_classes, rng)


def four_index(Xs, p_zd, frozen, p_fy, p_yz, n_iter, chunk=20_000):
    """Eqs. 9 and 15 to 17 with the posterior of every non-zero written out."""
    p_zd, p_fy, p_yz = p_zd.copy(), [p.copy() for p in p_fy], [p.copy() for p in p_yz]
    for _ in range(n_iter):
        documents = np.zeros_like(p_zd)
        for v, X in enumerate(Xs):
            coo = X.tocoo()
            by_topic, by_class = np.zeros_like(p_fy[v]), np.zeros_like(p_yz[v])
            for s in range(0, coo.nnz, chunk):
                d, f, x = coo.row[s : s + chunk], coo.col[s : s + chunk], coo.data[s : s + chunk]
                joint = p_fy[v].T[f][:, :, None] * p_yz[v].T[None] * p_zd[d][:, None, :]
                joint *= (x / joint.sum(axis=(1, 2)))[:, None, None]
                np.add.at(by_topic.T, f, joint.sum(axis=2))
                by_class += joint.sum(axis=0).T
                np.add.at(documents, d, joint.sum(axis=1))
            p_fy[v] = by_topic / by_topic.sum(axis=1, keepdims=True)
            p_yz[v] = by_class / by_class.sum(axis=1, keepdims=True)
        new = documents / documents.sum(axis=1, keepdims=True)
        p_zd = np.where(frozen[:, None], p_zd, new)
    return p_zd


def with_scipy(Xs, p_zd, frozen, p_fy, p_yz, n_iter):
    """The factored form with sparse and dense matrix products."""
    p_zd, p_fy, p_yz = p_zd.copy(), [p.copy() for p in p_fy], [p.copy() for p in p_yz]
    for _ in range(n_iter):
        A = np.zeros_like(p_zd)
        for v, X in enumerate(Xs):
            B = p_yz[v] @ p_fy[v]
            rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
            R = X.copy()
            R.data = X.data / np.einsum("iz,iz->i", p_zd[rows], B.T[X.indices])
            M = np.asarray(R.T @ p_zd).T
            A += R @ B.T
            G = M @ p_fy[v].T
            p_fy[v] = p_fy[v] * (p_yz[v].T @ M)
            p_fy[v] /= p_fy[v].sum(axis=1, keepdims=True)
            p_yz[v] = p_yz[v] * G
            p_yz[v] /= p_yz[v].sum(axis=1, keepdims=True)
        new = p_zd * A
        new /= new.sum(axis=1, keepdims=True)
        p_zd = np.where(frozen[:, None], p_zd, new)
    return p_zd


def factored(Xs, p_zd, frozen, p_fy, p_yz, n_iter):
    return factored_em(Xs, p_zd, frozen, p_fy, p_yz, n_iter=n_iter).p_zd


def per_iteration(function: Callable, parts: tuple, few: int, many: int, repeats: int = 3) -> float:
    """Seconds of one iteration: the difference of a long and a short run, start-up cancelled."""

    def once(n_iter: int) -> float:
        start = time.process_time()
        function(*parts, n_iter)
        return time.process_time() - start

    once(1)
    return max(
        1e-9,
        (min(once(many) for _ in range(repeats)) - min(once(few) for _ in range(repeats)))
        / (many - few),
    )


def nmf_seconds(X, n_components: int, n_iter: int) -> float:
    def once(count: int) -> float:
        model = NMF(
            n_components, solver="mu", beta_loss="kullback-leibler", init="random",
            max_iter=count, tol=0, random_state=0,
        )  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            start = time.process_time()
            model.fit_transform(X)
        return time.process_time() - start

    once(1)
    return max(1e-9, (once(n_iter + 1) - once(1)) / n_iter)


def extra_memory(parts: tuple) -> tuple[float, float]:
    """Peak bytes beyond the model's own tables, and bytes of the non-zeros."""
    Xs, p_zd, _, p_fy, p_yz = parts
    tables = 2 * sum(p.nbytes for p in p_fy)  # the working copy and the result
    tracemalloc.start()
    factored(*parts, 2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    stored = sum(X.data.nbytes + X.indices.nbytes + X.indptr.nbytes for X in Xs)
    return max(0.0, peak - tables), stored + p_zd.nbytes + sum(p.nbytes for p in p_yz)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    arguments = parser.parse_args()
    n, F = (100, 500) if arguments.quick else (1000, 5000)
    parts = problem(n, F, 80, 128, 2)
    np.testing.assert_allclose(factored(*parts, 2), four_index(*parts, 2), atol=1e-10)
    np.testing.assert_allclose(factored(*parts, 2), with_scipy(*parts, 2), atol=1e-10)
    ours = per_iteration(factored, parts, 2, 42)
    table = [("factored EM, compiled", ours, 1.0)]
    for name, function, few, many in (
        ("factored EM, SciPy", with_scipy, 1, 11),
        ("four-index EM on the non-zeros", four_index, 1, 3),
    ):
        seconds = per_iteration(function, parts, few, many, repeats=2)
        table.append((name, seconds, seconds / ours))
    for name, other in (
        ("factored, twice the non-zeros", problem(n, F, 160, 128, 2)),
        ("factored, twice the topics", problem(n, F, 80, 256, 2)),
        ("factored, three classes", problem(n, F, 80, 128, 3)),
    ):
        seconds = per_iteration(factored, other, 2, 42)
        table.append((name, seconds, seconds / ours))
    single = problem(n, F, 80, 20, 20, n_views=1)
    one = per_iteration(factored, single, 2, 22)
    table.append(("one view, 20 classes and topics: factored EM", one, 1.0))
    peer = nmf_seconds(single[0][0], 20, 10)
    table.append(("one view, rank 20: scikit-learn NMF, KL", peer, peer / one))
    print(f"{n} documents, 2 x {F} features, 80 non-zeros a row, Y = 128, Z = 2")
    for name, seconds, ratio in table:
        print(f"{name:48s} {1e3 * seconds:10.3f} ms per iteration   {ratio:8.1f} x")
    peak, stored = extra_memory(parts)
    print(f"memory beyond the topic tables: {peak / stored:.2f} x the non-zeros")
    if arguments.csv:
        with arguments.csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["what", "seconds_per_iteration", "ratio"])
            writer.writerows(table)
            writer.writerow(["memory beyond the topic tables / non-zeros", "", peak / stored])


if __name__ == "__main__":
    main()
