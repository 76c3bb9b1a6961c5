"""Online classifiers of one, two and many views: the papers' updates, and streams in pieces."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from problems import equal_parts
from sklearn.base import clone
from sklearn.linear_model import SGDClassifier

from manyviews.models.multi_view_pa import MultiViewPassiveAggressive
from manyviews.models.online import online_labels, online_view, online_views, resolve_classes
from manyviews.models.passive_aggressive import PassiveAggressive
from manyviews.models.two_view_pa import TwoViewPassiveAggressive


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


@pytest.mark.parametrize(("mode", "rate"), [("PA", None), ("PA-I", "pa1"), ("PA-II", "pa2")])
def test_one_view_is_the_papers_and_scikit_learns(mode, rate, rng):
    (X,), y = stream(rng, widths=(20,), n_classes=2)
    for C in (0.01, 0.1, 1.0):
        model = PassiveAggressive(C=C, mode=mode, shuffle=False).fit(X, y)
        np.testing.assert_allclose(model.coef_, crammer(X, y, C, mode), atol=1e-12)
        if rate:
            peer = SGDClassifier(
                loss="hinge", penalty=None, learning_rate=rate, eta0=C, fit_intercept=False,
                shuffle=False, max_iter=3, tol=None,
            ).fit(X, y)  # fmt: skip
            ours = clone(model).set_params(max_iter=3).fit(X, y)
            np.testing.assert_allclose(ours.coef_, peer.coef_[0], rtol=0, atol=1e-12)


def solve_round(W, x, theta, up, down, sign, C, gamma):
    """One round in the weights of all classes; margins of class ``up`` against ``down``."""
    import cvxpy as cp

    variable = [cp.Variable(part.shape) for part in W]
    margins = []
    for v, part in enumerate(variable):
        margin = sign * (part[up] @ x[v])
        margins.append(margin if down is None else margin - part[down] @ x[v])
    cost = sum(0.5 * cp.sum_squares(part - W[v]) for v, part in enumerate(variable))
    for one, two in itertools.combinations(margins, 2):
        cost += gamma * cp.abs(one - two)
    cost += C * cp.pos(1 - sum(theta[v] * margins[v] for v in range(len(W))))
    problem = cp.Problem(cp.Minimize(cost))
    problem.solve(solver="CLARABEL", tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12)
    return [np.asarray(part.value) for part in variable]


@pytest.mark.mip
@pytest.mark.parametrize(
    ("n_classes", "multiclass", "weights"),
    [(2, "ovr", "hedge"), (3, "ovr", [3.0, 1.0, 1.0]), (3, "margin", "hedge")],
)
def test_a_stream_of_rounds_follows_the_solver(n_classes, multiclass, weights, rng):
    views, y = stream(rng, n_rows=8, widths=(3, 2, 2), n_classes=n_classes)
    classes = np.unique(y)
    model = MultiViewPassiveAggressive(
        C=0.3, gamma=0.05, multiclass=multiclass, weights=weights, rate=0.3, gate="always",
        empty="agree",
    )  # fmt: skip
    n_problems = 1 if n_classes == 2 else n_classes
    first = np.array([1.0, 1, 1] if isinstance(weights, str) else weights)
    W, theta = [np.zeros((n_problems, view.shape[1])) for view in views], first / first.sum()
    for i, label in enumerate(np.searchsorted(classes, y)):
        x = [view[[i]].toarray()[0] for view in views]
        model.partial_fit([view[[i]] for view in views], y[[i]], classes=classes)
        if multiclass == "margin":
            scores = sum(theta[v] * (W[v] @ x[v]) for v in range(3))
            rival = max((k for k in range(n_classes) if k != label), key=lambda k: scores[k])
            W = solve_round(W, x, theta, label, rival, 1.0, 0.3, 0.05)
        else:
            for k in range(n_problems):
                sign = 1.0 if label == (k if n_problems > 1 else 1) else -1.0
                W = solve_round(W, x, theta, k, None, sign, 0.3, 0.05)
        found = [model.coef_[:, columns] for columns in model.view_slices_]
        equal_parts(found, W, atol=1e-5)
        W, theta = [part.copy() for part in found], model.weights_.copy()


@pytest.mark.parametrize("gate", ["loss", "always"])
@pytest.mark.parametrize(("many_rule", "two_rule"), [("agree", "exact"), ("ignore", "single")])
def test_two_views_and_two_classes_is_the_exact_two_view_model(gate, many_rule, two_rule, rng):
    views, y = stream(rng, widths=(6, 5), n_classes=2)
    options = {"C": 0.2, "gamma": 0.03, "gate": gate, "shuffle": False}
    many = MultiViewPassiveAggressive(empty=many_rule, **options).fit(views, y)
    two = TwoViewPassiveAggressive(variant="exact", empty=two_rule, **options).fit(views, y)
    np.testing.assert_allclose(many.coef_[0], np.concatenate(two.coef_), atol=1e-10)
    np.testing.assert_allclose(many.decision_function(views), two.decision_function(views))


def test_one_view_is_pa1_and_with_classes_the_rule_of_crammer(rng):
    """tau = min(C, loss / (2 |x|^2)) for the true class and its strongest rival."""
    (X,), y = stream(rng, widths=(7,), n_classes=2, noise=2.0)
    many = MultiViewPassiveAggressive(C=0.2, gamma=0.5, shuffle=False).fit([X], y)
    np.testing.assert_allclose(many.coef_[0], crammer(X, y, 0.2, "PA-I"), atol=1e-12)
    (X,), y = stream(rng, widths=(7,), n_classes=4, noise=2.0)
    W = np.zeros((4, 7))
    for x, label in zip(X.toarray(), y, strict=True):
        scores = W @ x
        rival = max((k for k in range(4) if k != label), key=lambda k: scores[k])
        loss = max(0.0, 1 - scores[label] + scores[rival])
        if loss > 0 and x @ x > 0:
            tau = min(0.2, loss / (2 * x @ x))
            W[label] += tau * x
            W[rival] -= tau * x
    model = MultiViewPassiveAggressive(C=0.2, multiclass="margin", shuffle=False).fit([X], y)
    np.testing.assert_allclose(model.coef_, W, atol=1e-10)


def test_hedge_lets_the_better_view_dominate():
    rng = np.random.default_rng(0)
    views, y = stream(rng, n_rows=400, widths=(6, 6), n_classes=2, empty=0.0)
    views[1] = sp.csr_matrix(rng.normal(size=views[1].shape))  # a view of noise
    hedged = MultiViewPassiveAggressive(C=0.1, gamma=0.0, weights="hedge", rate=0.1)
    assert hedged.fit(views, y).weights_[0] > 0.95
    equal = MultiViewPassiveAggressive(C=0.1, gamma=0.0).fit(views, y)
    np.testing.assert_array_equal(equal.weights_, 0.5)


@pytest.mark.parametrize("C", [0.1, 10.0])
def test_identical_views_exact_is_pa1_with_half_c_printed_is_not(C, rng):
    (X,), y = stream(rng, widths=(30,), n_classes=2, empty=0.0)
    exact = TwoViewPassiveAggressive(C=C, variant="exact", shuffle=False).fit([X, X], y)
    equal_parts(exact.coef_, [crammer(X, y, C / 2, "PA-I")] * 2, atol=1e-10)
    printed = TwoViewPassiveAggressive(C=C, variant="printed", shuffle=False).fit([X, X], y)
    for other in (C, C / 2):
        assert np.abs(printed.coef_[0] - crammer(X, y, other, "PA-I")).max() > 1e-3


def test_no_agreement_and_unit_norms_is_pa_on_the_concatenation(rng):
    """With gamma = 0 the exact problem is PA-I on (x^A, x^B)/2 with weights (w^A, w^B)."""
    views, y = stream(rng, widths=(12, 9), n_classes=2, empty=0.0)
    model = TwoViewPassiveAggressive(C=0.3, gamma=0.0, variant="exact", shuffle=False)
    both = crammer(sp.hstack(views).tocsr() * 0.5, y, 0.3, "PA-I")
    np.testing.assert_allclose(np.concatenate(model.fit(views, y).coef_), both, atol=1e-10)


MODELS = [
    PassiveAggressive(C=0.2),
    *(
        TwoViewPassiveAggressive(variant=variant, gate=gate, trace=True)
        for variant, gate in (("printed", "loss"), ("eq11", "always"), ("exact", "always"))
    ),
    MultiViewPassiveAggressive(weights="hedge", multiclass="margin", trace=True),
]


def state(model):
    """All that a stream changes."""
    names = ("coef_", "weights_", "trace_", "n_rounds_")
    found = [getattr(model, name) for name in names if hasattr(model, name)]
    parts = [value if isinstance(value, list) else [value] for value in found]
    return [np.concatenate([np.ravel(part) for part in several]) for several in parts]


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
        before = [part.copy() for part in state(pieces)]
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
        equal_parts(before, state(pieces))
    equal_parts(state(whole), state(pieces))


def test_trace_holds_the_scores_before_each_update(rng):
    views, y = stream(rng, widths=(12, 9), n_classes=2)
    model = TwoViewPassiveAggressive(trace=True)
    for i in range(60):
        rows = [view[[i]] for view in views]
        before = model.view_scores(rows)[0] if i else np.zeros(2)
        model.partial_fit(rows, y[[i]])
        np.testing.assert_allclose(model.trace_[-1], before, atol=1e-12)
    assert model.set_params(trace=False).fit(views, y).trace_.shape == (0, 2)


def test_batches_are_read_not_copied_and_named_views_keep_the_order_of_the_first(rng):
    X = sp.csr_matrix(np.eye(3))
    assert online_view(X, "X") is X
    dense = rng.integers(0, 3, (5, 4)).astype(float)
    for make in (sp.csc_matrix, sp.coo_matrix, sp.csr_array, np.asarray):
        view = online_view(make(dense), "X")
        np.testing.assert_array_equal(view.toarray(), dense)
        assert view.has_canonical_format
    twice = sp.csr_matrix((np.array([1.0, 2.0]), np.array([1, 1]), np.array([0, 2])), shape=(1, 3))
    assert online_view(twice, "X").data.tolist() == [3.0]
    assert online_view(sp.csr_matrix(np.array([[1e308, 1e308]])), "X").nnz == 2
    batch = {"b": np.full((1, 2), 2.0), "a": np.ones((1, 3))}
    views, names = online_views(batch, n_features=[3, 2], fitted=("a", "b"))
    assert names == ("b", "a")
    assert [view.shape[1] for view in views] == [3, 2]


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
