"""Sums over fixed blocks: the same bits for every number of threads, near those of one run."""

import numpy as np
import pytest
import scipy.sparse as sp
from problems import equal_parts, learnt, same, views_with_an_empty_row

from manyviews import baselines as b
from manyviews.baselines import coreg_spectral
from manyviews.kernels import plsa as kernels
from manyviews.models import MVPLSA, PLSA
from manyviews.parts.blocks import (
    MOST_BLOCKS,
    BlockedCounts,
    Threads,
    block_cuts,
    em_step,
    n_threads,
)


@pytest.mark.parametrize(
    "model",
    [
        PLSA(3, max_iter=8, tol=0.0, n_jobs=1),
        MVPLSA(6, max_iter=8, n_jobs=1),
        b.SphericalKMeans(3),
        b.ViewSelector(3, n_runs=3),
        b.CCAKMeans(3, n_topics=4, plsa_iter=8),
        b.CoRegularisedSpectral(3, n_neighbors=9),
    ],
    ids=lambda model: type(model).__name__,
)
def test_any_number_of_threads_gives_the_same_bits(rng, model, monkeypatch):
    """Of sums over blocks, and of starts, views and neighbours side by side."""
    monkeypatch.setattr(coreg_spectral, "_BLOCK", 150 * 20)  # several blocks, as of many rows
    views, labels, classes = views_with_an_empty_row(rng)
    data = views[0] if isinstance(model, PLSA | b.SphericalKMeans) else views
    labels = labels if isinstance(model, MVPLSA) else classes
    model.set_params(random_state=1)
    expected = learnt(model.fit(data, labels))
    for jobs in (2, 3):
        same(expected, learnt(model.set_params(n_jobs=jobs).fit(data, labels)))


def test_blocks_cover_all_rows_once_and_need_no_more_memory_than_the_data(rng):
    for _ in range(50):
        rows, words, topics = rng.integers(1, 200), rng.integers(1, 500), rng.integers(1, 9)
        lengths = rng.integers(0, 30, rows) * (rng.random(rows) < 0.7)
        indptr = np.concatenate([[0], np.cumsum(lengths)])
        cuts = block_cuts(indptr, words, topics)
        assert (cuts[0], cuts[-1]) == (0, rows)
        assert (np.diff(cuts) > 0).all()
        blocks = len(cuts) - 1
        assert blocks <= MOST_BLOCKS
        assert blocks * words * topics <= max(indptr[-1], 2 * words * topics)
    assert block_cuts(np.arange(0, 6401, 100), 2, 2).tolist() == [*range(0, 65, 4)]


def test_blocked_sums_are_those_of_the_kernel(rng):
    for _ in range(20):
        X = sp.csr_matrix(rng.poisson(0.3, rng.integers(1, 80, 2)) * 1.0)
        k = int(rng.choice([1, 3, 7, 70]))
        h, w = rng.random((X.shape[0], k)), rng.random((X.shape[1], k))
        w[rng.random(w.shape[0]) < 0.1] = 0.0
        plain = np.empty_like(h), np.empty_like(w)
        value = kernels.em_step(X.indptr, X.indices, X.data, h, w, *plain)
        with Threads(2) as threads:
            blocked = BlockedCounts((X.indptr, X.indices, X.data), w.shape, threads)
            sums = np.empty_like(h), np.empty_like(w)
            assert em_step(blocked, h, w, *sums) == pytest.approx(value)
        equal_parts(plain, sums, rtol=1e-12, atol=1e-12)


def test_number_of_threads():
    assert n_threads(3) == 3
    assert n_threads(-1) >= 1
    for wrong in (0, -2, 1.5, "two"):
        with pytest.raises(ValueError, match="n_jobs must be"):
            n_threads(wrong)
