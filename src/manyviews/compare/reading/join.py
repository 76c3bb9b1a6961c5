"""Views of several files side by side: rows joined by their ids, in any order, or by line."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.compare.reading.errors import DataError
from manyviews.compare.reading.parts import Given, Part
from manyviews.views import Views

#: A view with more columns than this, or with fewer values than that share, is kept sparse.
_WIDE, _DENSE = 2000, 0.25


def row_names(parts: Sequence[Part], notes: list[str]) -> list[str]:
    """Return the names of all rows in the order in which they first appear."""
    named = [part for part in parts if part.ids is not None]
    if not named:
        first = parts[0]
        for part in parts:
            if part.n_rows != first.n_rows:
                raise DataError(
                    f"{part.source}: has {part.n_rows} rows, {first.source} has {first.n_rows}, "
                    "and no column names the rows; add a column `id` to both, or make them equally "
                    "long"
                )
        if len({part.source for part in parts}) > 1:
            notes.append("no file names its rows: they are joined by line")
        ids = [str(i) for i in range(first.n_rows)]
    else:
        ids = list(dict.fromkeys(key for part in named for key in part.ids or ()))
        for part in named:
            _check_ids(part, [other for other in named if other is not part])
    for part in (part for part in parts if part.ids is None):
        if part.n_rows != len(ids) or any(other.ids != ids for other in named):
            raise DataError(
                f"{part.source}: its {part.n_rows} rows have no ids, those of "
                f"{named[0].source} have; give it a column of ids, or none to all files"
            )
        if named:
            notes.append(f"{part.source} has no ids; its rows are joined by line")
        part.ids = ids
    return ids


def _check_ids(part: Part, others: Sequence[Part]) -> None:
    """Refuse ids that are blank or there twice, and a view that shares no row with any other."""
    own, seen = part.ids or [], set[str]()
    for at, key in enumerate(own, start=1):
        if not key or key in seen:
            raise DataError(
                f"{part.source}: row {at} of view {part.name!r} has the id {key!r}, which is "
                "blank or there already; name every row by its own"
            )
        seen.add(key)
    if others and not any(seen & set(other.ids or ()) for other in others):
        theirs = others[0].ids or ["?"]
        zeros = {key.lstrip("0") for key in own} & {key.lstrip("0") for key in theirs}
        hint = "they differ by leading zeros only: write them alike" if zeros else "join them"
        raise DataError(
            f"{part.source}: no id of view {part.name!r} (such as {(own or ['?'])[0]!r}) "
            f"occurs in another file (such as {theirs[0]!r}); {hint}"
        )


def _spread(places: np.ndarray, size: int) -> sp.csr_matrix:
    """Return the matrix that puts rows at their places among ``size``."""
    ones = np.ones(places.size)
    return sp.csr_matrix((ones, (places, np.arange(places.size))), shape=(size, places.size))


def joined(parts: Sequence[Part], ids: Sequence[str], notes: list[str]) -> Views:
    """Return the views with one row per id; a row that a file lacks is not observed in its view."""
    place = {key: i for i, key in enumerate(ids)}
    matrices, observed = {}, []
    for part in parts:
        rows = np.array([place[key] for key in part.ids or ()], dtype=np.int64)
        here = np.zeros(len(ids), dtype=bool)
        here[rows] = True
        if sp.issparse(part.matrix):
            matrix = sp.csr_matrix(_spread(rows, len(ids)) @ part.matrix)
        else:
            matrix = np.full((len(ids), part.matrix.shape[1]), np.nan)
            matrix[rows] = part.matrix
            here &= ~np.isnan(matrix).all(axis=1)
            matrix = _filled(part, matrix, here, notes)
        filled = matrix.nnz if sp.issparse(matrix) else np.count_nonzero(matrix)
        if not filled:
            raise DataError(
                f"{part.source}: view {part.name!r} is empty, all its cells are zero or blank; "
                "fill it or leave it out"
            )
        if not here.all():
            notes.append(f"{int((~here).sum())} of {len(ids)} rows lack view {part.name!r}")
        matrices[part.name] = _slim(matrix, filled / np.prod(matrix.shape))
        observed.append(here)
    return Views(matrices, ids=np.array(list(ids)), observed=np.column_stack(observed))


def _filled(part: Part, matrix: np.ndarray, here: np.ndarray, notes: list[str]) -> np.ndarray:
    """Fill blank cells of rows that have others with the median of their column, aloud."""
    gaps = np.isnan(matrix) & here[:, None]
    if gaps.any():
        known = matrix[here]
        known[:, np.isnan(known).all(axis=0)] = 0.0
        matrix = np.where(gaps, np.nanmedian(known, axis=0), matrix)
        notes.append(
            f"{part.source}: {int(gaps.sum())} blank cells of view {part.name!r} were filled with "
            "the median of their column"
        )
    return np.where(here[:, None], matrix, 0.0)


def _slim(matrix: Any, share: float) -> Any:
    """Return a matrix sparse if that is less, dense if most of it is filled and it is narrow."""
    narrow = matrix.shape[1] <= _WIDE
    if sp.issparse(matrix):
        return matrix.toarray() if share > _DENSE and narrow else matrix
    return matrix if share >= _DENSE and narrow else sp.csr_matrix(matrix)


def as_graph(part: Part, ids: Sequence[str], notes: list[str]) -> Part:
    """Return a view of links with its columns in the order of the rows, if it is one.

    A view is one if ``data.yaml`` says so, if its columns are called like the rows, or if it is a
    sparse square matrix.
    """
    place = {key: i for i, key in enumerate(ids)}
    named = sum(column in place for column in part.columns)
    square = part.matrix.shape[1] == len(ids)
    if named and named == len(part.columns) and (part.graph or named >= 0.5 * len(ids)):
        at = _spread(np.array([place[column] for column in part.columns]), len(ids))
        part.matrix = sp.csr_matrix(sp.csc_matrix(part.matrix) @ at.T)
        part.columns, part.graph = list(ids), True
        notes.append(f"view {part.name!r} links rows to rows: its columns are called like them")
    elif square and (part.graph or (sp.issparse(part.matrix) and len(ids) > 50)):
        if not part.graph:
            notes.append(f"view {part.name!r} is square and sparse: taken for links between rows")
        part.graph, part.columns = True, list(ids)
    elif part.graph:
        raise DataError(
            f"{part.source}: view {part.name!r} is said to hold links between rows, but has "
            f"{part.matrix.shape[1]} columns for {len(ids)} rows; name its columns like the rows"
        )
    return part


def labels_of(given: Sequence[Given], ids: Sequence[str], notes: list[str]) -> list[str] | None:
    """Return the class of every row, empty where there is none; files must not contradict."""
    if not given:
        return None
    found: dict[str, tuple[str, str]] = {}
    known = set(ids)
    for one in given:
        if one.ids is None and len(one.labels) != len(ids):
            raise DataError(
                f"{one.source}: has {len(one.labels)} classes for {len(ids)} rows; give it a "
                "column of ids or one line per row"
            )
        keys = list(ids) if one.ids is None else one.ids
        unknown = sum(key not in known for key in keys)
        if unknown == len(keys):
            raise DataError(
                f"{one.source}: none of its ids (such as {keys[0]!r}) is a row of a view (such as "
                f"{ids[0]!r}); write them alike"
            )
        if unknown:
            notes.append(f"{one.source}: {unknown} ids are no row of a view; left out")
        for key, label in zip(keys, one.labels, strict=True):
            if not label:
                continue
            before, source = found.setdefault(key, (label, one.source))
            if before != label and key in known:
                raise DataError(
                    f"{one.source}: row {key!r} is {label!r}, in {source} it is {before!r}; "
                    "correct one of them"
                )
    return [found.get(key, ("", ""))[0] for key in ids]
