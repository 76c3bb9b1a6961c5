"""The contract of an estimator on several views, check by check."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score

from manyviews.model_selection import LabelledFold, ampute
from manyviews.testing.data import UNMARKED, Case, random_case
from manyviews.testing.features import feature_checks
from manyviews.testing.malformed import malformed_labels, malformed_views
from manyviews.views import Views

__all__ = ["check_multiview_estimator", "multiview_checks"]

Check = Callable[[Any, Case], None]
#: What an estimator may offer for new rows.
OUTPUTS = ("predict", "predict_proba", "decision_function", "transform")


def check_multiview_estimator(
    estimator: Any,
    *,
    seed: int = 0,
    n_views: int = 2,
    n_classes: int = 3,
    exempt: Mapping[str, str] | None = None,
) -> list[str]:
    """Run every check on copies of an estimator; return the names of those that passed.

    Parameters
    ----------
    estimator
        An estimator with ``fit(Xs, y)``. It is taken for a classifier if scikit-learn's
        ``is_classifier`` says so; what it offers for new rows is looked up.
    seed
        Seed of the random problem.
    n_views, n_classes
        Size of the problem, for estimators that take two views or two classes only.
    exempt : mapping, optional
        Name of a check to the reason why it does not apply.

    Raises
    ------
    AssertionError
        Names the check that failed, and why.

    Examples
    --------
    >>> from manyviews.baselines import NaiveBayesEnsemble
    >>> passed = check_multiview_estimator(NaiveBayesEnsemble())
    >>> "labels_of_any_kind" in passed
    True
    """
    case = random_case(np.random.default_rng(seed), n_views=n_views, n_classes=n_classes)
    passed, left_out = [], dict(exempt or {})
    for name, check in multiview_checks(estimator):
        if left_out.pop(name, None) is not None:
            continue
        try:
            check(clone(estimator), case)
        except Exception as error:
            raise AssertionError(
                f"{type(estimator).__name__} fails the check {name!r} (seed {seed}): {error}"
            ) from error
        passed.append(name)
    if left_out:
        raise ValueError(f"no such check to leave out: {', '.join(sorted(left_out))}")
    return passed


def multiview_checks(estimator: Any) -> Iterator[tuple[str, Check]]:
    """Yield the name of every check that applies to an estimator, and the check."""
    yield "parameters", parameters_are_kept
    yield "input_is_left_alone", input_is_left_alone
    yield "same_answer_twice", same_answer_twice
    yield "any_container", any_container
    yield "rows_by_id", rows_by_id
    yield "pickles", pickles
    yield "malformed_views", malformed_views_are_refused
    if _outputs(estimator):
        yield "not_fitted", not_fitted
        yield "rows_are_judged_alone", rows_are_judged_alone
        yield "named_views_in_any_order", named_views_in_any_order
        yield "other_columns", other_columns_are_refused
    yield "missing_views", missing_views
    yield from feature_checks(estimator)
    if is_classifier(estimator):
        yield "labels_of_any_kind", labels_of_any_kind
        yield "unlabelled_markers", unlabelled_markers
        yield "malformed_labels", malformed_labels_are_refused
        yield "score_of_labelled_rows", score_of_labelled_rows
        yield "cross_validation", cross_validation


def _outputs(estimator: Any) -> list[str]:
    return [name for name in OUTPUTS if hasattr(estimator, name)]


def _fitted(estimator: Any, Xs: Any, y: Any) -> Any:
    """Return a copy fitted to views and labels."""
    return clone(estimator).fit(Xs, y)


def _answers(model: Any, Xs: Any) -> dict[str, Any]:
    """Return what a fitted model knows of its rows, and says of given ones."""
    found = {name: getattr(model, name)(Xs) for name in _outputs(model)}
    if hasattr(model, "labels_"):
        found["labels_"] = model.labels_
    if not found:  # neither clusters nor predicts: compare what it learnt
        found = {k: v for k, v in vars(model).items() if k.endswith("_") and k[0] != "_"}
        found = {k: v for k, v in found.items() if isinstance(v, int | float | np.ndarray)}
    return found


def _same(a: Any, b: Any, *, exact: bool = True) -> None:
    """Assert that two answers are equal, or as equal as sums in another order allow."""
    if isinstance(a, Mapping):
        assert set(a) == set(b), f"{set(a)} against {set(b)}"
        for key in a:
            _same(a[key], b[key], exact=exact)
    elif isinstance(a, list | tuple):
        assert len(a) == len(b), "answers of another length"
        for one, two in zip(a, b, strict=True):
            _same(one, two, exact=exact)
    elif exact or np.asarray(a).dtype.kind not in "fc":
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))
    else:
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-9)


def _labels(estimator: Any, case: Case) -> np.ndarray | None:
    """Return class numbers for what needs labels; clusterers get them too and must not mind."""
    return case.labels(np.arange(case.classes.max() + 1), UNMARKED)


def _refuses(call: Callable[[], Any], what: str, *, names: str = "") -> None:
    """Assert that a call raises ValueError, one line that names the view at fault."""
    try:
        call()
    except ValueError as error:
        text = str(error)
        assert text.strip(), f"{what} is refused without a word"
        assert not names or names in text, f"{what}: the error does not name {names}: {text}"
    except Exception as error:
        raise AssertionError(f"{what} raises {type(error).__name__}: {error}") from error
    else:
        raise AssertionError(f"{what} is accepted")


def parameters_are_kept(estimator: Any, case: Case) -> None:
    """Fitting leaves the parameters alone, and a copy has the same."""
    before = copy.deepcopy(estimator.get_params(deep=False))
    estimator.fit(case.matrices, _labels(estimator, case))
    after = estimator.get_params(deep=False)
    assert set(before) == set(after)
    for key, value in before.items():
        assert repr(value) == repr(after[key]), f"fit changed {key} from {value} to {after[key]}"


def input_is_left_alone(estimator: Any, case: Case) -> None:
    """Neither fitting nor predicting writes into the views or the labels."""
    matrices = [sp.csr_matrix(X) for X in case.matrices]
    copies = [X.copy() for X in matrices]
    y = _labels(estimator, case)
    kept = copy.deepcopy(y)
    fitted = estimator.fit(matrices, y)
    assert fitted is estimator, "fit must return the estimator"
    _answers(fitted, matrices)
    for X, old in zip(matrices, copies, strict=True):
        assert (old != X).nnz == 0, "a view was changed"
    _same(y, kept)


def same_answer_twice(estimator: Any, case: Case) -> None:
    """The same seed gives the same answer, also in an estimator that was fitted before."""
    y = _labels(estimator, case)
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=3)
    first = _answers(_fitted(estimator, case.matrices, y), case.matrices)
    model = _fitted(estimator, case.matrices, y)
    _same(first, _answers(model, case.matrices))
    _same(first, _answers(model.fit(case.matrices, y), case.matrices))


def any_container(estimator: Any, case: Case) -> None:
    """Lists, tuples, mappings and Views, dense and sparse, are the same data."""
    y = _labels(estimator, case)
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=3)
    names = [f"part{v}" for v in range(len(case.matrices))]
    sparse = [sp.csr_matrix(X) for X in case.matrices]
    expected = _answers(_fitted(estimator, case.matrices, y), case.matrices)
    for Xs in (
        tuple(case.matrices),
        dict(zip(names, case.matrices, strict=True)),
        case.views,
        sparse,
        [sp.csc_array(X) for X in sparse],
        Views(sparse),
    ):
        _same(expected, _answers(_fitted(estimator, Xs, y), Xs), exact=False)


def rows_by_id(estimator: Any, case: Case) -> None:
    """Labels that are given by id are matched to the rows; answers come in the rows' order."""
    y = _labels(estimator, case)
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=3)
    ids = [f"row {i}" for i in range(len(case.classes))]
    shuffled = np.random.default_rng(7).permutation(len(ids))
    by_id = None if y is None else {ids[i]: y[i] for i in shuffled}
    views = Views(case.views, ids=ids)
    expected = _answers(_fitted(estimator, case.views, y), case.views)
    _same(expected, _answers(_fitted(estimator, views, by_id), views))


def pickles(estimator: Any, case: Case) -> None:
    """A fitted estimator can be stored."""
    model = estimator.fit(case.matrices, _labels(estimator, case))
    again = pickle.loads(pickle.dumps(model))
    _same(_answers(model, case.matrices), _answers(again, case.matrices))


def malformed_views_are_refused(estimator: Any, case: Case) -> None:
    """Each kind of malformed view is refused, in fit and for new rows, and leaves no mark."""
    y = _labels(estimator, case)
    model = _fitted(estimator, case.matrices, y)
    before = _answers(model, case.matrices)
    for kind, Xs in malformed_views(case).items():
        labels = y[:0] if y is not None and kind == "no rows" else y
        _refuses(partial(clone(estimator).fit, Xs, labels), f"fit on {kind}")
        for output in _outputs(model):
            if kind in ("nothing", "all NaN"):
                continue  # a view that is not there
            if kind in ("fewer rows", "more rows") and output == "transform":
                continue  # views may be projected one by one
            _refuses(partial(getattr(model, output), Xs), f"{output} of {kind}")
    _same(before, _answers(model, case.matrices))


def not_fitted(estimator: Any, case: Case) -> None:
    """Before fit every output raises NotFittedError."""
    for output in _outputs(estimator):
        try:
            getattr(estimator, output)(case.matrices)
        except NotFittedError:
            continue
        raise AssertionError(f"{output} works before fit")


def rows_are_judged_alone(estimator: Any, case: Case) -> None:
    """What a model says of a new row does not depend on the other new rows."""
    model = estimator.fit(case.views, _labels(estimator, case))
    rows = np.array([5, 0, 17, 5])
    some = case.views[rows]
    for output in _outputs(model):
        whole, part = getattr(model, output)(case.views), getattr(model, output)(some)
        if isinstance(whole, list):
            _same([Y[rows] for Y in whole], part, exact=False)
        else:
            _same(whole[rows], part, exact=False)


def named_views_in_any_order(estimator: Any, case: Case) -> None:
    """New views are matched by name; other names are refused."""
    views = case.views
    model = estimator.fit(views, _labels(estimator, case))
    turned = views.select(views.names[::-1])
    other = Views(views.matrices, names=[f"other{v}" for v in range(views.n_views)])
    for output in _outputs(model):
        _same(getattr(model, output)(views), getattr(model, output)(turned))
        _refuses(partial(getattr(model, output), other), f"{output} of views with other names")


def other_columns_are_refused(estimator: Any, case: Case) -> None:
    """New views must have the columns of the fit; the error names the view."""
    model = estimator.fit(case.views, _labels(estimator, case))
    wrong = case.views.replace({"part1": case.matrices[1][:, :-1]})
    for output in _outputs(model):
        _refuses(partial(getattr(model, output), wrong), f"{output}", names="view 'part1'")
        _refuses(partial(getattr(model, output), wrong.matrices), f"{output}", names="view 1")
        _refuses(partial(getattr(model, output), case.matrices[:1]), f"{output} of one view")


def missing_views(estimator: Any, case: Case) -> None:
    """Rows may lack a view, in fit and for new rows; the answers are finite and not all equal."""
    views = ampute(case.views, 0.4, np.random.default_rng(7))
    model = estimator.fit(views, _labels(estimator, case))
    for name, answer in _answers(model, views).items():
        for part in answer if isinstance(answer, list) else [answer]:
            values = np.asarray(part)
            if values.dtype.kind == "f":
                assert np.isfinite(values).all(), f"{name} is not finite where a view is missing"
    if is_classifier(model):
        lacking = ~views.observed.all(axis=1)
        right = (np.asarray(model.predict(views)) == case.classes)[lacking]
        chance = 1.0 / (case.classes.max() + 1)
        assert right.mean() > chance + 0.2, f"{right.mean():.2f} right where a view is missing"


def labels_of_any_kind(estimator: Any, case: Case) -> None:
    """Labels are names of classes: whatever they are called, the answer is the same."""
    k = int(case.classes.max()) + 1
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=3)
    base = _fitted(estimator, case.matrices, case.labels(np.arange(k), UNMARKED))
    expected = base.predict(case.matrices)
    for names in (
        np.array([f"class {c}" for c in range(k)]),
        np.arange(k) + 1,
        np.arange(k) * 0.5 + 0.25,
        np.arange(k) * 10**12 + 5,
        np.array([f"class {c}" for c in range(k)], dtype=object),
    ):
        for y in (case.labels(names, UNMARKED), list(case.labels(names, UNMARKED))):
            model = _fitted(estimator, case.matrices, y)
            np.testing.assert_array_equal(model.classes_, names.astype(model.classes_.dtype))
            np.testing.assert_array_equal(model.predict(case.matrices), model.classes_[expected])


def unlabelled_markers(estimator: Any, case: Case) -> None:
    """None, NaN and -1 mark unlabelled rows alike; a marker is never predicted."""
    k = int(case.classes.max()) + 1
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=3)
    answers = []
    for names, marker in (
        (np.arange(k), -1),
        (np.arange(k), None),
        (np.arange(k), np.nan),
        (np.array([f"class {c}" for c in range(k)]), None),
        (np.array([f"class {c}" for c in range(k)]), np.nan),
    ):
        model = _fitted(estimator, case.matrices, case.labels(names, marker))
        assert model.classes_.size == k, f"{marker} was learnt as a class"
        predicted = model.predict(case.matrices)
        answers.append(np.searchsorted(model.classes_, predicted))
        _same(answers[0], answers[-1])


def malformed_labels_are_refused(estimator: Any, case: Case) -> None:
    """Each kind of malformed labels is refused."""
    unsupervised = "n_classes" in estimator.get_params()
    for kind, y in malformed_labels(case).items():
        if kind == "left out" and unsupervised:
            continue  # a model that clusters without labels
        _refuses(partial(clone(estimator).fit, case.matrices, y), f"labels: {kind}")


def score_of_labelled_rows(estimator: Any, case: Case) -> None:
    """Rows without a label do not count in the score."""
    k = int(case.classes.max()) + 1
    names = np.array([f"class {c}" for c in range(k)])
    model = estimator.fit(case.matrices, case.labels(names, None))
    some = [X[case.labelled] for X in case.matrices]
    expected = np.mean(model.predict(some) == case.labels(names, UNMARKED)[case.labelled])
    assert model.score(case.matrices, case.labels(names, None)) == expected


def cross_validation(estimator: Any, case: Case) -> None:
    """scikit-learn splits Views, with and without unlabelled rows."""
    names = np.array([f"class {c}" for c in range(case.classes.max() + 1)])
    whole = cross_val_score(estimator, case.views, case.labels(names, UNMARKED), cv=3)
    part = cross_val_score(estimator, case.views, case.labels(names, None), cv=LabelledFold(3))
    assert np.isfinite(whole).all()
    assert np.isfinite(part).all()
