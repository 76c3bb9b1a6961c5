"""Online classifiers of one, two and many views: rounds against a convex solver, whole streams."""

import itertools
from copy import deepcopy

import numpy as np
import pytest
import scipy.sparse as sp
from problems import learnt, same
from sklearn.base import clone

from manyviews.kernels import multi_view_pa
from manyviews.kernels.multi_view_pa import round_steps, workspace
from manyviews.kernels.passive_aggressive import (
    EMPTY_RULES,
    GATES,
    VARIANTS,
    two_view_steps,
)
from manyviews.models.multi_view_pa import MultiViewPassiveAggressive
from manyviews.models.online import online_labels, online_view, resolve_classes
from manyviews.models.passive_aggressive import PassiveAggressive
from manyviews.models.two_view_pa import TwoViewPassiveAggressive


def assert_optimal(m, m0, a, theta, C, gamma, leave_out):
    """Assert that margins solve the section-3.3 problem for V views, one row a round.

    Independent rounds are one separable problem; views of length 0 cannot move.
    """
    import cvxpy as cp

    x, fixed = cp.Variable(m0.shape), a <= 0
    weight = np.divide(0.5, a, out=np.zeros_like(a), where=~fixed)
    slack = cp.pos(1 - cp.sum(cp.multiply(theta, x), axis=1))
    costs = cp.sum(cp.multiply(weight, cp.square(x - m0)), axis=1) + cp.multiply(C, slack)
    for u, v in itertools.combinations(range(m0.shape[1]), 2):
        counts = ~(fixed[:, u] | fixed[:, v]) | (not leave_out)
        costs += cp.multiply(gamma * counts, cp.abs(x[:, u] - x[:, v]))
    tight = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-13)
    constraints = [x[fixed] == m0[fixed]] if fixed.any() else []
    cp.Problem(cp.Minimize(cp.sum(costs)), constraints).solve(solver="CLARABEL", **tight)
    x.value = np.where(fixed, m0, x.value)
    oracle = costs.value
    x.value = m
    assert (costs.value - oracle).max() < 1e-9


def random_rounds(rng, n_rounds, n_views, empty=0.0):
    a = np.exp(rng.normal(0, 1.5, (n_rounds, n_views)))
    m0 = rng.normal(0, 1.5, (n_rounds, n_views))
    gone = rng.random((n_rounds, n_views)) < empty
    a[gone] = m0[gone] = 0.0
    return a, m0, np.exp(rng.normal(-1, 1, n_rounds)), np.exp(rng.normal(-2, 1.5, n_rounds))


def general_steps(a, m, theta, C, gamma, leave_out):
    steps = np.empty(len(a))
    tau = round_steps((a, m, theta, gamma, leave_out), C, steps, workspace(len(a)))
    assert 0.0 <= tau <= C
    return steps


@pytest.mark.mip
@pytest.mark.parametrize("n_views", [1, 2, 5])
@pytest.mark.parametrize(("empty", "leave_out"), [(0.0, False), (0.25, False), (0.25, True)])
def test_multi_view_round_is_the_optimum(n_views, empty, leave_out, rng):
    a, m0, C, gamma = random_rounds(rng, 200, n_views, empty)
    theta = rng.dirichlet(np.ones(n_views), size=len(a))
    m = m0.copy()
    for i in range(len(a)):
        m[i] += a[i] * general_steps(a[i], m0[i], theta[i], C[i], gamma[i], leave_out)
    assert_optimal(m, m0, a, theta, C, gamma, leave_out)


@pytest.mark.parametrize("spread", [0.1, 1.0, 30.0])
def test_two_views_steps_are_the_general_solvers_to_the_bit(rng, spread):
    for _ in range(1000):
        a, m = np.exp(rng.normal(0, 2, 2)), rng.normal(0, spread, 2)
        if rng.random() < 0.3:
            m[1] = m[0]  # ties
        share = rng.choice([0.0, 0.5, 1.0, rng.random()])
        theta = np.array([share, 1.0 - share])
        C = float(np.exp(rng.normal(0, 3)))
        gamma = float(rng.choice([0.0, np.exp(rng.normal(0, 3))]))
        found = multi_view_pa.two_view_steps(*a, *m, *theta, C, gamma)
        expected = general_steps(a, m, theta, C, gamma, True)
        assert np.array_equal(found, expected), (a, m, theta, C, gamma)


def algorithm_1(A, B, mA, mB, C, gamma):
    """Algorithm 1 line by line, with its alpha and beta."""
    loss = max(0.0, 1 - 0.5 * (mA + mB))
    if loss == 0:
        return 0.0, 0.0
    quotient = ((1 - mB) / B - (1 - mA) / A) / (A + B)
    alpha = max(0.0, min(gamma, 0.5 * (gamma + quotient)))
    beta = max(0.0, min(gamma, 0.5 * (gamma - quotient)))
    tau = min(C, ((alpha - beta) * (A - B) + 2 * loss) / (A + B))
    return -(alpha - beta - 0.5 * tau), -(beta - alpha - 0.5 * tau)


def test_printed_round_is_algorithm_1(rng):
    a, m0, C, gamma = random_rounds(rng, 1000, 2)
    for i in range(len(a)):
        ours = two_view_steps(*a[i], *m0[i], C[i], gamma[i], VARIANTS["printed"], GATES["loss"], 0)
        np.testing.assert_allclose(ours, algorithm_1(*a[i], *m0[i], C[i], gamma[i]), atol=1e-12)


def test_empty_row_rules():
    """A row empty in view 2 at the start: what each rule does with the paper's C and gamma."""
    expected = {
        "exact": 0.0,  # agreement with 0 outweighs the loss
        "single": 0.05,  # min(C / 2, 2 loss / A)
        "skip": 0.0,
        "zero": 0.05 + 0.25 / 4,
        "limit": 0.05 - 0.5,  # away from the label
    }
    assert set(expected) == set(EMPTY_RULES)
    for rule, code in EMPTY_RULES.items():
        step = two_view_steps(4.0, 0.0, 0.0, 0.0, 0.1, 0.5, VARIANTS["printed"], 0, code)[0]
        assert step == pytest.approx(expected[rule], abs=1e-15)
        assert two_view_steps(0.0, 0.0, 0.0, 0.0, 0.1, 0.5, 0, 1, code) == (0.0, 0.0)


def stream(rng, n_rows=150, widths=(6, 5, 4), n_classes=3, noise=1.0, empty=0.1):
    """Sparse views of classes that overlap, some rows of zeros; two classes are -1 and 1."""
    y = np.concatenate([np.arange(n_classes), rng.integers(n_classes, size=n_rows - n_classes)])
    views = []
    for width in widths:
        X = 2 * rng.normal(size=(n_classes, width))[y] + noise * rng.normal(size=(n_rows, width))
        X[rng.random(n_rows) < empty] = 0
        views.append(sp.csr_matrix(X * (rng.random(X.shape) < 0.8)))
    return views, y if n_classes > 2 else 2 * y - 1


def crammer(X, y, C, mode):
    """The three updates of the paper's section 3.1 on dense rows."""
    w = np.zeros(X.shape[1])
    for x, label in zip(X.toarray(), y, strict=True):
        loss = max(0.0, 1 - label * (w @ x))
        if loss > 0 and x @ x > 0:
            tau = {
                "PA": loss / (x @ x),
                "PA-I": min(C, loss / (x @ x)),
                "PA-II": loss / (x @ x + 1 / (2 * C)),
            }[mode]
            w = w + tau * label * x
    return w


@pytest.mark.parametrize("mode", ["PA", "PA-I", "PA-II"])
def test_one_view_is_the_papers(mode, rng):
    (X,), y = stream(rng, widths=(20,), n_classes=2)
    for C in (0.01, 0.1, 1.0):
        model = PassiveAggressive(C=C, mode=mode, shuffle=False).fit(X, y)
        np.testing.assert_allclose(model.coef_, crammer(X, y, C, mode), atol=1e-12)


def plain_pass(views, labels, model):
    """The rounds of many views in plain numpy; the steps of one are tested with the kernels."""
    n_views, n = len(views), labels.max() + 1 if labels.max() > 1 else 1
    W, mistakes = [np.zeros((n, X.shape[1])) for X in views], np.zeros(n_views)
    theta = np.ones(n_views) if isinstance(model.weights, str) else np.array(model.weights)
    theta = theta / theta.sum()
    for i, label in enumerate(labels):
        x = [X[[i]].toarray()[0] for X in views]
        scores = np.array([w @ row for w, row in zip(W, x, strict=True)])
        if model.multiclass == "margin" and n > 1:
            rival = max(set(range(n)) - {label}, key=(theta @ scores).__getitem__)
            rounds = [{label: 1.0, rival: -1.0}]
        else:
            rounds = [{c: 1.0 if label == (c if n > 1 else 1) else -1.0} for c in range(n)]
        for signs in rounds:
            margins = sum(sign * scores[:, c] for c, sign in signs.items())
            if model.gate == "loss" and theta @ margins >= 1:
                continue
            norms = len(signs) * np.array([row @ row for row in x])
            leave_out = model.empty == "ignore"
            steps = general_steps(norms, margins, theta, model.C, model.gamma, leave_out)
            for (c, sign), v in itertools.product(signs.items(), range(n_views)):
                W[v][c] += sign * steps[v] * x[v]
        if model.weights == "hedge":
            scores = scores if n > 1 else np.hstack([-scores, scores])
            right = scores[:, label] > np.delete(scores, label, axis=1).max(axis=1)
            mistakes += ~right
            theta = np.exp(-model.rate * mistakes) / np.exp(-model.rate * mistakes).sum()
    return np.hstack(W), theta


@pytest.mark.parametrize("gate", ["loss", "always"])
@pytest.mark.parametrize("empty", ["agree", "ignore"])
@pytest.mark.parametrize(
    ("n_classes", "multiclass", "weights"),
    [
        (2, "ovr", "hedge"),
        (3, "ovr", [3.0, 1.0, 1.0]),
        (4, "margin", "hedge"),
        (18, "ovr", "equal"),
    ],
)
def test_many_views_are_rounds_in_plain_numpy(n_classes, multiclass, weights, gate, empty, rng):
    views, y = stream(rng, n_rows=60, n_classes=n_classes)
    model = MultiViewPassiveAggressive(
        C=0.3, gamma=0.05, multiclass=multiclass, weights=weights, rate=0.3, gate=gate,
        empty=empty, shuffle=False,
    ).fit(views, y)  # fmt: skip
    coef, theta = plain_pass(views, np.searchsorted(model.classes_, y), model)
    np.testing.assert_allclose(model.coef_, coef, atol=1e-9)
    np.testing.assert_allclose(model.weights_, theta, atol=1e-12)


@pytest.mark.parametrize("gate", ["loss", "always"])
@pytest.mark.parametrize(("many_rule", "two_rule"), [("agree", "exact"), ("ignore", "single")])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_two_views_are_the_exact_two_view_model_of_every_class(
    gate, many_rule, two_rule, n_classes, rng
):
    """To the bit; that weights given a little apart take the solver of many views to its place."""
    views, y = stream(rng, widths=(6, 5), n_classes=n_classes)
    options = {"C": 0.2, "gamma": 0.03, "gate": gate, "shuffle": False, "trace": True}
    many = MultiViewPassiveAggressive(empty=many_rule, **options).fit(views, y)
    general = clone(many).set_params(weights=[0.5, 0.5 + 1e-15]).fit(views, y)
    np.testing.assert_allclose(many.coef_, general.coef_, atol=1e-10)
    for k, label in enumerate(many.classes_[-len(many.coef_) :]):
        two = TwoViewPassiveAggressive(variant="exact", empty=two_rule, **options)
        two.fit(views, np.where(y == label, 1, -1))
        np.testing.assert_array_equal(many.coef_[k], np.concatenate(two.coef_))
        np.testing.assert_array_equal(many.view_scores(views)[:, :, k], two.view_scores(views))
        if k == 0:
            np.testing.assert_array_equal(many.trace_, two.trace_)


MODELS = [
    PassiveAggressive(C=0.2),
    *(
        TwoViewPassiveAggressive(variant=variant, gate=gate, trace=True)
        for variant, gate in (("printed", "loss"), ("eq11", "always"), ("exact", "always"))
    ),
    MultiViewPassiveAggressive(weights="hedge", multiclass="margin", trace=True),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_a_stream_in_any_pieces_is_one_pass_and_rejected_batches_leave_no_trace(model, rng):
    one, many = isinstance(model, PassiveAggressive), hasattr(model, "multiclass")
    n_views = 1 if one else 3 if many else 2
    views, y = stream(rng, widths=(12, 9, 7)[:n_views], n_classes=3 if many else 2, n_rows=90)

    def pick(rows):
        return views[0][rows] if one else [view[rows] for view in views]

    whole = clone(model).set_params(shuffle=False).fit(pick(slice(None)), y)
    pieces = clone(model)
    for start, stop in itertools.pairwise([0, 4, 5, 40, len(y)]):
        rows, few = slice(start, stop), stop - start
        pieces.partial_fit(pick(rows), y[rows])
        before = deepcopy(learnt(pieces))
        Xs = pick(rows)
        nan = np.where(np.arange(12) == 3, np.nan, np.ones((few, 12)))
        for wrong, labels, text in (
            (Xs, [7] * few, "label 7 in row 0 is not one of the classes"),
            (Xs, [*y[rows].tolist(), 1], r"one label per row"),
            (Xs[:, :-1] if one else [Xs[0][:, :-1], *Xs[1:]], y[rows], "columns|features"),
            (nan if one else [nan, *Xs[1:]], y[rows], "NaN or infinity"),
        ):
            with pytest.raises(ValueError, match=text):
                pieces.partial_fit(wrong, labels)
        same(before, learnt(pieces))
    same(learnt(whole), {**learnt(pieces), "n_iter_": 1})


def test_trace_holds_the_scores_before_each_update(rng):
    views, y = stream(rng, widths=(12, 9), n_classes=2)
    model = TwoViewPassiveAggressive(trace=True)
    for i in range(60):
        rows = [view[[i]] for view in views]
        before = model.view_scores(rows)[0] if i else np.zeros(2)
        model.partial_fit(rows, y[[i]])
        np.testing.assert_allclose(model.trace_[-1], before, atol=1e-12)
    assert model.set_params(trace=False).fit(views, y).trace_.shape == (0, 2)


def test_batches_are_read_not_copied_and_named_views_keep_the_order_of_the_first():
    X = sp.csr_matrix(np.eye(3))
    assert online_view(X, "X") is X
    twice = sp.csr_matrix((np.array([1.0, 2.0]), np.array([1, 1]), np.array([0, 2])), shape=(1, 3))
    assert online_view(twice, "X").data.tolist() == [3.0]
    assert online_view(sp.csr_matrix(np.array([[1e308, 1e308]])), "X").nnz == 2
    batch = {"a": np.ones((1, 3)), "b": np.full((1, 2), 2.0)}
    one, two = TwoViewPassiveAggressive(), TwoViewPassiveAggressive()
    one.partial_fit(batch, [1]).partial_fit(batch, [1])
    two.partial_fit(batch, [1]).partial_fit(dict(reversed(batch.items())), [1])
    same(one.coef_, two.coef_)


@pytest.mark.parametrize(
    ("y", "known", "codes"),
    [
        (["b", None, "a"], None, [1, -1, 0]),
        ([3.0, np.nan, 4.0], None, [0, -1, 1]),
        ([0, -1, 1], None, [0, -1, 1]),
        ([1, -1, 1], None, [1, 0, 1]),  # signs: -1 is a class
        ([-1, 0, 0], [0, 1], [-1, 0, 0]),
        ([-1, 1, 1], [-1, 1], [0, 1, 1]),
        ([-1, -1, -1], [0, 1], [-1, -1, -1]),
    ],
)
def test_rows_without_a_label_are_left_out(y, known, codes):
    known = None if known is None else np.array(known)
    found, _ = online_labels(y, 3, known=known, binary=True)
    assert found.tolist() == codes


@pytest.mark.parametrize(
    ("labels", "classes", "expected"),
    [
        ([1, 1], None, [-1, 1]),
        ([-1.0], None, [-1, 1]),
        ([0, 1], None, [0, 1]),
        ([5, 2, 5], None, [2, 5]),
        ([True, False], None, [False, True]),
        (["x"], ["y", "x"], ["x", "y"]),
    ],
)
def test_classes_of_a_first_batch(labels, classes, expected):
    assert list(resolve_classes(np.asarray(labels), classes, binary=True)) == expected
    for wrong, text in ((["a"], "one class alone, a"), ([0, 1, 2], "the labels name 3")):
        with pytest.raises(ValueError, match=text):
            resolve_classes(np.asarray(wrong), None, binary=True)
