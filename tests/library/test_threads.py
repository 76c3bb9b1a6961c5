"""Sums over fixed blocks: the same bits for every number of threads, near those of one run."""

import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.baselines import (
    CCAKMeans,
    CoRegularisedSpectral,
    SphericalKMeans,
    ViewSelector,
    coreg_spectral,
)
from manyviews.models import MVPLSA, PLSA
from manyviews.parts.blocks import MOST_BLOCKS, BlockedCounts, Threads, block_cuts, n_threads
from manyviews.testing.common import learnt, same


def counts(rng, rows, columns, mean=0.3):
    X = sp.csr_matrix(rng.poisson(mean, (rows, columns)).astype(float))
    X.sort_indices()
    return X


def views_and_labels(rng, n_rows=150, n_classes=4):
    classes = np.arange(n_rows) % n_classes
    views = []
    for width in (40, 25):
        profile = rng.dirichlet(np.full(width, 0.2), n_classes)
        counts = rng.poisson(12 * profile[classes]).astype(float)
        counts[3] = 0.0  # an empty row
        views.append(sp.csr_matrix(counts))
    labels = np.where(rng.random(n_rows) < 0.4, classes, -1)
    labels[:n_classes] = range(n_classes)
    return views, labels


@pytest.mark.parametrize(
    "model",
    [
        PLSA(3, max_iter=8, tol=0.0, n_jobs=1),
        PLSA(3, max_iter=2, batch_size=17),
        MVPLSA(6, max_iter=8, n_jobs=1),
        MVPLSA(4, max_iter=2, batch_size=1),
        MVPLSA(4, max_iter=2, batch_size=1000),
        SphericalKMeans(3),
        ViewSelector(3, n_runs=3),
        CCAKMeans(3, n_topics=4, plsa_iter=8),
        CoRegularisedSpectral(3, n_neighbors=9),
    ],
    ids=lambda model: type(model).__name__,
)
def test_any_number_of_threads_gives_the_same_bits(rng, model, monkeypatch):
    """Of sums over blocks, of batches, and of starts, views and neighbours side by side."""
    # neighbours are looked for block by block, as on many rows
    monkeypatch.setattr(coreg_spectral, "_KERNEL_LIMIT", 10)
    monkeypatch.setattr(coreg_spectral, "_BLOCK", 150 * 20)
    views, labels = views_and_labels(rng)
    data = views[0] if isinstance(model, PLSA | SphericalKMeans) else views
    labels = labels if isinstance(model, MVPLSA) else np.arange(150) % 4
    model.set_params(random_state=1)
    expected = learnt(model.fit(data, labels))
    for jobs in (2, 3):
        same(expected, learnt(model.set_params(n_jobs=jobs).fit(data, labels)))


def test_batches_classify_as_em_does():
    views, labels = views_and_labels(np.random.default_rng(0), n_rows=400)
    classes = np.arange(400) % 4
    model = MVPLSA(8, max_iter=5, random_state=1, batch_size=50).fit(views, labels)
    assert np.mean(model.labels_ == classes) > 0.8
    np.testing.assert_array_equal(model.labels_[labels >= 0], labels[labels >= 0])
    for topics, mix in zip(model.topic_word_, model.topic_class_, strict=True):
        np.testing.assert_allclose(topics.sum(axis=1), 1.0)
        np.testing.assert_allclose(mix.sum(axis=1), 1.0)


def test_stepwise_em_with_one_batch_and_full_weight_is_em(rng, monkeypatch):
    """The oracle: all rows in one batch that replaces the running sums is one EM iteration."""
    from manyviews.models import blocked_em
    from manyviews.parts import stepwise

    for module in (blocked_em, stepwise):
        monkeypatch.setattr(module, "batch_weight", lambda batch: 1.0)
        monkeypatch.setattr(module, "FIRST_STEPS", 0)
    views, labels = views_and_labels(rng, n_rows=60)
    settings = {"max_iter": 3, "random_state": 5}
    em = PLSA(3, tol=0.0, **settings).fit(views[1])
    batch = PLSA(3, tol=0.0, batch_size=60, **settings).fit(views[1])
    np.testing.assert_allclose(batch.topic_word_, em.topic_word_, atol=1e-12)
    np.testing.assert_allclose(batch.doc_topic_, em.doc_topic_, atol=1e-12)
    np.testing.assert_allclose(batch.loglik_, em.loglik_[:3])
    em = MVPLSA(5, **settings).fit(views, labels)
    batch = MVPLSA(5, batch_size=60, **settings).fit(views, labels)
    np.testing.assert_allclose(batch.doc_topic_, em.doc_topic_, atol=1e-10)
    for one, two in zip(batch.topic_word_ + batch.topic_class_, em.topic_word_ + em.topic_class_,
                        strict=True):  # fmt: skip
        np.testing.assert_allclose(one, two, atol=1e-10)
    np.testing.assert_allclose(batch.loglik_, em.loglik_[:3])


def test_blocks_cover_all_rows_once_and_need_no_more_memory_than_the_data(rng):
    for _ in range(50):
        rows, words, topics = rng.integers(1, 200), rng.integers(1, 500), rng.integers(1, 9)
        lengths = rng.integers(0, 30, rows) * (rng.random(rows) < 0.7)
        indptr = np.concatenate([[0], np.cumsum(lengths)])
        cuts = block_cuts(indptr, words, topics)
        assert cuts[0] == 0
        assert cuts[-1] == rows
        assert (np.diff(cuts) > 0).all()
        blocks = len(cuts) - 1
        assert blocks <= MOST_BLOCKS
        assert blocks * words * topics <= max(indptr[-1], 2 * words * topics)


def test_blocked_sums_are_those_of_the_kernel(rng):
    from manyviews.kernels import plsa as kernels

    for _ in range(20):
        X = counts(rng, int(rng.integers(1, 80)), int(rng.integers(1, 50)))
        k = int(rng.integers(1, 7))
        h, w = rng.random((X.shape[0], k)), rng.random((X.shape[1], k))
        w[rng.random(w.shape[0]) < 0.1] = 0.0
        plain = np.empty_like(h), np.empty_like(w)
        value = kernels.em_step(X.indptr, X.indices, X.data, h, w, *plain)
        with Threads(2) as threads:
            blocked = BlockedCounts((X.indptr, X.indices, X.data), w.shape, threads)
            sums = np.empty_like(h), np.empty_like(w)
            assert blocked.step(h, w, *sums) == pytest.approx(value)
        for one, two in zip(plain, sums, strict=True):
            np.testing.assert_allclose(one, two, rtol=1e-12, atol=1e-12)


def test_number_of_threads():
    assert n_threads(3) == 3
    assert n_threads(-1) >= 1
    for wrong in (0, -2, 1.5, "two"):
        with pytest.raises(ValueError, match="n_jobs must be"):
            n_threads(wrong)
