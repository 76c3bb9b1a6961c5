"""The contract of an estimator on several views, check by check."""

import inspect
import io
import pickle
import warnings
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score

from manyviews.kernels import ANNOUNCEMENT
from manyviews.model_selection import LabelledFold, ampute
from manyviews.testing import data
from manyviews.testing.common import Check, answers, learnt, listed, outputs, refuses, same, seeded
from manyviews.testing.data import UNMARKED, Case, random_case
from manyviews.views import Views

__all__ = ["check_multiview_estimator", "multiview_checks"]
#: Every check, and to which estimators it applies.
_CHECKS: list[tuple[Check, Callable[[Any], Any]]] = []


def _for(applies: Callable[[Any], Any]) -> Callable[[Check], Check]:
    """Enter a check under its own name, for the estimators to which it applies."""

    def enter(check: Check) -> Check:
        _CHECKS.append((check, applies))
        return check

    return enter


def _everyone(estimator: Any) -> bool:
    return True


def _with(setting: str) -> Callable[[Any], bool]:
    return lambda estimator: setting in estimator.get_params(deep=False)


def _weighted(estimator: Any) -> bool:
    return "sample_weight" in inspect.signature(estimator.fit).parameters


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
    checks = dict(multiview_checks(estimator))
    for name in exempt or {}:
        if checks.pop(name, None) is None:
            raise ValueError(f"no such check to leave out: {name}")
    for name, check in checks.items():
        try:
            check(seeded(estimator), case)
        except Exception as error:
            raise AssertionError(
                f"{type(estimator).__name__} fails the check {name!r} (seed {seed}): {error}"
            ) from error
    return list(checks)


def multiview_checks(estimator: Any) -> list[tuple[str, Check]]:
    """Return the name of every check that applies to an estimator, and the check."""
    return [(check.__name__, check) for check, applies in _CHECKS if applies(estimator)]


@_for(_everyone)
def same_answers(estimator: Any, case: Case) -> None:
    """The same data and seed give the same answer, and nothing that was given is changed.

    Whether fitted again, copied or stored; lists, tuples, mappings and Views, dense and sparse.
    """
    before, y = repr(estimator.get_params(deep=False)), case.classes.copy()
    sparse = [sp.csr_matrix(X) for X in case.matrices]
    expected = answers(clone(estimator).fit(case.matrices, y), case.matrices)
    assert estimator.fit(case.matrices, y) is estimator, "fit must return the estimator"
    for model in (estimator, pickle.loads(pickle.dumps(estimator)), estimator):
        same(expected, answers(model, case.matrices))
        estimator.fit(case.matrices, y)
    named = dict(zip(case.views.names, case.matrices, strict=True))
    for Xs in (sparse, named, tuple(map(sp.csc_array, sparse)), Views(sparse)):
        found = answers(clone(estimator).fit(Xs, y), Xs)
        for X, old in zip(sparse, case.matrices, strict=True):
            assert np.array_equal(X.toarray(), old), "a view was changed"
        same(expected, found, exact=False)
    same(y, case.classes, name="labels")
    after = repr(estimator.get_params(deep=False))
    assert before == after, f"fit changed {before} to {after}"


@_for(_everyone)
def rows_by_id(estimator: Any, case: Case) -> None:
    """Labels and weights by id are matched to the rows; answers come in the rows' order."""
    n = len(case.classes)
    ids, shuffled = [f"row {i}" for i in range(n)], np.random.default_rng(7).permutation(n)
    views = Views(case.views, ids=ids)
    given = {"y": case.classes}
    if _weighted(estimator):
        given["sample_weight"] = 1.0 + np.arange(n) % 3
    by_id = {what: {ids[i]: values[i] for i in shuffled} for what, values in given.items()}
    expected = answers(clone(estimator).fit(case.views, **given), case.views)
    same(expected, answers(clone(estimator).fit(views, **by_id), views))


@_for(_everyone)
def malformed_views(estimator: Any, case: Case) -> None:
    """Each kind of malformed view is refused, in fit and for new rows, and leaves no mark."""
    y = case.classes
    model = clone(estimator).fit(case.matrices, y)
    before = answers(model, case.matrices)
    for kind, Xs in data.malformed_views(case).items():
        labels = y[:0] if kind == "no rows" else y
        refuses(partial(clone(estimator).fit, Xs, labels), f"fit on {kind}")
        for output in outputs(model):
            if kind in ("nothing", "all NaN"):
                continue  # a view that is not there
            if kind in ("fewer rows", "more rows") and output == "transform":
                continue  # views may be projected one by one
            refuses(partial(getattr(model, output), Xs), f"{output} of {kind}")
    same(before, answers(model, case.matrices))


@_for(outputs)
def new_rows(estimator: Any, case: Case) -> None:
    """New rows need a fit, are judged one by one, and have its views and columns in any order."""
    views, some = case.views, np.array([5, 0, 17, 5])
    model = clone(estimator).fit(views, case.classes)
    turned = views.select(views.names[::-1])
    other = Views(views.matrices, names=[f"other{v}" for v in range(views.n_views)])
    narrow = views.replace({"part1": case.matrices[1][:, :-1]})
    for output in outputs(model):
        ask = getattr(model, output)
        whole = listed(ask(views))
        same([Y[some] for Y in whole], listed(ask(views[some])), exact=False, name=output)
        same(whole, listed(ask(turned)), name=output)
        refuses(partial(ask, other), f"{output} of views with other names")
        refuses(partial(ask, narrow), output, names="view 'part1'")
        refuses(partial(ask, narrow.matrices), output, names="view 1")
        refuses(partial(ask, case.matrices[:1]), f"{output} of one view")
        try:
            getattr(clone(estimator), output)(case.matrices)
        except NotFittedError:
            continue
        raise AssertionError(f"{output} works before fit")


@_for(_everyone)
def missing_views(estimator: Any, case: Case) -> None:
    """Rows may lack a view (or be NaN in it), in fit and later; answers are finite, no guesses."""
    views = ampute(case.views, 0.4, np.random.default_rng(7))
    model = clone(estimator).fit(views, case.classes)
    found = answers(model, views)
    for name, answer in found.items():
        for values in map(np.asarray, listed(answer)):
            finite = values.dtype.kind != "f" or np.isfinite(values).all()
            assert finite, f"{name} is not finite where a view is missing"
    nan = [np.where(views.observed[:, [v]], X, np.nan) for v, X in enumerate(case.matrices)]
    same(found, answers(clone(estimator).fit(nan, case.classes), nan))
    if is_classifier(model):
        lacking = ~views.observed.all(axis=1)
        right = (np.asarray(model.predict(views)) == case.classes)[lacking].mean()
        chance = 1.0 / (case.classes.max() + 1)
        assert right > chance + 0.1, f"{right:.2f} right where a view is missing"


@_for(_everyone)
def feature_names(estimator: Any, case: Case) -> None:
    """Names of columns are kept, and other ones are refused by the view's name."""
    views = case.views
    names = {
        name: np.array([f"{name} column {j}" for j in range(X.shape[1])], dtype=object)
        for name, X in zip(views.names, views.matrices, strict=True)
    }
    named = views.replace(dict(zip(views.names, views.matrices, strict=True)), names)
    model = clone(estimator).fit(named, case.classes)
    same(list(names.values()), model.feature_names_in_, name="feature_names_in_")
    assert not hasattr(clone(estimator).fit(views, case.classes), "feature_names_in_")
    second = views.names[1]
    turned = named.replace({second: views.view(second)}, {second: names[second][::-1]})
    for output in outputs(model):
        getattr(model, output)(views)  # columns without names are taken as they come
        what = f"{output} of columns in another order"
        refuses(partial(getattr(model, output), turned), what, names=f"view {second!r}")


@_for(_with("verbose"))
def verbose(estimator: Any, case: Case) -> None:
    """A line every iteration if asked, not a word if not; the result is the same."""
    fits, said = [], []
    y = np.where(case.labelled, case.classes, -1) if is_classifier(estimator) else case.classes
    for every in (0, 1):
        text = io.StringIO()
        with redirect_stderr(text), redirect_stdout(text), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of fits that have not settled
            fits.append(seeded(estimator, verbose=every).fit(case.views, y))
        said.append([line for line in text.getvalue().splitlines() if line != ANNOUNCEMENT])
    assert not said[0], f"it talks without being asked: {said[0][0]}"
    assert said[1], "verbose=1 says nothing"
    assert all("iteration" in line for line in said[1]), f"what is this: {said[1][0]}"
    same(learnt(fits[0]), learnt(fits[1]))


@_for(_with("n_jobs"))
def n_jobs(estimator: Any, case: Case) -> None:
    """The same bits on one thread and on three; numbers as without threads up to rounding."""
    plain, one, three = (
        learnt(seeded(estimator, n_jobs=jobs).fit(case.views, case.classes))
        for jobs in (None, 1, 3)
    )
    same(one, three)
    same(plain, one, exact=False)


@_for(_weighted)
def sample_weight(estimator: Any, case: Case) -> None:
    """Equal weights change nothing; wrong ones are refused."""
    ones = np.ones(len(case.classes))
    plain = learnt(clone(estimator).fit(case.views, case.classes))
    weighted = clone(estimator).fit(case.views, case.classes, sample_weight=ones)
    same(plain, learnt(weighted), exact=False)
    for wrong in (-ones, ones[1:], ones * np.nan, ones * 0, ones[:, None]):
        fit = partial(clone(estimator).fit, case.views, case.classes, sample_weight=wrong)
        refuses(fit, f"weights such as {wrong[0]} ({wrong.shape})", names="sample_weight")


@_for(lambda estimator: hasattr(estimator, "transform"))
def set_output(estimator: Any, case: Case) -> None:
    """Data frames hold the same numbers under names of their own, also those of copies."""
    model = clone(estimator).fit(case.views, case.classes)
    plain, names = model.transform(case.views), model.get_feature_names_out()
    names = names if isinstance(plain, list) else [names]
    for Z, columns in zip(listed(plain), names, strict=True):
        assert isinstance(Z, np.ndarray)
        assert Z.shape[1] == len(set(columns)), f"{len(set(columns))} names, {Z.shape[1]} columns"
    for kind in filter(find_spec, ("pandas", "polars")):
        copied = clone(clone(estimator).set_output(transform=kind)).fit(case.views, case.classes)
        for frame in listed(copied.transform(case.views)):
            assert type(frame).__module__.startswith(kind), f"no {kind} data frames"
        same(plain, model.set_output(transform=kind).transform(case.views), name=kind)


@_for(is_classifier)
def labels_of_any_kind(estimator: Any, case: Case) -> None:
    """Whatever classes are called, and None, NaN or -1 mark the unlabelled, answers are the same.

    A marker is never predicted.
    """
    k = int(case.classes.max()) + 1
    words = np.array([f"class {c}" for c in range(k)])
    for marker in (UNMARKED, -1):
        base = clone(estimator).fit(case.matrices, case.labels(np.arange(k), marker))
        expected = base.predict(case.matrices)
        for names, mark in (
            (words, None),
            (words.astype(object), np.nan),
            (np.arange(k) * 0.5 + 0.25, np.nan),
            (np.arange(k) * 10**12 + 5, -1),
        ):
            y = case.labels(names, mark if marker == -1 else UNMARKED)
            model = clone(estimator).fit(case.matrices, y if mark is None else list(y))
            assert model.classes_.size == k, f"{mark} was learnt as a class"
            np.testing.assert_array_equal(model.classes_, names.astype(model.classes_.dtype))
            np.testing.assert_array_equal(model.predict(case.matrices), model.classes_[expected])


@_for(is_classifier)
def malformed_labels(estimator: Any, case: Case) -> None:
    """Each kind of malformed labels is refused."""
    for kind, y in data.malformed_labels(case).items():
        if kind == "left out" and _with("n_classes")(estimator):
            continue  # a model that clusters without labels
        refuses(partial(clone(estimator).fit, case.matrices, y), f"labels: {kind}")


@_for(is_classifier)
def score_of_labelled_rows(estimator: Any, case: Case) -> None:
    """Rows without a label do not count in the score, nor in cross-validation of Views."""
    y = case.labels([f"class {c}" for c in range(case.classes.max() + 1)], None)
    scores = cross_val_score(clone(estimator), case.views, y, cv=LabelledFold(3))
    assert np.isfinite(scores).all()
    model = estimator.fit(case.matrices, y)
    some = [X[case.labelled] for X in case.matrices]
    expected = np.mean(model.predict(some) == y[case.labelled])
    assert model.score(case.matrices, y) == expected
