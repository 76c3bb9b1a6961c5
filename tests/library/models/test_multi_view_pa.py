import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.models.multi_view_pa import MultiViewPassiveAggressive
from manyviews.models.passive_aggressive import PassiveAggressive
from manyviews.models.two_view_pa import TwoViewPassiveAggressive


def blobs(seed, n_rows=150, widths=(6, 5, 4), n_classes=3, noise=1.0, empty=0.1):
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_rows)
    views = []
    for width in widths:
        X = 2 * rng.normal(size=(n_classes, width))[y] + noise * rng.normal(size=(n_rows, width))
        X[rng.random(n_rows) < empty] = 0
        views.append(sp.csr_matrix(X))
    return views, y


def solve_round(W, x, theta, up, down, sign, C, gamma):
    """One round in the weights of all classes; margins of class ``up`` against ``down``."""
    import cvxpy as cp

    variable = [cp.Variable(part.shape) for part in W]
    margins = []
    for v, part in enumerate(variable):
        margin = sign * (part[up] @ x[v])
        margins.append(margin if down is None else margin - part[down] @ x[v])
    cost = sum(0.5 * cp.sum_squares(part - W[v]) for v, part in enumerate(variable))
    for v in range(len(W)):
        for u in range(v):
            cost += gamma * cp.abs(margins[u] - margins[v])
    cost += C * cp.pos(1 - sum(theta[v] * margins[v] for v in range(len(W))))
    problem = cp.Problem(cp.Minimize(cost))
    problem.solve(solver="CLARABEL", tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12)
    return [np.asarray(part.value) for part in variable]


@pytest.mark.mip
@pytest.mark.parametrize(
    ("n_classes", "multiclass", "weights"),
    [(2, "ovr", "hedge"), (3, "ovr", [3.0, 1.0, 1.0]), (3, "margin", "hedge")],
)
def test_a_stream_of_rounds_follows_the_solver(n_classes, multiclass, weights):
    views, y = blobs(1, n_rows=8, widths=(3, 2, 2), n_classes=n_classes)
    y[:n_classes] = np.arange(n_classes)
    C, gamma = 0.3, 0.05
    model = MultiViewPassiveAggressive(
        C=C, gamma=gamma, multiclass=multiclass, weights=weights, rate=0.3, gate="always",
        empty="agree",
    )  # fmt: skip
    n_problems = 1 if n_classes == 2 else n_classes
    for i in range(len(y)):
        x = [view[[i]].toarray()[0] for view in views]
        if i:
            W = [model.coef_[:, part].copy() for part in model.view_slices_]
            theta = model.weights_.copy()
        else:
            W = [np.zeros((n_problems, view.shape[1])) for view in views]
            first = np.array([1.0, 1, 1] if isinstance(weights, str) else weights)
            theta = first / first.sum()
        model.partial_fit([view[[i]] for view in views], y[[i]], classes=np.arange(n_classes))
        if multiclass == "margin":
            scores = sum(theta[v] * (W[v] @ x[v]) for v in range(3))
            rival = max((k for k in range(n_classes) if k != y[i]), key=lambda k: scores[k])
            expected = solve_round(W, x, theta, y[i], rival, 1.0, C, gamma)
        else:
            expected = W
            for k in range(n_problems):
                sign = 1.0 if y[i] == (k if n_problems > 1 else 1) else -1.0
                expected = solve_round(expected, x, theta, k, None, sign, C, gamma)
        for v, columns in enumerate(model.view_slices_):
            np.testing.assert_allclose(model.coef_[:, columns], expected[v], atol=1e-5)


@pytest.mark.parametrize("gate", ["loss", "always"])
@pytest.mark.parametrize(("many_rule", "two_rule"), [("agree", "exact"), ("ignore", "single")])
def test_two_views_and_two_classes_is_the_exact_two_view_model(gate, many_rule, two_rule):
    views, y = blobs(2, widths=(6, 5), n_classes=2)
    options = {"C": 0.2, "gamma": 0.03, "gate": gate, "shuffle": False}
    many = MultiViewPassiveAggressive(empty=many_rule, **options).fit(views, y)
    two = TwoViewPassiveAggressive(variant="exact", empty=two_rule, **options).fit(views, y)
    np.testing.assert_allclose(many.coef_[0], np.concatenate(two.coef_), atol=1e-10)
    np.testing.assert_allclose(many.decision_function(views), two.decision_function(views))
    np.testing.assert_array_equal(many.predict(views), two.predict(views))


def test_one_view_is_pa1():
    (X,), y = blobs(3, widths=(7,), n_classes=2, noise=2.0)
    many = MultiViewPassiveAggressive(C=0.2, gamma=0.5, shuffle=False).fit([X], y)
    np.testing.assert_allclose(
        many.coef_[0], PassiveAggressive(C=0.2, shuffle=False).fit(X, y).coef_, atol=1e-12
    )


def test_one_view_multiclass_is_the_rule_of_crammer():
    """tau = min(C, loss / (2 |x|^2)) for the true class and its strongest rival."""
    (X,), y = blobs(4, widths=(7,), n_classes=4, noise=2.0)
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
    views, y = blobs(7, n_rows=400, widths=(6, 6), n_classes=2, empty=0.0)
    rng = np.random.default_rng(0)
    views[1] = sp.csr_matrix(rng.normal(size=views[1].shape))  # a view of noise
    hedged = MultiViewPassiveAggressive(C=0.1, gamma=0.0, weights="hedge", rate=0.1)
    assert hedged.fit(views, y).weights_[0] > 0.95
    equal = MultiViewPassiveAggressive(C=0.1, gamma=0.0).fit(views, y)
    np.testing.assert_array_equal(equal.weights_, 0.5)
