import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from problems import equal_parts, log_likelihood, never_falls, starts, word_views

from manyviews.kernels import pair_similarity as kernels
from manyviews.models.pairwise_coplsa import PairwiseCoPLSA
from manyviews.models.pairwise_parts import distinct_numbers, draw_pairs
from manyviews.models.plsa import PLSA


def gaussian(P, sigma):
    return np.exp(-((P[:, None] - P[None]) ** 2).sum(axis=2) / sigma)


def naive_fit(Xs, init, pairs, lam, sigma, taus, iterations):
    """Equations (9), (12), (13)/(17) written down with full arrays; clipping as documented."""
    n = Xs[0].shape[0]
    keep = np.zeros((n, n))
    keep[pairs[:, 0], pairs[:, 1]] = keep[pairs[:, 1], pairs[:, 0]] = 1
    P = [h.copy() for h, _ in init]
    W = [w.copy() for _, w in init]
    for _ in range(iterations):
        posteriors = []
        for X, p, w in zip(Xs, P, W, strict=True):
            joint = p[:, None, :] * w.T[None]
            total = np.maximum(joint.sum(axis=2, keepdims=True), 1e-300)
            posteriors.append(X.toarray()[:, :, None] * joint / total)
        for v in range(len(Xs)):
            counts = posteriors[v].sum(axis=1)
            own = gaussian(P[v], sigma)
            gradient = np.zeros_like(P[v])
            for u in range(len(Xs)):
                if u != v:
                    T = keep * own * (own - gaussian(P[u], sigma))
                    for i in range(n):
                        gradient[i] += -8 / sigma * (T[i][:, None] * (P[v][i] - P[v])).sum(axis=0)
            raw = np.maximum(taus[v] * counts - lam * P[v] * gradient, 0)
            raw = np.where(raw == 0, 1e-12 * taus[v] * counts.sum(axis=1, keepdims=True), raw)
            P[v] = raw / raw.sum(axis=1, keepdims=True)
            W[v] = posteriors[v].sum(axis=0).T
            W[v] /= W[v].sum(axis=1, keepdims=True)
    return P, W


def objective(Xs, P, W, pairs, lam, sigma, taus):
    parts = zip(Xs, P, W, taus, strict=True)
    value = sum(tau * log_likelihood(X, p, w) for X, p, w, tau in parts)
    for v in range(len(Xs)):
        for u in range(v + 1, len(Xs)):
            difference = gaussian(P[v], sigma) - gaussian(P[u], sigma)
            value -= lam * 2 * (difference[pairs[:, 0], pairs[:, 1]] ** 2).sum()
    return value


@pytest.mark.parametrize(("k", "taus"), [(3, [0.5, 0.3, 0.2]), (70, [0.6, 0.4])])
def test_printed_update_equals_the_equations(k, taus, rng):
    Xs = word_views(rng, n=k + 22, widths=(12, 15, 10)[: len(taus)], length=20.0)[0]
    init = starts(rng, Xs, k)
    model = PairwiseCoPLSA(
        k, lam=1.5, sigma=0.8, pair_share=0.4, view_weights=taus, max_iter=6, tol=0.0,
        random_state=1, init=init,
    ).fit(Xs)  # fmt: skip
    P, W = naive_fit(Xs, init, model.pairs_, 1.5, 0.8, taus, 6)
    equal_parts(model.doc_topic_ + model.topic_word_, P + W, atol=1e-9)
    expected = objective(Xs, P, W, model.pairs_, 1.5, 0.8, taus)
    assert model.objective_[-1] == pytest.approx(expected, rel=1e-10)
    assert len(model.rho_) == len(model.negative_share_) == 6


@pytest.mark.parametrize("update", ["printed", "safeguarded"])
@pytest.mark.parametrize("taus", [None, [0.3, 0.7]])
def test_lambda_zero_is_plsa_exactly(update, taus, rng):
    Xs = word_views(rng)[0]
    filled = sp.diags((np.arange(60) != 7).astype(float))  # document 7 is empty in view 1
    Xs[1] = sp.csr_matrix(filled @ Xs[1])
    init = starts(rng, Xs, 4)
    model = PairwiseCoPLSA(
        4, lam=0.0, update=update, view_weights=taus, max_iter=25, tol=0.0, init=init
    ).fit(Xs)
    alone = [PLSA(4, max_iter=25, tol=0.0, init=init[v]).fit(X) for v, X in enumerate(Xs)]
    equal_parts(model.doc_topic_, [plsa.doc_topic_ for plsa in alone])
    equal_parts(model.topic_word_, [plsa.topic_word_ for plsa in alone])
    assert not model.rho_.any()


@pytest.mark.parametrize(("sigma", "lam"), [(0.1, 0.7), (1.0, 70.0), (3.0, 7.0), ("mean", 7.0)])
def test_safeguarded_never_decreases(sigma, lam, rng):
    Xs = word_views(rng, n=40)[0]
    if rng.random() < 0.5:  # rows that sum to one: the regime in which the printed step diverges
        Xs = [sp.csr_matrix(X / X.sum(axis=1)) for X in Xs]
    model = PairwiseCoPLSA(
        3, lam=lam, sigma=sigma, pair_share=0.3, update="safeguarded", max_iter=40, tol=0.0,
        random_state=int(rng.integers(1 << 30)),
    ).fit(Xs)  # fmt: skip
    never_falls(model.objective_[6:] if sigma == "mean" else model.objective_, 1e-10)
    for h in model.doc_topic_:
        assert (h >= 0).all()
        np.testing.assert_allclose(h.sum(axis=1), 1.0, atol=1e-9)


def test_updates_coincide_while_every_step_is_safe():
    rng = np.random.default_rng(0)
    Xs = word_views(rng, length=200.0)[0]
    options = {"lam": 0.1, "max_iter": 300, "tol": 0.0, "init": starts(rng, Xs, 3)}
    printed = PairwiseCoPLSA(3, random_state=3, **options).fit(Xs)
    guarded = PairwiseCoPLSA(3, random_state=3, update="safeguarded", **options).fit(Xs)
    assert printed.unsafe_steps_ == guarded.backtracks_ == 0
    equal_parts(printed.doc_topic_, guarded.doc_topic_)


def test_missing_rows_are_zero_rows_and_do_not_pull_on_the_others(rng):
    """Pairs with a missing row are out of the penalty: its start cannot matter to the rest."""
    Xs = word_views(rng)[0]
    observed = np.arange(60) % 5 != 0
    zeroed = sp.csr_matrix(sp.diags(observed.astype(float)) @ Xs[1])
    init = starts(rng, Xs, 3)
    moved = [init[0], (init[1][0].copy(), init[1][1])]
    moved[1][0][~observed] = rng.dirichlet(np.ones(3), int((~observed).sum()))
    options = {"lam": 0.5, "max_iter": 10, "random_state": 0, "pair_share": 0.5, "tol": 0.0}
    one = PairwiseCoPLSA(3, init=init, **options).fit(Xs, observed=[None, observed])
    empty = PairwiseCoPLSA(3, init=init, **options).fit([Xs[0], zeroed])
    equal_parts(one.doc_topic_, empty.doc_topic_)
    two = PairwiseCoPLSA(3, init=moved, **options).fit(Xs, observed=[None, observed])
    np.testing.assert_array_equal(one.doc_topic_[0], two.doc_topic_[0])
    np.testing.assert_array_equal(one.doc_topic_[1][observed], two.doc_topic_[1][observed])
    # a missing row is a mean of the others: topics that sum to one, weighted by the other view
    known = one.doc_topic_[0]
    for i in np.flatnonzero(~observed):
        distance = ((known[observed] - known[i]) ** 2).sum(axis=1)
        mean = np.average(one.doc_topic_[1][observed], axis=0, weights=np.exp(-distance))
        np.testing.assert_allclose(one.doc_topic_[1][i], mean, atol=1e-12)


def test_pairs_are_fixed_distinct_and_of_the_asked_share(rng):
    left, right = draw_pairs(700, 0.05, rng)
    assert left.size == round(0.05 * 700 * 699 / 2)
    assert (left < right).all()
    assert len({*zip(left.tolist(), right.tolist(), strict=True)}) == left.size
    assert draw_pairs(40, 1.0, rng)[0].size == 40 * 39 // 2
    Xs = word_views(rng)[0]
    one = PairwiseCoPLSA(3, random_state=9, max_iter=1).fit(Xs)
    two = PairwiseCoPLSA(3, random_state=9, max_iter=3, init=starts(rng, Xs, 3)).fit(Xs)
    np.testing.assert_array_equal(one.pairs_, two.pairs_)


@pytest.mark.parametrize("count", [1, 300, 779])
def test_distinct_numbers_are_drawn_evenly(rng, count):
    """Every number is as likely as any other, also where most of them are wanted."""
    total, times = 780, 400
    seen = np.zeros(total)
    for _ in range(times):
        found = distinct_numbers(total, count, rng)
        assert found.size == count
        assert (np.diff(found) > 0).all()
        assert 0 <= found[0] <= found[-1] < total
        seen[found] += 1
    share = count / total
    spread = np.sqrt(times * share * (1 - share)) + 1
    assert np.abs(seen - times * share).max() < 6 * spread


def test_bad_data_is_explained(rng):
    Xs = word_views(rng)[0]
    gone = np.arange(60) != 4
    for views, observed, text in (
        (Xs, [None], "observed has 1 masks for 2 views"),
        (Xs, [None, gone[:3]], r"observed\[1\] must be a boolean mask"),
        (Xs, [gone, gone], "document 4 is missing or all zero in every view"),
        ([Xs[0], sp.csr_matrix(Xs[1].shape)], None, "view 1 has no document with words"),
    ):
        with pytest.raises(ValueError, match=text):
            PairwiseCoPLSA(3).fit(views, observed=observed)


@pytest.mark.parametrize("n", [2, 3, 7, 30])
def test_decoding_lists_every_pair_once_in_order(n, rng):
    left, right = kernels.decode_pairs(np.arange(n * (n - 1) // 2), n)
    assert list(zip(left, right, strict=True)) == list(itertools.combinations(range(n), 2))
    P = rng.dirichlet(np.ones(5), n)
    gaps = ((P[left] - P[right]) ** 2).sum(axis=1)
    assert kernels.mean_squared_distance(P, left, right) == pytest.approx(gaps.mean())


def test_clipped_update_is_its_formula(rng):
    """A row without words, or with nothing positive, stays."""
    for _ in range(100):
        p, gradient = rng.dirichlet(np.ones(5), 4), rng.normal(0, 15, (4, 5))
        counts = p * rng.gamma(1.0, 10.0, (4, 5))
        counts[3] = 0.0
        pull, target = 1.3 * p * gradient, np.empty_like(p)
        found = kernels.clipped_rows(p, counts, gradient, 1.3, 1e-12, target)
        raw = counts - pull
        assert found == ((raw < 0).sum(), pytest.approx(np.abs(pull).sum()))
        stays = ~((raw > 0).any(axis=1) & counts.any(axis=1))
        raw = np.where(raw < 0, 1e-12 * counts.sum(axis=1, keepdims=True), raw)
        raw[stays] = p[stays]
        np.testing.assert_allclose(target, raw / raw.sum(axis=1, keepdims=True), rtol=1e-12)


def test_log_gain_ignores_empty_topics():
    counts = np.array([[2.0, 0.0], [1.0, 3.0]])
    old = np.array([[0.5, 0.5], [0.25, 0.75]])
    new = np.array([[1.0, 0.0], [0.5, 0.5]])
    expected = 3 * np.log(2.0) + 3 * np.log(2 / 3)
    assert kernels.log_gain(counts, old, new) == pytest.approx(expected, rel=1e-12)
    new[1, 1] = 0.0
    assert kernels.log_gain(counts, old, new) == -np.inf
