"""The contract of an estimator on several views, check by check."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score

from manyviews.model_selection import LabelledFold, ampute
from manyviews.testing.common import Check, answers, outputs, refuses, same, seeded
from manyviews.testing.data import UNMARKED, Case, random_case
from manyviews.testing.features import feature_checks
from manyviews.testing.malformed import malformed_labels, malformed_views
from manyviews.views import Views

__all__ = ["check_multiview_estimator", "multiview_checks"]


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
            check(seeded(estimator), case)
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
    yield "malformed_views", malformed_views_are_refused
    if outputs(estimator):
        yield "not_fitted", not_fitted
        yield "rows_are_judged_alone", rows_are_judged_alone
        yield "named_views_in_any_order", named_views_in_any_order
        yield "other_columns", other_columns_are_refused
    yield "missing_views", missing_views
    yield from feature_checks(estimator)
    if is_classifier(estimator):
        yield "labels_of_any_kind", labels_of_any_kind
        yield "malformed_labels", malformed_labels_are_refused
        yield "score_of_labelled_rows", score_of_labelled_rows


def _names(case: Case) -> np.ndarray:
    return np.array([f"class {c}" for c in range(case.classes.max() + 1)])


def parameters_are_kept(estimator: Any, case: Case) -> None:
    """Fitting leaves the parameters alone."""
    before = repr(estimator.get_params(deep=False))
    after = repr(estimator.fit(case.matrices, case.classes).get_params(deep=False))
    assert before == after, f"fit changed {before} to {after}"


def input_is_left_alone(estimator: Any, case: Case) -> None:
    """Neither fitting nor predicting writes into the views or the labels."""
    matrices, y = [sp.csr_matrix(X) for X in case.matrices], case.classes.copy()
    copies = [X.copy() for X in matrices]
    fitted = estimator.fit(matrices, y)
    assert fitted is estimator, "fit must return the estimator"
    answers(fitted, matrices)
    for X, old in zip(matrices, copies, strict=True):
        assert (old != X).nnz == 0, "a view was changed"
    same(y, case.classes, name="labels")


def same_answer_twice(estimator: Any, case: Case) -> None:
    """The same seed gives the same answer, when fitted again, copied and stored too."""
    first = answers(clone(estimator).fit(case.matrices, case.classes), case.matrices)
    model = estimator.fit(case.matrices, case.classes)
    same(first, answers(model, case.matrices))
    same(first, answers(pickle.loads(pickle.dumps(model)), case.matrices))
    same(first, answers(model.fit(case.matrices, case.classes), case.matrices))


def any_container(estimator: Any, case: Case) -> None:
    """Lists, tuples, mappings and Views, dense and sparse, are the same data."""
    names = [f"part{v}" for v in range(len(case.matrices))]
    sparse = [sp.csr_matrix(X) for X in case.matrices]
    expected = answers(clone(estimator).fit(case.matrices, case.classes), case.matrices)
    named = dict(zip(names, case.matrices, strict=True))
    for Xs in (named, tuple(sp.csc_array(X) for X in sparse), Views(sparse)):
        same(expected, answers(clone(estimator).fit(Xs, case.classes), Xs), exact=False)


def rows_by_id(estimator: Any, case: Case) -> None:
    """Labels that are given by id are matched to the rows; answers come in the rows' order."""
    ids = [f"row {i}" for i in range(len(case.classes))]
    shuffled = np.random.default_rng(7).permutation(len(ids))
    views = Views(case.views, ids=ids)
    expected = answers(clone(estimator).fit(case.views, case.classes), case.views)
    by_id = {ids[i]: case.classes[i] for i in shuffled}
    same(expected, answers(clone(estimator).fit(views, by_id), views))


def malformed_views_are_refused(estimator: Any, case: Case) -> None:
    """Each kind of malformed view is refused, in fit and for new rows, and leaves no mark."""
    y = case.classes
    model = clone(estimator).fit(case.matrices, y)
    before = answers(model, case.matrices)
    for kind, Xs in malformed_views(case).items():
        labels = y[:0] if kind == "no rows" else y
        refuses(partial(clone(estimator).fit, Xs, labels), f"fit on {kind}")
        for output in outputs(model):
            if kind in ("nothing", "all NaN"):
                continue  # a view that is not there
            if kind in ("fewer rows", "more rows") and output == "transform":
                continue  # views may be projected one by one
            refuses(partial(getattr(model, output), Xs), f"{output} of {kind}")
    same(before, answers(model, case.matrices))


def not_fitted(estimator: Any, case: Case) -> None:
    """Before fit every output raises NotFittedError."""
    for output in outputs(estimator):
        try:
            getattr(estimator, output)(case.matrices)
        except NotFittedError:
            continue
        raise AssertionError(f"{output} works before fit")


def rows_are_judged_alone(estimator: Any, case: Case) -> None:
    """What a model says of a new row does not depend on the other new rows."""
    model = estimator.fit(case.views, case.classes)
    rows = np.array([5, 0, 17, 5])
    for output in outputs(model):
        whole, part = (getattr(model, output)(Xs) for Xs in (case.views, case.views[rows]))
        some = [Y[rows] for Y in whole] if isinstance(whole, list) else whole[rows]
        same(some, part, exact=False, name=output)


def named_views_in_any_order(estimator: Any, case: Case) -> None:
    """New views are matched by name; other names are refused."""
    views = case.views
    model = estimator.fit(views, case.classes)
    turned = views.select(views.names[::-1])
    other = Views(views.matrices, names=[f"other{v}" for v in range(views.n_views)])
    for output in outputs(model):
        same(getattr(model, output)(views), getattr(model, output)(turned), name=output)
        refuses(partial(getattr(model, output), other), f"{output} of views with other names")


def other_columns_are_refused(estimator: Any, case: Case) -> None:
    """New views must have the columns of the fit; the error names the view."""
    model = estimator.fit(case.views, case.classes)
    wrong = case.views.replace({"part1": case.matrices[1][:, :-1]})
    for output in outputs(model):
        refuses(partial(getattr(model, output), wrong), f"{output}", names="view 'part1'")
        refuses(partial(getattr(model, output), wrong.matrices), f"{output}", names="view 1")
        refuses(partial(getattr(model, output), case.matrices[:1]), f"{output} of one view")


def missing_views(estimator: Any, case: Case) -> None:
    """Rows may lack a view, in fit and for new rows; the answers are finite, and no guesses."""
    views = ampute(case.views, 0.4, np.random.default_rng(7))
    model = estimator.fit(views, case.classes)
    for name, answer in answers(model, views).items():
        for part in answer if isinstance(answer, list) else [answer]:
            values = np.asarray(part)
            if values.dtype.kind == "f":
                assert np.isfinite(values).all(), f"{name} is not finite where a view is missing"
    if is_classifier(model):
        lacking = ~views.observed.all(axis=1)
        right = (np.asarray(model.predict(views)) == case.classes)[lacking].mean()
        chance = 1.0 / (case.classes.max() + 1)
        assert right > chance + 0.1, f"{right:.2f} right where a view is missing"


def labels_of_any_kind(estimator: Any, case: Case) -> None:
    """Whatever classes are called, and None, NaN or -1 mark the unlabelled, answers are the same.

    A marker is never predicted.
    """
    k = int(case.classes.max()) + 1
    for marker in (UNMARKED, -1):
        base = clone(estimator).fit(case.matrices, case.labels(np.arange(k), marker))
        expected = base.predict(case.matrices)
        for names, mark in (
            (_names(case), None),
            (_names(case).astype(object), np.nan),
            (np.arange(k) * 0.5 + 0.25, np.nan),
            (np.arange(k) * 10**12 + 5, -1),
        ):
            y = case.labels(names, mark if marker == -1 else UNMARKED)
            model = clone(estimator).fit(case.matrices, y if mark is None else list(y))
            assert model.classes_.size == k, f"{mark} was learnt as a class"
            np.testing.assert_array_equal(model.classes_, names.astype(model.classes_.dtype))
            np.testing.assert_array_equal(model.predict(case.matrices), model.classes_[expected])


def malformed_labels_are_refused(estimator: Any, case: Case) -> None:
    """Each kind of malformed labels is refused."""
    unsupervised = "n_classes" in estimator.get_params()
    for kind, y in malformed_labels(case).items():
        if kind == "left out" and unsupervised:
            continue  # a model that clusters without labels
        refuses(partial(clone(estimator).fit, case.matrices, y), f"labels: {kind}")


def score_of_labelled_rows(estimator: Any, case: Case) -> None:
    """Rows without a label do not count in the score, nor in cross-validation of Views."""
    names = _names(case)
    y = case.labels(names, None)
    scores = cross_val_score(clone(estimator), case.views, y, cv=LabelledFold(3))
    assert np.isfinite(scores).all()
    model = estimator.fit(case.matrices, y)
    some = [X[case.labelled] for X in case.matrices]
    expected = np.mean(model.predict(some) == case.labels(names, UNMARKED)[case.labelled])
    assert model.score(case.matrices, y) == expected
