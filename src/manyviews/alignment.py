"""Which rows belong together: the one place where data frames, labels and weights meet by id."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np


def is_frame(X: Any) -> bool:
    """Tell whether ``X`` is a data frame: it has labelled rows and columns."""
    return hasattr(X, "iloc") and hasattr(X, "columns")


def has_ids(values: Any) -> bool:
    """Tell whether values name their rows: a Series, a data frame or a mapping from ids."""
    return isinstance(values, Mapping) or hasattr(values, "iloc")


def some(keys: Iterable[Any], most: int = 3) -> str:
    """Return the first ids as text."""
    shown = [repr(key.item() if isinstance(key, np.generic) else key) for key in keys]
    return ", ".join(shown[:most]) + (", ..." if len(shown) > most else "")


def aligned_frames(
    parts: Sequence[Any], names: tuple[str, ...], ids: Any
) -> tuple[list[Any], np.ndarray, list[np.ndarray], bool]:
    """Bring data frames into one order of rows.

    Return them as arrays, the ids, who has what, and whether any frame had other rows, or another
    order of them, than the result.
    """
    for name, X in zip(names, parts, strict=True):
        if not is_frame(X):
            raise ValueError(f"view {name!r} is no data frame but others are; give all an index")
        if not X.index.is_unique:
            twice = X.index[X.index.duplicated()][0]
            raise ValueError(f"view {name!r} names row {twice!r} twice; ids must be unique")
    if ids is None:
        _check_common_ids(parts, names)
        ids = list(dict.fromkeys(key for X in parts for key in X.index))
    found, known, moved = [], [], False
    for X in parts:
        at = X.index.get_indexer(ids)
        here = at >= 0
        moved = moved or len(X) != len(at) or bool((at != np.arange(len(at))).any())
        table = X.to_numpy()[np.where(here, at, 0)] if len(X) else np.zeros((len(ids), X.shape[1]))
        found.append(np.where(here[:, None], table, 0))
        known.append(here)
    return found, id_vector(ids), known, moved


def id_vector(values: Any) -> np.ndarray:
    """Return texts, or numbers of one kind, as such a vector, a mix as objects, an array as is."""
    if isinstance(values, np.ndarray):
        return values
    values = list(values)
    kinds = {type(value) for value in values}
    if len(kinds) == 1 and issubclass(kinds.pop(), str | int | float | np.generic):
        return np.asarray(values)
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


def _check_common_ids(parts: Sequence[Any], names: tuple[str, ...]) -> None:
    """Refuse frames whose indexes do not say which rows belong together."""
    filled = [v for v, X in enumerate(parts) if len(X)]
    if len(filled) < 2:
        return
    counted = [v for v in filled if _only_counts(parts[v].index)]
    sizes = {len(parts[v]) for v in counted}
    if len(sizes) > 1:
        told = ", ".join(f"{names[v]!r} has {len(parts[v])}" for v in counted)
        raise ValueError(
            f"these views have row numbers for an index and different numbers of rows ({told}), "
            "so nothing says which rows belong together; give the frames an index of ids "
            '(frame.set_index("id"))'
        )
    for v in filled:
        others = [w for w in filled if w != v]
        if not any(parts[v].index.isin(parts[w].index).any() for w in others):
            raise ValueError(
                f"view {names[v]!r} has no row in common with the others (its ids: "
                f"{some(parts[v].index)}; those of {names[others[0]]!r}: "
                f"{some(parts[others[0]].index)}); give all frames the same kind of ids as index, "
                "or name the rows with Views(..., ids=[...])"
            )


def _only_counts(index: Any) -> bool:
    """Tell whether an index is the one a frame gets when nobody gives it one: 0, 1, 2, ..."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def in_row_order(
    values: Any, ids: np.ndarray | None, name: str, *, needed: bool = False, strict: bool = False
) -> Any:
    """Return what is given by id as an array in the order of the rows.

    Anything but a Series, a data frame or a mapping from ids, and everything where the rows have no
    ids, goes by position and is returned as it is. Rows that ``values`` lacks are refused if it is
    ``needed``; else they hold None (False in a table of truths). ``strict`` refuses another order.
    Errors call it ``name``.
    """
    if not has_ids(values) or ids is None:
        return values
    keys, data = _opened(values)
    if len(keys) == len(ids) and all(a == b for a, b in zip(keys, ids, strict=True)):
        return data
    if strict:
        raise ValueError(
            f"{name} does not have the rows of the views in their order, and what follows a "
            f"transformer in a pipeline goes by position; use {name} = views.align({name}) first"
        )
    place = {key: at for at, key in enumerate(keys)}
    if len(place) < len(keys):
        twice = next(key for at, key in enumerate(keys) if place[key] != at)
        raise ValueError(f"{name} names row {twice!r} twice; ids must be unique")
    _check_known(keys, ids, name)
    at = np.array([place.get(key, -1) for key in ids], dtype=np.int64)
    lacking = at < 0
    if not lacking.any():
        return data[at]
    if needed:
        raise ValueError(
            f"{name} lacks {int(lacking.sum())} of the {len(ids)} rows (such as "
            f"{some(ids[lacking])}); give a value for every row"
        )
    if data.dtype == bool and data.ndim == 2:
        return np.where(lacking[:, None], False, data[at])
    found = data[at].astype(object)
    found[lacking] = None
    return found


def _opened(values: Any) -> tuple[list[Any], np.ndarray]:
    """Return ids and values; a data frame of one column is a vector."""
    if isinstance(values, Mapping):
        return list(values), id_vector(list(values.values()))
    data = values.to_numpy()
    return list(values.index), data[:, 0] if data.ndim == 2 and data.shape[1] == 1 else data


def _check_known(keys: list[Any], ids: np.ndarray, name: str) -> None:
    """Refuse ids that no row has."""
    known = set(ids.tolist() if ids.dtype != object else ids)
    unknown = [key for key in keys if key not in known]
    if not unknown:
        return
    splits = f"; where scikit-learn splits the rows, use {name} = views.align({name}) before"
    if len(unknown) == len(keys):
        raise ValueError(
            f"no id of {name} ({some(keys)}) is the id of a row ({some(ids)}); give {name} the "
            f"rows' ids as index, or an array in the order of Views.ids{splits}"
        )
    raise ValueError(
        f"{name} names {len(unknown)} row(s) that the views do not have (such as "
        f"{some(unknown)}); take them out: {name}[{name}.index.isin(views.ids)]{splits}"
    )
