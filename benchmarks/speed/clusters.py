"""Clustering: spherical k-means and co-regularised spectral clustering beside their peers."""

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.metrics import adjusted_rand_score

from manyviews.baselines.coreg_spectral import CoRegularisedSpectral
from manyviews.baselines.spherical_kmeans import SphericalKMeans
from manyviews.preprocessing.sparse import row_normalise
from speed.measure import Comparison, Entry, per_iteration, runs, take_turns
from speed.topics import corpus

PART = "Clustering"


def _cosines(X: sp.csr_matrix, labels: np.ndarray) -> float:
    """Spherical k-means' criterion a row: mean cosine with the own centroid."""
    sums = sp.csr_matrix((np.ones(labels.size), (labels, np.arange(labels.size)))) @ X
    return float(np.sqrt(np.asarray(sums.multiply(sums).sum(axis=1))).sum() / labels.size)


def spherical(quick: bool, peers: set[str]) -> Iterator[Comparison]:
    k = 20
    X = row_normalise(corpus(*((400, 800, 40) if quick else (4000, 8000, 85))))
    dense = np.ascontiguousarray(X[:, :400].toarray(), dtype=np.float32)
    dense /= np.maximum(np.linalg.norm(dense, axis=1, keepdims=True), 1e-12)
    narrow = sp.csr_matrix(dense.astype(np.float64))
    names = ("SphericalKMeans", "scikit-learn KMeans, lloyd")

    def ours(A):
        return lambda count: SphericalKMeans(k, n_init=1, max_iter=count, random_state=0).fit(A)

    def lloyd(A):
        return lambda count: KMeans(
            k, n_init=1, max_iter=count, tol=0.0, init="random", random_state=0
        ).fit(A)

    found = per_iteration({names[0]: ours(X), names[1]: lloyd(X)}, 1, 6, 5)
    reached = [_cosines(X, f(20).labels_) for f in (ours(X), lloyd(X))]
    entries = [
        Entry(name, found[name], f"{value:.4f}", "" if n == 0 else "close objective, other starts")
        for n, (name, value) in enumerate(zip(names, reached, strict=True))
    ]
    yield Comparison(
        PART, f"spherical k-means, {X.shape[0]:,} sparse rows, {X.nnz:,} non-zeros, {k} clusters: "
        "one iteration", entries, goals={names[1]: 3.0},
    )  # fmt: skip
    if "faiss" in peers:
        import faiss

        faiss.omp_set_num_threads(1)

        def with_faiss(count: int) -> object:
            model = faiss.Kmeans(
                dense.shape[1], k, niter=count, spherical=True, seed=1, verbose=False,
                min_points_per_centroid=1, max_points_per_centroid=10**9,
            )  # fmt: skip
            model.train(dense)
            return model

        found = per_iteration({names[0]: ours(narrow), "faiss": with_faiss}, 1, 11, 5)
        yield Comparison(
            PART, f"spherical k-means, {dense.shape[0]:,} x {dense.shape[1]} dense in single "
            "precision (faiss) or sparse in double (ours): one iteration",
            [
                Entry(names[0], found[names[0]]),
                Entry("faiss, spherical", found["faiss"], "", "same objective, single precision"),
            ], goals={"faiss, spherical": 1.2},
        )  # fmt: skip


def spectral(quick: bool, peers: set[str]) -> Iterator[Comparison]:
    n, k = (300, 5) if quick else (2000, 10)
    rng = np.random.default_rng(2)
    y = np.arange(n) % k
    Xs = [rng.normal(size=(n, 20)) + 2 * rng.normal(size=(k, 20))[y] for _ in range(2)]
    # one problem for both: width, weight, rounds, and k-means on the embeddings side by side
    width, weight, rounds = 8.0, 2.0, 5
    model = CoRegularisedSpectral(k, lam=weight, bandwidth=width, max_iter=rounds, tol=0.0)

    def ours() -> CoRegularisedSpectral:
        joined = np.hstack(model.embed(Xs).embeddings_)
        model.labels_ = KMeans(k, n_init=10, random_state=0).fit_predict(joined)
        return model

    tasks = {
        "CoRegularisedSpectral": ours,
        "scikit-learn SpectralClustering, joined views": lambda: SpectralClustering(
            k, random_state=0, n_init=10
        ).fit(np.hstack(Xs)),
    }
    if "mvlearn.cluster" in peers:
        from mvlearn.cluster import MultiviewCoRegSpectralClustering

        def coregularised() -> object:
            return MultiviewCoRegSpectralClustering(
                n_clusters=k, v_lambda=weight, gamma=1.0 / (2.0 * width**2), n_init=10,
                max_iter=rounds + 1, random_state=0,
            ).fit(Xs)  # fmt: skip

        if runs("mvlearn", coregularised):
            tasks["mvlearn co-regularised spectral"] = coregularised
    found = take_turns(tasks, 2)
    entries = []
    for name, task in tasks.items():
        rand = adjusted_rand_score(y, task().labels_)
        same = name.startswith("mvlearn")
        told = (
            "" if name == "CoRegularisedSpectral" else f"{'same' if same else 'another'} objective"
        )
        entries.append(Entry(name, found[name], f"Rand {rand:.3f}", told))
    yield Comparison(
        PART, f"co-regularised spectral, {n:,} points, two views, {k} clusters: one fit", entries,
        "s", 1.0, {"mvlearn co-regularised spectral": 5.0},
    )  # fmt: skip


def compare(quick: bool, peers: set[str]) -> Iterator[Comparison]:
    yield from spherical(quick, peers)
    yield from spectral(quick, peers)
