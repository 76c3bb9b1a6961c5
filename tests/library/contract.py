"""The contract of an estimator on several views, check by check, and input that it must refuse."""

import inspect
import io
import pickle
import warnings
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from importlib.util import find_spec

import numpy as np
import pytest
import scipy.sparse as sp
from problems import UNMARKED, learnt, listed, same
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score

from manyviews.kernels import ANNOUNCEMENT
from manyviews.model_selection import LabelledFold, ampute
from manyviews.views import Views

#: What an estimator may offer for new rows.
OUTPUTS = ("predict", "predict_proba", "decision_function", "transform")
#: A refusal with any words.
SAID = r"\w"
#: Every check, and to which estimators it applies.
CHECKS = []


def outputs(estimator):
    """Return what it offers."""
    return [name for name in OUTPUTS if hasattr(estimator, name)]


def seeded(estimator, **settings):
    """Return a copy with a fixed seed, if it takes one, and other settings."""
    model = clone(estimator).set_params(**settings)
    return model.set_params(random_state=3) if "random_state" in model.get_params() else model


def answers(model, Xs):
    """Return what a fitted model knows of its rows, and says of given ones."""
    found = {name: getattr(model, name)(Xs) for name in outputs(model)}
    if hasattr(model, "labels_"):
        found["labels_"] = model.labels_
    return found or learnt(model)


def refuses(call, text, *given, **more):
    """Assert that a call raises ValueError with that text."""
    with pytest.raises(ValueError, match=text):
        call(*given, **more)


def check(applies=lambda estimator: True):
    """Enter a check for the estimators to which it applies."""

    def enter(function):
        CHECKS.append((function, applies))
        return function

    return enter


def has(setting):
    return lambda estimator: setting in estimator.get_params(deep=False)


def weighted(estimator):
    return "sample_weight" in inspect.signature(estimator.fit).parameters


@check()
def same_answers(estimator, case):
    """The same data and seed give the same answer, and nothing that was given is changed.

    Whether fitted again, copied or stored; lists, tuples, mappings and Views, dense and sparse.
    """
    before, y = repr(estimator.get_params(deep=False)), case.classes.copy()
    sparse = [sp.csr_matrix(X) for X in case.matrices]
    expected = answers(clone(estimator).fit(case.matrices, y), case.matrices)
    assert estimator.fit(case.matrices, y) is estimator
    for model in (estimator, pickle.loads(pickle.dumps(estimator)), estimator):
        same(expected, answers(model, case.matrices))
        estimator.fit(case.matrices, y)
    named = dict(zip(case.views.names, case.matrices, strict=True))
    for Xs in (sparse, named, tuple(map(sp.csc_array, sparse)), Views(sparse)):
        found = answers(clone(estimator).fit(Xs, y), Xs)
        same([X.toarray() for X in sparse], case.matrices, name="a view was changed")
        same(expected, found, exact=False)
    same(y, case.classes, name="labels")
    assert before == repr(estimator.get_params(deep=False))


@check()
def rows_by_id(estimator, case):
    """Labels and weights by id are matched to the rows; answers come in the rows' order."""
    n = len(case.classes)
    ids, shuffled = [f"row {i}" for i in range(n)], np.random.default_rng(7).permutation(n)
    views = Views(case.views, ids=ids)
    given = {"y": case.classes}
    if weighted(estimator):
        given["sample_weight"] = 1.0 + np.arange(n) % 3
    by_id = {what: {ids[i]: values[i] for i in shuffled} for what, values in given.items()}
    expected = answers(clone(estimator).fit(case.views, **given), case.views)
    same(expected, answers(clone(estimator).fit(views, **by_id), views))


@check()
def malformed_views(estimator, case):
    """Each kind of malformed view is refused, in fit and for new rows, and leaves no mark."""
    y = case.classes
    model = clone(estimator).fit(case.matrices, y)
    before = answers(model, case.matrices)
    for kind, (text, Xs) in wrong_views(case).items():
        refuses(clone(estimator).fit, text, Xs, y[:0] if kind == "no rows" else y)
        for output in outputs(model):
            if kind in ("nothing", "all NaN"):
                continue  # a view that is not there
            if kind in ("fewer rows", "more rows") and output == "transform":
                continue  # views may be projected one by one
            refuses(getattr(model, output), SAID, Xs)
    same(before, answers(model, case.matrices))


def wrong_views(case):
    """Return a name, the refusal and views that are wrong in one way, the second if it can be."""
    first, X = case.matrices[0], case.matrices[1]

    def changed(value):
        Y = X.copy()
        Y[1, 2] = value
        return Y

    nan, kind = "view 1 holds NaN or infinity .*row 1, column 2", "view 1 holds .* not numbers"
    flat, rows = "view 1 must be a 2-D matrix", "same documents|numbers of rows"
    second = {
        "NaN": (nan, changed(np.nan)),
        "infinity": (nan, changed(np.inf)),
        "minus infinity": (nan, changed(-np.inf)),
        "sparse NaN": (nan, sp.csr_matrix(changed(np.nan))),
        "all NaN": ("view 1 has no row", np.full_like(X, np.nan)),
        "text": (kind, X.astype(str)),
        "objects": (kind, np.full(X.shape, "x", dtype=object)),
        "dates": (kind, np.full(X.shape, np.datetime64("2020-01-01"))),
        "complex": ("view 1 holds complex values", X + 1j),
        "sparse complex": ("view 1 holds complex values", sp.csr_matrix(X + 1j)),
        "masked": ("view 1 has masked entries", np.ma.masked_array(X, X > 0)),
        "one dimension": (flat, X[:, 0]),
        "three dimensions": (flat, X[:, :, None]),
        "a number": (flat, 3.0),
        "a name": (flat, "words"),
        "nothing": (SAID, None),
        "no columns": ("view 1 has no columns", X[:, :0]),
        "fewer rows": (rows, X[:-1]),
        "more rows": (rows, np.vstack([X, X[:1]])),
        "ragged": (SAID, [[1.0, 2.0], [3.0]]),
        **broken(X),
    }
    sparse = sp.csr_matrix(first)
    return {
        **{name: (text, [first, Y, *case.matrices[2:]]) for name, (text, Y) in second.items()},
        "no rows": ("no rows", [Y[:0] for Y in case.matrices]),
        "no views": (r"view\(s\) are needed, got 0", []),
        "one matrix": ("list of views, got one matrix", first),
        "one sparse matrix": ("list of views, got one matrix", sparse),
        **{f"views: {Xs}": ("list of views, got", Xs) for Xs in (7, "views", {1, 2}, None)},
    }


def broken(X):
    """Return sparse matrices whose arrays contradict each other: compiled loops do not look."""
    stored, (height, width) = np.count_nonzero(X), X.shape
    found = {}
    for form, array, place, value in (
        ("csr", "indices", 0, width + 5),
        ("csr", "indices", 0, -4),
        ("csr", "indptr", 2, stored),
        ("csr", "indptr", -1, stored + 999),
        ("csr", "indptr", 0, 1),
        ("csc", "indices", 0, height),
        ("bsr", "indices", 0, width),
    ):
        Y = sp.csr_matrix(X).asformat(form)
        getattr(Y, array)[place] = value
        found[f"{form} {array} {place} {value}"] = Y
    found["short"] = sp.csr_matrix(X)
    found["short"].indptr = found["short"].indptr[:-2]
    found["outside"] = sp.coo_matrix(X)
    found["outside"].coords[1][0] = width
    text = "view 1 is a broken sparse matrix: .*build it anew"
    return {name: (text, Y) for name, Y in found.items()}


@check(outputs)
def new_rows(estimator, case):
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
        refuses(ask, SAID, other)
        refuses(ask, "view 'part1'", narrow)
        refuses(ask, "view 1", narrow.matrices)
        refuses(ask, SAID, case.matrices[:1])
        with pytest.raises(NotFittedError):
            getattr(clone(estimator), output)(case.matrices)


@check()
def missing_views(estimator, case):
    """Rows may lack a view (or be NaN in it), in fit and later; answers are finite, no guesses."""
    views = ampute(case.views, 0.4, np.random.default_rng(7))
    model = clone(estimator).fit(views, case.classes)
    found = answers(model, views)
    for name, answer in found.items():
        for values in map(np.asarray, listed(answer)):
            assert values.dtype.kind != "f" or np.isfinite(values).all(), name
    nan = [np.where(views.observed[:, [v]], X, np.nan) for v, X in enumerate(case.matrices)]
    same(found, answers(clone(estimator).fit(nan, case.classes), nan))
    if is_classifier(model):
        lacking = ~views.observed.all(axis=1)
        right = (np.asarray(model.predict(views)) == case.classes)[lacking].mean()
        assert right > 1.0 / (case.classes.max() + 1) + 0.1


@check()
def feature_names(estimator, case):
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
        refuses(getattr(model, output), f"view {second!r}", turned)


@check(has("verbose"))
def verbose(estimator, case):
    """A line every iteration if asked, not a word if not."""
    y = np.where(case.labelled, case.classes, -1) if is_classifier(estimator) else case.classes
    for every in (0, 1):
        text = io.StringIO()
        with redirect_stderr(text), redirect_stdout(text), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of fits that have not settled
            seeded(estimator, verbose=every).fit(case.views, y)
        lines = [line for line in text.getvalue().splitlines() if line != ANNOUNCEMENT]
        assert bool(lines) == bool(every)
        assert all("iteration" in line for line in lines)


@check(has("n_jobs"))
def n_jobs(estimator, case):
    """The same bits on one thread and on three; numbers as without threads up to rounding."""
    plain, one, three = (
        learnt(seeded(estimator, n_jobs=jobs).fit(case.views, case.classes))
        for jobs in (None, 1, 3)
    )
    same(one, three)
    same(plain, one, exact=False)


@check(weighted)
def sample_weight(estimator, case):
    """Equal weights change nothing; wrong ones are refused."""
    ones = np.ones(len(case.classes))
    plain = learnt(clone(estimator).fit(case.views, case.classes))
    equal = clone(estimator).fit(case.views, case.classes, sample_weight=ones)
    same(plain, learnt(equal), exact=False)
    for wrong in (-ones, ones[1:], ones * np.nan, ones * 0, ones[:, None]):
        fit = partial(clone(estimator).fit, case.views, case.classes)
        refuses(fit, "sample_weight", sample_weight=wrong)


@check(lambda estimator: hasattr(estimator, "transform"))
def set_output(estimator, case):
    """Data frames hold the same numbers under names of their own, also those of copies."""
    model = clone(estimator).fit(case.views, case.classes)
    plain, names = model.transform(case.views), model.get_feature_names_out()
    names = names if isinstance(plain, list) else [names]
    for Z, columns in zip(listed(plain), names, strict=True):
        assert isinstance(Z, np.ndarray)
        assert Z.shape[1] == len(set(columns))
    for kind in filter(find_spec, ("pandas", "polars")):
        copied = clone(clone(estimator).set_output(transform=kind)).fit(case.views, case.classes)
        for frame in listed(copied.transform(case.views)):
            assert type(frame).__module__.startswith(kind)
        same(plain, model.set_output(transform=kind).transform(case.views), name=kind)


@check(is_classifier)
def labels_of_any_kind(estimator, case):
    """Whatever classes are called, and None, NaN or -1 mark the unlabelled, answers are the same.

    A marker is never predicted.
    """
    k = int(case.classes.max()) + 1
    words = np.array([f"class {c:02}" for c in range(k)])
    for marker in (UNMARKED, -1):
        base = clone(estimator).fit(case.matrices, case.labels(np.arange(k), marker))
        expected = base.predict(case.matrices)
        for names, mark in (
            (words, None),
            (words.astype("S"), None),
            (words.astype(object), np.nan),
            (np.arange(k) * 0.5 + 0.25, np.nan),
            (np.arange(k) * 10**12 + 5, -1),
        ):
            y = case.labels(names, mark if marker == -1 else UNMARKED)
            model = clone(estimator).fit(case.matrices, y if mark is None else list(y))
            assert model.classes_.size == k, f"{mark} was learnt as a class"
            np.testing.assert_array_equal(model.classes_, names.astype(model.classes_.dtype))
            np.testing.assert_array_equal(model.predict(case.matrices), model.classes_[expected])


@check(is_classifier)
def malformed_labels(estimator, case):
    """Each kind of malformed labels is refused."""
    y, n = case.classes, len(case.classes)
    tuples = np.empty(n, dtype=object)
    tuples[:] = [(c,) for c in y]
    for text, wrong in (
        ("one label per row", y[:-1]),
        ("one label per row", np.append(y, 0)),
        ("one label per row", np.stack([y, y], axis=1)),
        (SAID, 3),
        (SAID, "labels"),
        ("no labelled row|one class alone, none", np.full(n, None, dtype=object)),
        ("no labelled row|one class alone, none", np.full(n, np.nan)),
        ("one class alone, 0", np.zeros(n, dtype=int)),
        ("one class alone, 7", np.where(np.arange(n) % 2, 7, -1)),
        ("infinity in row 2", np.where(np.arange(n) == 2, np.inf, y)),
        ("numbers or names", y + 1j),
        ("numbers or names", np.full(n, np.datetime64("2020-01-01"))),
        ("numbers or names, got tuple", tuples),
        ("mixes name and number labels", np.array(["name", *y[1:]], dtype=object)),
        (SAID, None),
    ):
        if wrong is not None or not has("n_classes")(estimator):  # else it clusters
            refuses(clone(estimator).fit, text, case.matrices, wrong)


@check(is_classifier)
def score_of_labelled_rows(estimator, case):
    """Rows without a label do not count in the score, nor in cross-validation of Views."""
    y = case.labels([f"class {c}" for c in range(case.classes.max() + 1)], None)
    scores = cross_val_score(clone(estimator), case.views, y, cv=LabelledFold(3))
    assert np.isfinite(scores).all()
    model = estimator.fit(case.matrices, y)
    some = [X[case.labelled] for X in case.matrices]
    expected = np.mean(model.predict(some) == y[case.labelled])
    assert model.score(case.matrices, y) == expected
