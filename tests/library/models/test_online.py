"""What the online classifiers share: streams in pieces, labels, batches that are rejected."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.models import (
    MultiViewPassiveAggressive,
    PassiveAggressive,
    TwoViewPassiveAggressive,
)
from manyviews.models.online import (
    csr_arrays,
    online_labels,
    online_view,
    online_views,
    resolve_classes,
)

MODELS = [
    PassiveAggressive(C=0.2),
    *(
        TwoViewPassiveAggressive(variant=variant, gate=gate, trace=True)
        for variant, gate in (("printed", "loss"), ("eq11", "always"), ("exact", "always"))
    ),
    MultiViewPassiveAggressive(weights="hedge", multiclass="margin", trace=True),
]


def streamed(model, rng, n_rows=90):
    """Views and labels that a model takes, and a function that picks rows of them."""
    one, many = isinstance(model, PassiveAggressive), hasattr(model, "multiclass")
    y = np.concatenate([np.arange(3), rng.integers(3, size=n_rows - 3)])
    y = y if many else np.where(y > 0, 1, -1)
    views = []
    for width in (12, 9, 7)[: 1 if one else 3 if many else 2]:
        X = np.abs(rng.normal(size=(3, width)))[y] + rng.normal(size=(n_rows, width))
        X[rng.random(n_rows) < 0.1] = 0.0
        views.append(sp.csr_matrix(X * (rng.random(X.shape) < 0.5)))
    return lambda rows: views[0][rows] if one else [view[rows] for view in views], y


def state(model):
    """All that a stream changes."""
    names = ("coef_", "weights_", "trace_", "n_rounds_")
    found = [getattr(model, name) for name in names if hasattr(model, name)]
    parts = [value if isinstance(value, list) else [value] for value in found]
    return [np.concatenate([np.ravel(part) for part in several]) for several in parts]


def assert_same(one, two):
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_a_stream_in_any_pieces_is_one_pass_and_rejected_batches_leave_no_trace(model, rng):
    pick, y = streamed(model, rng)
    whole = type(model)(**model.get_params()).set_params(shuffle=False).fit(pick(slice(None)), y)
    pieces = type(model)(**model.get_params())
    cuts = [0, 4, 5, 40, len(y)]
    for start, stop in itertools.pairwise(cuts):
        rows = slice(start, stop)
        pieces.partial_fit(pick(rows), y[rows])
        before = [part.copy() for part in state(pieces)]
        Xs, few = pick(rows), stop - start
        narrow = Xs[:, :-1] if sp.issparse(Xs) else [Xs[0][:, :-1], *Xs[1:]]
        nan = np.where(np.arange(12) == 3, np.nan, np.ones((few, 12)))
        for wrong, labels, text in (
            (Xs, [7] * few, "label 7 in row 0 is not one of the classes"),
            (Xs, ["a"] * few, "is not one of the classes"),
            (Xs, [*y[rows].tolist(), 1], r"one label per row"),
            (narrow, y[rows], "columns|features"),
            (nan if sp.issparse(Xs) else [nan, *Xs[1:]], y[rows], "NaN or infinity"),
        ):
            with pytest.raises(ValueError, match=text):
                pieces.partial_fit(wrong, labels)
        assert_same(before, state(pieces))
    assert_same(state(whole), state(pieces))


def test_the_first_batch_may_hold_one_class(rng):
    pick, _ = streamed(TwoViewPassiveAggressive(), rng)
    signs = TwoViewPassiveAggressive().partial_fit(pick([0]), [1])
    assert list(signs.classes_) == [-1, 1]
    named = TwoViewPassiveAggressive().partial_fit(pick([0]), ["b"], classes=["b", "a"])
    assert list(named.classes_) == ["a", "b"]
    np.testing.assert_array_equal(signs.coef_[0], named.coef_[0])


def test_a_canonical_matrix_is_read_not_copied():
    X = sp.csr_matrix(np.eye(3))
    assert online_view(X, "X") is X


@pytest.mark.parametrize("make", [sp.csc_matrix, sp.coo_matrix, sp.csr_array, np.asarray])
def test_other_forms_become_canonical(make, rng):
    dense = rng.integers(0, 3, (5, 4)).astype(float)
    view = online_view(make(dense), "X")
    np.testing.assert_array_equal(view.toarray(), dense)
    assert view.has_canonical_format


def test_duplicates_are_summed_and_large_values_are_finite():
    X = sp.csr_matrix((np.array([1.0, 2.0]), np.array([1, 1]), np.array([0, 2])), shape=(1, 3))
    *_, values = csr_arrays(online_view(X, "X"))
    assert values.tolist() == [3.0]
    assert online_view(sp.csr_matrix(np.array([[1e308, 1e308]])), "X").nnz == 2


def test_named_views_come_in_the_order_of_the_first_batch():
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
