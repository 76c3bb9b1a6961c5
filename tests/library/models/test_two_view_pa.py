import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from manyviews.models.passive_aggressive import PassiveAggressive
from manyviews.models.two_view_pa import TwoViewPassiveAggressive


def two_views(seed, n_rows=200, widths=(30, 20), density=0.2, empty=0.1):
    rng = np.random.default_rng(seed)
    y = rng.choice([-1, 1], size=n_rows)
    views = []
    for width in widths:
        signal = rng.normal(size=width)
        X = (rng.random((n_rows, width)) < density) * (1 + 0.8 * np.outer(y, np.sign(signal)))
        X[rng.random(n_rows) < empty] = 0
        views.append(sp.csr_matrix(X))
    return views, y


def solve_with_cvxpy(w, x, label, C, gamma):
    """Section 3.3 in the weights themselves, one round."""
    import cvxpy as cp

    variables = [cp.Variable(part.size) for part in w]
    margins = [label * (x[v] @ variables[v]) for v in range(2)]
    moved = sum(0.5 * cp.sum_squares(variables[v] - w[v]) for v in range(2))
    problem = cp.Problem(
        cp.Minimize(
            moved
            + gamma * cp.abs(margins[0] - margins[1])
            + C * cp.pos(1 - 0.5 * (margins[0] + margins[1]))
        )
    )
    problem.solve(solver="CLARABEL", tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12)
    return [np.asarray(variable.value) for variable in variables]


@pytest.mark.mip
def test_a_stream_of_exact_rounds_follows_the_solver():
    views, y = two_views(1, n_rows=40, widths=(6, 4))
    C, gamma = 0.4, 0.15
    model = TwoViewPassiveAggressive(C=C, gamma=gamma, variant="exact", gate="always")
    for i in range(len(y)):
        rows = [view[[i]] for view in views]
        before = [part.copy() for part in model.coef_] if i else [np.zeros(6), np.zeros(4)]
        model.partial_fit(rows, y[[i]])
        x = [row.toarray()[0] for row in rows]
        expected = solve_with_cvxpy(before, x, y[i], C, gamma)
        for ours, oracle in zip(model.coef_, expected, strict=True):
            np.testing.assert_allclose(ours, oracle, atol=1e-5)


@pytest.mark.parametrize("variant", ["printed", "eq11", "exact"])
@pytest.mark.parametrize("gate", ["loss", "always"])
def test_stream_in_any_pieces_equals_one_pass(variant, gate):
    views, y = two_views(2)
    parameters = {"variant": variant, "gate": gate, "trace": True}
    whole = TwoViewPassiveAggressive(shuffle=False, **parameters).fit(views, y)
    pieces = TwoViewPassiveAggressive(**parameters)
    for start in (0, 1, 2, 50, 120):
        stop = {0: 1, 1: 2, 2: 50, 50: 120, 120: len(y)}[start]
        pieces.partial_fit([view[start:stop] for view in views], y[start:stop])
    for v in range(2):
        np.testing.assert_array_equal(whole.coef_[v], pieces.coef_[v])
    np.testing.assert_array_equal(whole.trace_, pieces.trace_)
    assert whole.n_rounds_ == pieces.n_rounds_ == len(y)


def test_trace_holds_the_scores_before_each_update():
    views, y = two_views(3)
    model = TwoViewPassiveAggressive(trace=True)
    for i in range(60):
        rows = [view[[i]] for view in views]
        before = model.view_scores(rows)[0] if i else np.zeros(2)
        model.partial_fit(rows, y[[i]])
        np.testing.assert_allclose(model.trace_[-1], before, atol=1e-12)
    assert model.trace_.shape == (60, 2)
    model.set_params(trace=False).fit(views, y)
    assert model.trace_.shape == (0, 2)


@pytest.mark.parametrize("C", [0.1, 10.0])
def test_identical_views_exact_is_pa1_with_half_c_printed_is_not(C):
    (X, _), y = two_views(4, empty=0.0)
    exact = TwoViewPassiveAggressive(C=C, variant="exact", shuffle=False).fit([X, X], y)
    half = PassiveAggressive(C=C / 2, shuffle=False).fit(X, y)
    np.testing.assert_allclose(exact.coef_[0], half.coef_, atol=1e-10)
    np.testing.assert_allclose(exact.coef_[1], half.coef_, atol=1e-10)
    printed = TwoViewPassiveAggressive(C=C, variant="printed", shuffle=False).fit([X, X], y)
    for other in (C, C / 2):
        single = PassiveAggressive(C=other, shuffle=False).fit(X, y)
        assert np.abs(printed.coef_[0] - single.coef_).max() > 1e-3


def test_no_agreement_and_unit_norms_is_pa_on_the_concatenation():
    """With gamma = 0 the exact problem is PA-I on (x^A, x^B)/2 with weights (w^A, w^B)."""
    views, y = two_views(5, empty=0.0)
    model = TwoViewPassiveAggressive(C=0.3, gamma=0.0, variant="exact", shuffle=False)
    model.fit(views, y)
    cat = PassiveAggressive(C=0.3, shuffle=False).fit(sp.hstack(views).tocsr() * 0.5, y)
    np.testing.assert_allclose(np.concatenate(model.coef_), cat.coef_, atol=1e-10)


def test_scores_predictions_and_classes_agree():
    views, y = two_views(6)
    names = np.where(y > 0, "yes", "no")
    model = TwoViewPassiveAggressive(C=0.1, gamma=0.01, max_iter=3).fit(views, names)
    scores = model.view_scores(views)
    np.testing.assert_allclose(model.decision_function(views), scores.mean(axis=1))
    np.testing.assert_array_equal(model.predict(views) == "yes", scores.sum(axis=1) > 0)
    assert model.score(views, names) > 0.8


def test_clone_and_repeat():
    views, y = two_views(7)
    model = TwoViewPassiveAggressive(variant="exact", random_state=3).fit(views, y)
    again = clone(model).fit(views, y)
    np.testing.assert_array_equal(model.coef_[0], again.coef_[0])


BAD_BATCHES = {
    "third class": (lambda a, b, y: ([a, b], np.where(np.arange(len(y)) == 3, 5, y)), "row 3"),
    "zero and one": (lambda a, b, y: ([a, b], (y > 0).astype(int)), "label 0"),
    "strings": (lambda a, b, y: ([a, b], y.astype(str)), "is not one of the classes"),
    "rows": (lambda a, b, y: ([a, b[:-1]], y), "view 0 has 20 rows, view 1 has 19"),
    "labels": (lambda a, b, y: ([a, b], y[:-2]), r"one label per row \(20\)"),
    "NaN": (lambda a, b, y: ([a * np.nan, b], y), "view 0 holds NaN or infinity"),
    "infinity": (lambda a, b, y: ([a, b * np.inf], y), "view 1 holds NaN or infinity"),
    "infinite label": (lambda a, b, y: ([a, b], y * np.inf), "y holds infinity"),
    "columns": (lambda a, b, y: ([a[:, :-1], b], y), "view 0 has 29 columns"),
    "views": (lambda a, b, y: ([a, b, b], y), r"2 view\(s\) are needed, got 3"),
    "matrix": (lambda a, b, y: (a, y), "list of views"),
    "no rows": (lambda a, b, y: ([a[:0], b[:0]], y[:0]), "no rows"),
}


@pytest.mark.parametrize("kind", BAD_BATCHES)
def test_a_rejected_batch_leaves_the_state_as_it_was(kind):
    spoil, message = BAD_BATCHES[kind]
    views, y = two_views(8, empty=0.0)
    model = TwoViewPassiveAggressive(trace=True)
    model.partial_fit([view[:20] for view in views], y[:20])
    before = ([part.copy() for part in model.coef_], model.n_rounds_, model.trace_.copy())
    with pytest.raises(ValueError, match=message):
        model.partial_fit(*spoil(views[0][20:40], views[1][20:40], y[20:40]))
    np.testing.assert_array_equal(np.concatenate(before[0]), np.concatenate(model.coef_))
    assert model.n_rounds_ == before[1]
    np.testing.assert_array_equal(before[2], model.trace_)
    model.partial_fit([view[20:] for view in views], y[20:])
    clean = TwoViewPassiveAggressive(shuffle=False).fit(views, y)
    np.testing.assert_array_equal(np.concatenate(model.coef_), np.concatenate(clean.coef_))


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 1, 2, 0, 1], "two classes, the labels name 3"),
        (["a"] * 5, "one class alone, a"),
        ([3] * 5, "one class alone, 3"),
    ],
)
def test_first_labels_must_name_two_classes(labels, message):
    views, _ = two_views(9)
    rows = [view[:5] for view in views]
    with pytest.raises(ValueError, match=message):
        TwoViewPassiveAggressive().fit(rows, labels)
    model = TwoViewPassiveAggressive()
    with pytest.raises(ValueError, match=message):
        model.partial_fit(rows, labels)
    assert not hasattr(model, "coef_")


def test_first_batch_with_one_class():
    views, _ = two_views(10)
    rows = [view[:1] for view in views]
    signs = TwoViewPassiveAggressive().partial_fit(rows, [1])
    assert list(signs.classes_) == [-1, 1]
    named = TwoViewPassiveAggressive().partial_fit(rows, ["b"], classes=["b", "a"])
    assert list(named.classes_) == ["a", "b"]
    np.testing.assert_array_equal(signs.coef_[0], named.coef_[0])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": 0}, "C must be positive"),
        ({"gamma": -0.1}, "gamma must be at least 0"),
        ({"variant": "right"}, "variant must be one of"),
        ({"gate": "never"}, "gate must be one of"),
        ({"empty": "drop"}, "empty must be one of"),
        ({"variant": "exact", "empty": "limit"}, "reads a quotient of Algorithm 1"),
        ({"max_iter": 1.5}, "max_iter must be an integer"),
    ],
)
def test_parameters_are_checked(parameters, message):
    views, y = two_views(11)
    with pytest.raises(ValueError, match=message):
        TwoViewPassiveAggressive(**parameters).fit(views, y)


def test_memory_does_not_grow_with_the_stream():
    views, y = two_views(12, n_rows=50)
    model = TwoViewPassiveAggressive().partial_fit(views, y)

    def growth(batches):
        tracemalloc.start()
        for _ in range(batches):
            model.partial_fit(views, y)
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return held

    growth(20)
    assert growth(400) < growth(20) + 20_000
