import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.linear_model import SGDClassifier

from manyviews.models.passive_aggressive import PassiveAggressive


def stream(seed, n_rows=300, n_features=40, density=0.2):
    rng = np.random.default_rng(seed)
    X = sp.random_array((n_rows, n_features), density=density, rng=rng, format="csr")
    X = sp.csr_matrix(X)
    X.data = rng.normal(size=X.nnz)
    y = np.where(X @ rng.normal(size=n_features) + 0.3 * rng.normal(size=n_rows) > 0, 1, -1)
    return X, y


def reference(X, y, C, mode):
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
@pytest.mark.parametrize("C", [0.01, 0.1, 1.0])
def test_updates_are_the_papers(mode, C):
    X, y = stream(1)
    model = PassiveAggressive(C=C, mode=mode, shuffle=False).fit(X, y)
    np.testing.assert_allclose(model.coef_, reference(X, y, C, mode), atol=1e-12)


@pytest.mark.parametrize(("mode", "rate"), [("PA-I", "pa1"), ("PA-II", "pa2")])
@pytest.mark.parametrize("seed", range(5))
def test_equals_scikit_learn_on_the_same_order(mode, rate, seed):
    X, y = stream(seed)
    ours = PassiveAggressive(C=0.3, mode=mode, max_iter=3, shuffle=False).fit(X, y)
    peer = SGDClassifier(
        loss="hinge", penalty=None, learning_rate=rate, eta0=0.3, fit_intercept=False,
        shuffle=False, max_iter=3, tol=None,
    ).fit(X, y)  # fmt: skip
    np.testing.assert_allclose(ours.coef_, peer.coef_[0], rtol=0, atol=1e-12)
    np.testing.assert_array_equal(ours.predict(X), peer.predict(X))


def test_stream_in_any_pieces_equals_one_pass():
    X, y = stream(3)
    whole = PassiveAggressive(C=0.2, shuffle=False).fit(X, y)
    rows = PassiveAggressive(C=0.2)
    for i in range(X.shape[0]):
        rows.partial_fit(X[[i]], y[[i]])
    batches = PassiveAggressive(C=0.2)
    for start in range(0, X.shape[0], 37):
        batches.partial_fit(X[start : start + 37].toarray(), y[start : start + 37])
    np.testing.assert_array_equal(whole.coef_, rows.coef_)
    np.testing.assert_array_equal(whole.coef_, batches.coef_)
    assert rows.n_rounds_ == whole.n_rounds_ == X.shape[0]


def test_hard_margin_leaves_no_loss_on_the_last_row():
    X, y = stream(4)
    model = PassiveAggressive(mode="PA", shuffle=False).fit(X, y)
    assert y[-1] * model.decision_function(X[[-1]])[0] >= 1 - 1e-9


def test_empty_rows_change_nothing():
    X, y = stream(5)
    model = PassiveAggressive().fit(X, y)
    before = model.coef_.copy()
    model.partial_fit(sp.csr_matrix((3, X.shape[1])), [1, -1, 1])
    np.testing.assert_array_equal(model.coef_, before)


def test_two_arbitrary_classes_keep_their_names():
    X, y = stream(6)
    names = np.where(y > 0, "spam", "ham")
    model = PassiveAggressive(max_iter=3).fit(X, names)
    assert list(model.classes_) == ["ham", "spam"]
    np.testing.assert_array_equal(
        model.predict(X) == "spam", PassiveAggressive(max_iter=3).fit(X, y).predict(X) == 1
    )
    zero_one = PassiveAggressive(max_iter=3).fit(X, (y > 0).astype(int))
    np.testing.assert_array_equal(zero_one.coef_, model.coef_)


def test_same_seed_same_weights_and_shuffling_matters():
    X, y = stream(7)
    first = PassiveAggressive(random_state=1).fit(X, y).coef_
    np.testing.assert_array_equal(first, clone(PassiveAggressive(random_state=1)).fit(X, y).coef_)
    assert not np.array_equal(first, PassiveAggressive(random_state=2).fit(X, y).coef_)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": 0.0}, "C must be positive"),
        ({"C": -1}, "at least 0"),
        ({"C": float("inf")}, "finite"),
        ({"mode": "PA-III"}, "mode must be one of"),
        ({"max_iter": 0}, "max_iter must be at least 1"),
    ],
)
def test_parameters_are_checked(parameters, message):
    X, y = stream(8)
    with pytest.raises(ValueError, match=message):
        PassiveAggressive(**parameters).fit(X, y)


def test_input_is_not_changed():
    X, y = stream(9)
    copy = X.copy()
    PassiveAggressive().fit(X, y)
    np.testing.assert_array_equal(copy.toarray(), X.toarray())
