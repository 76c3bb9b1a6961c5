"""What the checks have in common: fits with one seed, answers, and refusals."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.base import clone

from manyviews.testing.data import Case

Check = Callable[[Any, Case], None]
#: What an estimator may offer for new rows.
OUTPUTS = ("predict", "predict_proba", "decision_function", "transform")


def outputs(estimator: Any) -> list[str]:
    """Return what it offers."""
    return [name for name in OUTPUTS if hasattr(estimator, name)]


def seeded(estimator: Any, **settings: Any) -> Any:
    """Return a copy with a fixed seed, if it takes one, and other settings."""
    model = clone(estimator).set_params(**settings)
    return model.set_params(random_state=3) if "random_state" in model.get_params() else model


def answers(model: Any, Xs: Any) -> dict[str, Any]:
    """Return what a fitted model knows of its rows, and says of given ones."""
    found = {name: getattr(model, name)(Xs) for name in outputs(model)}
    if hasattr(model, "labels_"):
        found["labels_"] = model.labels_
    return found or learnt(model)


def listed(value: Any) -> list[Any]:
    """Return a list as it is, anything else as a list of one."""
    return value if isinstance(value, list) else [value]


def learnt(model: Any) -> dict[str, Any]:
    """Return the numbers that a model has learnt."""
    return {
        name: value
        for name, value in vars(model).items()
        if name.endswith("_") and not name.startswith("_")
        and all(isinstance(part, np.ndarray | float | int) for part in listed(value))
    }  # fmt: skip


def same(a: Any, b: Any, *, exact: bool = True, name: str = "") -> None:
    """Assert that two answers are equal, or as equal as sums in another order allow."""
    if isinstance(a, Mapping):
        assert set(a) == set(b), f"{set(a)} against {set(b)}"
        for key in a:
            same(a[key], b[key], exact=exact, name=key)
    elif isinstance(a, list | tuple):
        assert len(a) == len(b), f"{name}: answers of another length"
        for one, two in zip(a, b, strict=True):
            same(one, two, exact=exact, name=name)
    elif exact or np.asarray(a).dtype.kind not in "fc":
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b), err_msg=name)
    else:
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-7, err_msg=name)


def refuses(call: Callable[[], Any], what: str, *, names: str = "") -> None:
    """Assert that a call raises ValueError, with a word that names the view at fault."""
    try:
        call()
    except ValueError as error:
        text = str(error)
        assert text.strip(), f"{what} is refused without a word"
        assert names in text, f"{what}: the error does not name {names}: {text}"
    except Exception as error:
        raise AssertionError(f"{what} raises {type(error).__name__}: {error}") from error
    else:
        raise AssertionError(f"{what} is accepted")
