"""PLSA and MVPLSA beside matrix factorisation and other PLSA: time of one iteration."""

import warnings
from collections.abc import Iterator
from functools import partial

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import NMF

from manyviews.models.factored_em import factored_em, random_topics
from manyviews.models.plsa import PLSA
from speed.measure import Comparison, Entry, peak_mb, per_iteration, runs

PART = "Topic models"


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


def loglik(X: sp.csr_matrix, left: np.ndarray, right: np.ndarray) -> float:
    """Log-likelihood a token of a factorisation: its rows scaled to distributions over words."""
    left = left / np.maximum((left @ right.sum(axis=1))[:, None], 1e-300)
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    p = np.einsum("ik,ik->i", left[rows], right.T[X.indices])
    return float(X.data @ np.log(np.maximum(p, 1e-300)) / X.data.sum())


def nmf(X: sp.csr_matrix, k: int, iterations: int) -> NMF:
    model = NMF(
        k, solver="mu", beta_loss="kullback-leibler", init="random", max_iter=iterations, tol=0.0,
        random_state=0,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.doc_topic = model.fit_transform(X)
    return model


def plsa(X: sp.csr_matrix, k: int, iterations: int) -> PLSA:
    return PLSA(k, max_iter=iterations, tol=0.0, random_state=0).fit(X)


def _same(ours: float, theirs: float) -> str:
    """How far two likelihoods of one objective are apart after as many iterations."""
    return f"same objective, {theirs - ours:+.3f} a token after 30 iterations each"


def plsa_cases(quick: bool, peers: set[str]) -> Iterator[Comparison]:
    cases = {
        "text: 4,000 documents, 8,000 words": corpus(4000, 8000, 85),
        "short text: 8,000 documents, 4,000 words": corpus(8000, 4000, 20, zipf=False),
    }
    if quick:
        cases = {"text: 400 documents, 800 words": corpus(400, 800, 40)}
    for name, X in cases.items():
        for k in (20,) if quick else (20, 100):
            tasks = {
                "PLSA": lambda count, X=X, k=k: plsa(X, k, count),
                "scikit-learn NMF, Kullback-Leibler": lambda count, X=X, k=k: nmf(X, k, count),
            }
            found = per_iteration(tasks, 1, 5 if k == 20 else 3, 3)
            long = 3 if quick else 30
            model, peer = plsa(X, k, long), nmf(X, k, long if k == 20 else 5)
            mine = float(model.loglik_[-1] / X.data.sum())
            theirs = loglik(X, peer.doc_topic, peer.components_)
            same = _same(mine, theirs) if k == 20 else "same objective"
            entries = [
                Entry("PLSA", found["PLSA"], f"{mine:.4f}", "", peak_mb(partial(plsa, X, k, 1))),
                Entry(
                    "scikit-learn NMF, Kullback-Leibler",
                    found["scikit-learn NMF, Kullback-Leibler"],
                    f"{theirs:.4f}", same, peak_mb(partial(nmf, X, k, 1)),
                ),
            ]  # fmt: skip
            if k == 20:
                entries += list(_peers(X, k, peers))
            goals = {"scikit-learn NMF, Kullback-Leibler": 15.0 if k == 20 else 25.0}
            size = f"{name}, {X.nnz:,} non-zeros, {k} topics: one iteration"
            yield Comparison(PART, size, entries, goals=goals)


def _peers(X: sp.csr_matrix, k: int, peers: set[str]) -> Iterator[Entry]:
    """Other implementations of PLSA; their estimators ask NumPy for names that are gone."""
    tasks, told = {}, "same objective, no likelihood"
    if "enstop" in peers:
        from enstop.plsa import plsa_fit

        single, weights = X.astype(np.float32), np.ones(X.shape[0], dtype=np.float32)

        def with_enstop(count: int) -> object:
            return plsa_fit(
                single, k, weights, n_iter=count, n_iter_per_test=count + 1, tolerance=0.0,
                random_state=np.random.RandomState(0),
            )  # fmt: skip

        tasks["enstop PLSA, single precision"] = with_enstop
    if "numba_plsa" in peers:
        from numba_plsa.plsa_numba import plsa_numba

        rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        rng = np.random.default_rng(0)

        def with_numba_plsa(count: int) -> object:
            left, right = rng.random((X.shape[0], k)), rng.random((k, X.shape[1]))
            left /= left.sum(axis=1, keepdims=True)
            right /= right.sum(axis=1, keepdims=True)
            return plsa_numba(rows, X.indices, X.data, left, right, count)

        tasks["numba-plsa"] = with_numba_plsa
    tasks = {name: task for name, task in tasks.items() if runs(name, partial(task, 1))}
    for name, seconds in per_iteration(tasks, 1, 3, 3).items():
        yield Entry(name, seconds, "", told)


def problem_of(n, f, nonzeros, topics, classes, views=1, seed=0):
    rng = np.random.default_rng(seed)
    Xs = []
    for _ in range(views):
        columns = np.concatenate([rng.choice(f, nonzeros, replace=False) for _ in range(n)])
        data = rng.poisson(2.0, columns.size) + 1.0
        indptr = np.arange(0, columns.size + 1, nonzeros)
        X = sp.csr_matrix((data, columns, indptr), shape=(n, f))
        X.sort_indices()
        Xs.append(X)
    start = rng.dirichlet(np.ones(classes), n)
    frozen = np.arange(n) < 10
    return Xs, start, frozen, *random_topics(Xs, [topics] * views, classes, rng)


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


def mvplsa_cases(quick: bool) -> Iterator[Comparison]:
    n, f = (100, 500) if quick else (1000, 5000)

    def ours(parts):
        return lambda count: factored_em(*parts, n_iter=count).p_zd

    parts = problem_of(n, f, 80, 128, 2, views=2)
    apart = np.abs(ours(parts)(2) - four_index(*parts, 2)).max()
    if not apart < 1e-10:
        raise AssertionError("the factored EM and the four-index EM differ")
    fast = per_iteration({"MVPLSA": ours(parts)}, 2, 22, 3)["MVPLSA"]
    slow = per_iteration({"slow": lambda count: four_index(*parts, count)}, 1, 2, 1)["slow"]
    yield Comparison(
        PART, f"MVPLSA, {n:,} documents, 2 views, 128 topics, 2 classes: one iteration",
        [
            Entry("MVPLSA, factored EM", fast, "", "", peak_mb(lambda: ours(parts)(1))),
            Entry("four-index EM on the non-zeros, NumPy", slow, "", f"p(z|d) within {apart:.0e}"),
        ],
    )  # fmt: skip
    single = problem_of(n, f, 80, 20, 20)
    X = single[0][0]
    found = per_iteration(
        {"MVPLSA": ours(single), "NMF": lambda count: nmf(X, 20, count)}, 2, 12, 3
    )
    yield Comparison(
        PART, f"MVPLSA, {n:,} documents, 1 view, 20 classes and topics: one iteration",
        [
            Entry("MVPLSA, factored EM", found["MVPLSA"]),
            Entry("scikit-learn NMF, Kullback-Leibler", found["NMF"], "", "another model"),
        ],
        goals={"scikit-learn NMF, Kullback-Leibler": 15.0},
    )  # fmt: skip


def compare(quick: bool, peers: set[str]) -> Iterator[Comparison]:
    yield from plsa_cases(quick, peers)
    yield from mvplsa_cases(quick)
