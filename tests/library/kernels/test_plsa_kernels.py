"""EM of PLSA and MVPLSA against naive ones that form all posteriors (of MVPLSA those of eq. 9)."""

import numpy as np
import pytest
import scipy.sparse as sp
from problems import equal_parts, never_falls

from manyviews.kernels import mvplsa as kernels
from manyviews.kernels import plsa
from manyviews.models.factored_em import factored_em, fold_in, random_topics


def shares(counts, otherwise):
    """Rows that sum to one; those without counts are otherwise."""
    mass = counts.sum(axis=1, keepdims=True)
    return np.where(mass > 0, counts / np.where(mass > 0, mass, 1), otherwise)


def naive_em(Os, p_zd, frozen, p_fy, p_yz, n_iter, weights):
    """Eqs. 9, 15, 16, 17 written out with dense arrays; 0/0 counts as 0."""
    p_fy, p_yz = list(p_fy), list(p_yz)
    for _ in range(n_iter):
        document_sums = np.zeros_like(p_zd)
        for v, X in enumerate(Os):
            joint = np.einsum("yf,zy,dz->dfyz", p_fy[v], p_yz[v], p_zd)
            total = joint.sum(axis=(2, 3), keepdims=True)
            posterior = np.divide(joint, total, out=np.zeros_like(joint), where=total > 0)
            counts = weights[v] * X[:, :, None, None] * posterior
            document_sums += counts.sum(axis=(1, 2))
            p_fy[v] = shares(counts.sum(axis=(0, 3)).T, 0.0)
            p_yz[v] = shares(counts.sum(axis=(0, 1)).T, p_yz[v])
        p_zd = np.where(frozen[:, None], p_zd, shares(document_sums, p_zd))
    return p_zd, p_fy, p_yz


@pytest.mark.parametrize(
    ("n_rows", "sizes", "n_classes", "n_topics", "n_iter"),
    [
        (8, (6,), 1, (1,), 8),
        (9, (7, 5), 2, (4, 4), 60),
        (12, (9, 4, 6), 3, (5, 2, 8), 20),
        (10, (8, 5), 4, (3, 6), 20),
        (10, (513, 3), 5, (2, 7), 6),
        (14, (9, 6), 9, (3, 5), 20),
        (12, (9, 6), 18, (70, 5), 6),
        (7, (kernels.BLOCK + 5,), 11, (20,), 3),
    ],
)
@pytest.mark.parametrize("density", [0.0, 0.4, 1.0])
def test_factored_equals_naive(n_rows, sizes, n_classes, n_topics, n_iter, density, rng):
    """With an empty document, one that is empty in a view, unused features, fractional weights."""
    Os = []
    for size in sizes:
        X = rng.poisson(2.0, (n_rows, size)) * (rng.random((n_rows, size)) < density)
        X = X * (rng.random((n_rows, size)) + 0.5)
        X[:, rng.integers(size)] = X[n_rows - 1] = 0.0
        Os.append(X)
    Os[0][n_rows - 2] = 0.0
    p_zd, frozen = rng.dirichlet(np.ones(n_classes), n_rows), np.arange(n_rows) < 2
    p_zd[frozen] = np.eye(n_classes)[rng.integers(n_classes, size=2)]
    Xs = [sp.csr_matrix(X) for X in Os]
    p_fy, p_yz = random_topics(Xs, n_topics, n_classes, rng)
    weights = [1.0, 0.3, 2.5][: len(Os)]
    state = factored_em(
        Xs, p_zd, frozen, p_fy, p_yz, n_iter=n_iter, weights=weights, track_loglik=True
    )
    new_zd, new_fy, new_yz = naive_em(Os, p_zd, frozen, p_fy, p_yz, n_iter, weights)
    np.testing.assert_allclose(state.p_zd, new_zd, atol=1e-9)
    np.testing.assert_array_equal(state.p_zd[frozen], p_zd[frozen])
    never_falls(state.loglik)
    equal_parts(state.p_fy + state.p_yz, new_fy + new_yz, atol=1e-9)
    equal_parts(state.p_fz, [q @ p for q, p in zip(new_yz, new_fy, strict=True)], atol=1e-9)


def test_hard_start_with_zero_predictions():
    """One-hot p(z|d) and features whose class never generates them: 0/0 is 0, nothing is NaN."""
    X = sp.csr_matrix(np.array([[2.0, 0.0], [0.0, 3.0], [1.0, 1.0]]))
    p_zd = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    p_fy, p_yz = [np.array([[1.0, 0.0], [0.0, 1.0]])], [np.eye(2)]
    state = factored_em([X], p_zd, np.zeros(3, bool), p_fy, p_yz, n_iter=20)
    for array in (state.p_zd, state.p_fy[0], state.p_yz[0]):
        assert np.isfinite(array).all()
    np.testing.assert_allclose(state.p_zd.sum(axis=1), 1.0)
    expected = naive_em([X.toarray()], p_zd, np.zeros(3, bool), p_fy, p_yz, 20, [1.0])
    np.testing.assert_allclose(state.p_zd, expected[0], atol=1e-12)


def test_vanished_probabilities_become_zero():
    A = np.array([[1.0, 1e-200], [0.0, 0.0]])
    p_zd = np.full((2, 2), 0.5)
    kernels.update_documents(p_zd, A, np.zeros(2, bool))
    np.testing.assert_array_equal(p_zd, [[1.0, 0.0], [0.5, 0.5]])


def test_fold_in_maximises_the_likelihood_of_each_document(rng):
    X = sp.csr_matrix(rng.poisson(2.0, (6, 8)) * 1.0)
    B = rng.dirichlet(np.ones(8), 2)
    found = fold_in([X], [B], n_iter=3000, tol=1e-13)
    grid = np.linspace(1e-6, 1 - 1e-6, 20001)
    mixture = grid[:, None] * B[0] + (1 - grid)[:, None] * B[1]
    best = grid[(X @ np.log(mixture).T).argmax(axis=1)]
    np.testing.assert_allclose(found[:, 0], best, atol=2e-3)


@pytest.mark.parametrize("n_topics", [1, 2, 7, 8, 19, 65, 130, 3000])
def test_steps_equal_the_dense_responsibilities(n_topics, rng):
    """With an empty document, a word without probability, and blocks of few words (3000 topics)."""
    n_docs, n_words = int(rng.integers(4, 20)), int(rng.integers(5, 40))
    counts = rng.poisson(2.0, (n_docs, n_words)) * (rng.random((n_docs, n_words)) < 0.3) * 1.0
    counts[3] = 0
    X = sp.csr_matrix(counts)
    h, w = rng.dirichlet(np.ones(n_topics), n_docs), rng.random((n_words, n_topics))
    w[4] = 0.0
    mixture = h @ w.T
    seen = (counts > 0) & (mixture > 0)
    ratio = np.divide(counts, mixture, out=np.zeros_like(counts), where=seen)
    likelihood = (counts[seen] * np.log(mixture[seen])).sum()

    doc, word, alone = np.full_like(h, np.nan), np.full_like(w, np.nan), np.full_like(h, np.nan)
    loglik = plsa.em_step(X.indptr, X.indices, X.data, h, w, doc, word)
    again = plsa.fold_in_step(X.indptr, X.indices, X.data, h, w, alone)
    wanted = h * (ratio @ w), w * (ratio.T @ h), h * (ratio @ w)
    equal_parts((doc, word, alone), wanted, rtol=1e-11, atol=1e-14)
    assert (loglik, again) == pytest.approx((likelihood, likelihood), rel=1e-12)

    iterated, steps = h.copy(), 9
    for _ in range(steps):
        plsa.fold_in_step(X.indptr, X.indices, X.data, iterated, w, alone)
        plsa.normalise_documents(alone, iterated)
    done = plsa.fold_in(X.indptr, X.indices, X.data, h, w, steps, 0.0)
    assert done == steps or n_topics == 1  # one topic has nothing to change
    np.testing.assert_allclose(h, iterated, rtol=1e-11, atol=1e-15)


def test_normalisers_keep_rows_and_topics_without_counts():
    counts = np.array([[1.0, 3.0], [0.0, 0.0]])
    h = np.array([[0.5, 0.5], [0.2, 0.8]])
    plsa.normalise_documents(counts, h)
    np.testing.assert_array_equal(h, [[0.25, 0.75], [0.2, 0.8]])
    counts = np.array([[1.0, 0.0], [3.0, 0.0]])
    w = np.array([[0.5, 0.1], [0.5, 0.9]])
    plsa.normalise_topics(counts, w)
    np.testing.assert_array_equal(w, [[0.25, 0.1], [0.75, 0.9]])
