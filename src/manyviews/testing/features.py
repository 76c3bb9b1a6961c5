"""Checks of what an estimator offers beside fitting and predicting."""

from __future__ import annotations

import contextlib
import inspect
import io
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier

from manyviews.kernels import ANNOUNCEMENT
from manyviews.testing.data import Case

Check = Callable[[Any, Case], None]


def feature_checks(estimator: Any) -> Iterator[tuple[str, Check]]:
    """Yield the name of every check that applies to an estimator, and the check."""
    settings = estimator.get_params(deep=False)
    yield "feature_names", feature_names
    if "verbose" in settings:
        yield "verbose", verbose
    if "n_jobs" in settings:
        yield "n_jobs", n_jobs
    if "sample_weight" in inspect.signature(estimator.fit).parameters:
        yield "sample_weight", sample_weight
    if hasattr(estimator, "transform"):
        yield "feature_names_out", feature_names_out
        yield "set_output", set_output


def _seeded(estimator: Any, **settings: Any) -> Any:
    """Return a copy with a fixed seed, if it takes one, and other settings."""
    model = clone(estimator).set_params(**settings)
    return model.set_params(random_state=3) if "random_state" in model.get_params() else model


def _numbers(model: Any) -> dict[str, Any]:
    """Return what a model has learnt, as arrays."""
    found = {}
    for name, value in vars(model).items():
        if name.endswith("_") and not name.startswith("_"):
            parts = value if isinstance(value, list) else [value]
            if all(isinstance(part, np.ndarray | float | int) for part in parts):
                found[name] = [np.asarray(part) for part in parts]
    return found


def _agree(one: dict[str, Any], two: dict[str, Any], exact: bool) -> None:
    assert one.keys() == two.keys(), "other attributes"
    for name in one:
        for a, b in zip(one[name], two[name], strict=True):
            if exact or a.dtype.kind != "f":
                np.testing.assert_array_equal(a, b, err_msg=name)
            else:
                np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-7, err_msg=name)


@contextlib.contextmanager
def _unwarned() -> Iterator[None]:
    """Keep warnings, of fits that have not settled say, out of what is printed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def verbose(estimator: Any, case: Case) -> None:
    """A line every iteration if asked, not a word if not; the result is the same."""
    fits, said = [], []
    y = case.classes if not is_classifier(estimator) else np.where(case.labelled, case.classes, -1)
    for every in (0, 1):
        text = io.StringIO()
        with contextlib.redirect_stderr(text), contextlib.redirect_stdout(text), _unwarned():
            fits.append(_seeded(estimator, verbose=every).fit(case.views, y))
        said.append([line for line in text.getvalue().splitlines() if line != ANNOUNCEMENT])
    assert not said[0], f"it talks without being asked: {said[0][0]}"
    lines = said[1]
    assert lines, "verbose=1 says nothing"
    assert all("iteration" in line for line in lines), f"what is this: {lines[0]}"
    _agree(_numbers(fits[0]), _numbers(fits[1]), exact=True)


def n_jobs(estimator: Any, case: Case) -> None:
    """The same bits on one thread and on three; numbers as without threads up to rounding."""
    plain, one, three = (
        _numbers(_seeded(estimator, n_jobs=jobs).fit(case.views, case.classes))
        for jobs in (None, 1, 3)
    )
    _agree(one, three, exact=True)
    _agree(plain, one, exact=False)


def sample_weight(estimator: Any, case: Case) -> None:
    """Equal weights change nothing; wrong ones are refused."""
    n_rows = len(case.classes)
    plain = _numbers(_seeded(estimator).fit(case.views, case.classes))
    ones = _seeded(estimator).fit(case.views, case.classes, sample_weight=np.ones(n_rows))
    _agree(plain, _numbers(ones), exact=False)
    for wrong in (-np.ones(n_rows), np.ones(n_rows - 1), np.full(n_rows, np.nan)):
        try:
            clone(estimator).fit(case.views, case.classes, sample_weight=wrong)
        except ValueError:
            continue
        raise AssertionError(f"weights such as {wrong[0]} ({wrong.shape}) are accepted")


def feature_names(estimator: Any, case: Case) -> None:
    """Column names are kept, and columns with other names are refused by the view's name."""
    views = case.views
    names = {name: _columns(name, views.view(name).shape[1]) for name in views.names}
    named = views.replace({name: views.view(name) for name in views.names}, names)
    model = clone(estimator).fit(named, case.classes)
    found = getattr(model, "feature_names_in_", None)
    assert found is not None, "feature_names_in_ is not there"
    for name, columns in zip(views.names, found, strict=True):
        np.testing.assert_array_equal(columns, names[name])
    assert not hasattr(clone(estimator).fit(views, case.classes), "feature_names_in_")
    second = views.names[1]
    turned = named.replace({second: views.view(second)}, {second: names[second][::-1]})
    for output in ("predict", "transform"):
        if hasattr(model, output):
            getattr(model, output)(views)  # columns without names are taken as they come
            said = _refusal(getattr(model, output), turned)
            assert said, f"{output} accepts columns in another order"
            assert f"view {second!r}" in said, f"the error does not name the view: {said}"


def _refusal(call: Callable[[Any], Any], Xs: Any) -> str:
    """Return the message of the ValueError that a call raises, '' if it raises none."""
    try:
        call(Xs)
    except ValueError as error:
        return str(error)
    return ""


def _columns(view: str, width: int) -> np.ndarray:
    return np.array([f"{view} column {j}" for j in range(width)], dtype=object)


def feature_names_out(estimator: Any, case: Case) -> None:
    """There is a name for every column that comes out, and none twice."""
    model = clone(estimator).fit(case.views, case.classes)
    found, names = model.transform(case.views), model.get_feature_names_out()
    parts = zip(found, names, strict=True) if isinstance(found, list) else [(found, names)]
    for Z, columns in parts:
        assert Z.shape[1] == len(columns), f"{len(columns)} names for {Z.shape[1]} columns"
        assert len(set(columns)) == len(columns), "a name occurs twice"


def set_output(estimator: Any, case: Case) -> None:
    """Data frames hold the same numbers, and copies of the estimator return them too."""
    model = clone(estimator).fit(case.views, case.classes)
    plain = model.transform(case.views)
    parts = plain if isinstance(plain, list) else [plain]
    assert all(isinstance(Z, np.ndarray) for Z in parts)
    for kind in ("pandas", "polars"):
        if find_spec(kind) is None:
            continue
        copied = clone(_seeded(estimator).set_output(transform=kind))
        frames = copied.fit(case.views, case.classes).transform(case.views)
        frames = frames if isinstance(frames, list) else [frames]
        assert all(type(Z).__module__.startswith(kind) for Z in frames), f"no {kind} data frames"
        model.set_output(transform=kind)
        again = model.transform(case.views)
        again = again if isinstance(again, list) else [again]
        for Z, frame in zip(parts, again, strict=True):
            np.testing.assert_array_equal(Z, frame.to_numpy())
