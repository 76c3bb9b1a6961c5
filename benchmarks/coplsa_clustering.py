"""Pairwise co-regularised PLSA against its peers, as ratios measured in one run.

    python benchmarks/coplsa_clustering.py [--csv FILE] [--quick]

Pair work: the compiled loops against SciPy (sparse Laplacian, vectorised similarities) and against
dense NumPy on all pairs. Spectral rival: full kernel against the nearest-neighbour graph. Cost of
an iteration: doubling the pairs, doubling the words. Times are of the processor (one thread), so
that a busy machine does not distort them.
"""

import argparse
import csv
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from manyviews.baselines.coreg_spectral import CoRegularisedSpectral
from manyviews.kernels import pair_similarity as kernels
from manyviews.models.pairwise_coplsa import PairwiseCoPLSA
from manyviews.models.pairwise_parts import draw_pairs


def best_of(function: Callable[[], object], repeats: int = 5) -> float:
    function()  # compile and warm the caches
    times = []
    for _ in range(repeats):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def compiled(P, Q, left, right, sigma):
    own, other = np.empty(left.size), np.empty(left.size)
    kernels.gaussian_pairs(P, left, right, sigma, own)
    kernels.gaussian_pairs(Q, left, right, sigma, other)
    coefficient = np.zeros(left.size)
    kernels.add_coefficients(own, other, np.ones(left.size, np.uint8), coefficient)
    out = np.empty_like(P)
    kernels.laplacian_gradient(P, left, right, coefficient, sigma, out)
    return out


def scipy_sparse(P, Q, left, right, sigma):
    def similarity(T):
        return np.exp(-((T[left] - T[right]) ** 2).sum(axis=1) / sigma)

    own = similarity(P)
    t = own * (own - similarity(Q))
    n = P.shape[0]
    T = sp.csr_matrix((t, (left, right)), (n, n))
    T = T + T.T
    return -(8 / sigma) * (np.asarray(T.sum(axis=1)) * P - T @ P)


def dense_numpy(P, Q, left, right, sigma):
    def similarity(T):
        squares = (T * T).sum(axis=1)
        return np.exp(-(squares[:, None] + squares[None, :] - 2 * T @ T.T) / sigma)

    keep = np.zeros((P.shape[0],) * 2)
    keep[left, right] = keep[right, left] = 1.0
    own = similarity(P)
    T = keep * own * (own - similarity(Q))
    return -(8 / sigma) * (T.sum(axis=1)[:, None] * P - T @ P)


def pair_work(quick: bool) -> list[tuple[str, float, str]]:
    rows = []
    sizes = [(600, 6), (1000, 20)] if quick else [(600, 6), (2000, 10), (5000, 50)]
    for n, k in sizes:
        rng = np.random.default_rng(0)
        P, Q = rng.dirichlet(np.full(k, 0.2), n), rng.dirichlet(np.full(k, 0.2), n)
        left, right = draw_pairs(n, 0.05, rng)
        expected = dense_numpy(P, Q, left, right, 1.0)
        times = {}
        for peer in (compiled, scipy_sparse, dense_numpy):
            found = peer(P, Q, left, right, 1.0)
            if not np.allclose(found, expected, atol=1e-8):
                raise AssertionError(f"{peer.__name__} computes another gradient")
            times[peer.__name__] = best_of(partial(peer, P, Q, left, right, 1.0), 3)
        size = f"N={n}, K={k}, {left.size} pairs"
        rows.append((f"gradient, {size}: compiled", times["compiled"], "seconds"))
        for peer in ("scipy_sparse", "dense_numpy"):
            rows.append(
                (f"gradient, {size}: {peer} / compiled", times[peer] / times["compiled"], "x")
            )
    return rows


def iteration(n: int, words: int, k: int, share: float) -> float:
    rng = np.random.default_rng(1)
    Xs = [
        sp.random(n, words, 0.2, "csr", random_state=rng, data_rvs=lambda m: 1.0 + rng.random(m))
        for _ in range(2)
    ]

    def seconds(iterations: int) -> float:
        model = PairwiseCoPLSA(
            k, lam=0.01, pair_share=share, max_iter=iterations, tol=0.0, random_state=0
        )
        return best_of(lambda: model.fit(Xs), 3)

    return (seconds(6) - seconds(1)) / 5


def scaling(quick: bool) -> list[tuple[str, float, str]]:
    n, words, k = (600, 300, 10) if quick else (2500, 400, 30)
    base = iteration(n, words, k, 0.05)
    no_words = iteration(n, 20, k, 0.05)
    return [
        (f"iteration, N={n}, {words} words, K={k}, 5 % of the pairs", base, "seconds"),
        ("twice the pairs, few words / once", iteration(n, 20, k, 0.10) / no_words, "x"),
        ("four times the pairs, few words / once", iteration(n, 20, k, 0.20) / no_words, "x"),
        (
            "twice the words, few pairs / once",
            iteration(n, 2 * words, k, 0.001) / iteration(n, words, k, 0.001),
            "x",
        ),
    ]


def spectral(quick: bool) -> list[tuple[str, float, str]]:
    n, k = (1200, 5) if quick else (3000, 20)
    rng = np.random.default_rng(2)
    y = np.arange(n) % k
    Xs = [rng.normal(size=(n, 20)) + 3 * rng.normal(size=(k, 20))[y] for _ in range(2)]
    times = {}
    for neighbours in (None, 50):
        model = CoRegularisedSpectral(k, n_neighbors=neighbours, max_iter=2)
        times[neighbours] = best_of(lambda model=model: model.embed(Xs), 1)
    return [
        (f"spectral, N={n}: full kernel", times[None], "seconds"),
        (f"spectral, N={n}: full kernel / 50 neighbours", times[None] / times[50], "x"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--csv", type=Path, help="write the figures there as well")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    arguments = parser.parse_args()
    rows = [*pair_work(arguments.quick), *scaling(arguments.quick), *spectral(arguments.quick)]
    for name, value, unit in rows:
        print(f"{name:60s} {value:10.4g} {unit}")
    if arguments.csv:
        with arguments.csv.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["what", "value", "unit"])
            writer.writerows(rows)


if __name__ == "__main__":
    main()
