"""Checks of what an estimator offers beside fitting and predicting."""

from __future__ import annotations

import contextlib
import inspect
import io
import warnings
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier

from manyviews.kernels import ANNOUNCEMENT
from manyviews.testing.common import Check, learnt, outputs, refuses, same, seeded
from manyviews.testing.data import Case


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
        yield "set_output", set_output


def feature_names(estimator: Any, case: Case) -> None:
    """Names of columns are kept, and other ones are refused by the view's name."""
    views = case.views
    names = {
        name: np.array([f"{name} column {j}" for j in range(X.shape[1])], dtype=object)
        for name, X in zip(views.names, views.matrices, strict=True)
    }
    named = views.replace(dict(zip(views.names, views.matrices, strict=True)), names)
    model = clone(estimator).fit(named, case.classes)
    assert hasattr(model, "feature_names_in_"), "feature_names_in_ is not there"
    same(list(names.values()), model.feature_names_in_, name="feature_names_in_")
    assert not hasattr(clone(estimator).fit(views, case.classes), "feature_names_in_")
    second = views.names[1]
    turned = named.replace({second: views.view(second)}, {second: names[second][::-1]})
    for output in outputs(model):
        getattr(model, output)(views)  # columns without names are taken as they come
        what = f"{output} of columns in another order"
        refuses(partial(getattr(model, output), turned), what, names=f"view {second!r}")


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
            fits.append(seeded(estimator, verbose=every).fit(case.views, y))
        said.append([line for line in text.getvalue().splitlines() if line != ANNOUNCEMENT])
    assert not said[0], f"it talks without being asked: {said[0][0]}"
    assert said[1], "verbose=1 says nothing"
    assert all("iteration" in line for line in said[1]), f"what is this: {said[1][0]}"
    same(learnt(fits[0]), learnt(fits[1]))


def n_jobs(estimator: Any, case: Case) -> None:
    """The same bits on one thread and on three; numbers as without threads up to rounding."""
    plain, one, three = (
        learnt(seeded(estimator, n_jobs=jobs).fit(case.views, case.classes))
        for jobs in (None, 1, 3)
    )
    same(one, three)
    same(plain, one, exact=False)


def sample_weight(estimator: Any, case: Case) -> None:
    """Equal weights change nothing; wrong ones are refused."""
    ones = np.ones(len(case.classes))
    plain = learnt(clone(estimator).fit(case.views, case.classes))
    weighted = clone(estimator).fit(case.views, case.classes, sample_weight=ones)
    same(plain, learnt(weighted), exact=False)
    for wrong in (-ones, ones[1:], ones * np.nan, ones * 0, ones[:, None]):
        fit = partial(clone(estimator).fit, case.views, case.classes, sample_weight=wrong)
        refuses(fit, f"weights such as {wrong[0]} ({wrong.shape})", names="sample_weight")


def set_output(estimator: Any, case: Case) -> None:
    """Data frames hold the same numbers under names of their own, also those of copies."""
    model = clone(estimator).fit(case.views, case.classes)
    plain, names = model.transform(case.views), model.get_feature_names_out()
    listed = isinstance(plain, list)
    for Z, columns in zip(plain, names, strict=True) if listed else [(plain, names)]:
        assert isinstance(Z, np.ndarray)
        assert Z.shape[1] == len(set(columns)), f"{len(set(columns))} names, {Z.shape[1]} columns"
    for kind in filter(find_spec, ("pandas", "polars")):
        copied = clone(clone(estimator).set_output(transform=kind)).fit(case.views, case.classes)
        frames = copied.transform(case.views)
        for frame in frames if listed else [frames]:
            assert type(frame).__module__.startswith(kind), f"no {kind} data frames"
        same(plain, model.set_output(transform=kind).transform(case.views), name=kind)
