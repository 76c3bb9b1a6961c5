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
    plain = [part for part in parts if part.ids is None]
    if named:
        ids = list(dict.fromkeys(key for part in named for key in part.ids or ()))
        for part in named:
            _check_unique(part)
        _check_overlap(named)
        for part in plain:
            if part.n_rows != len(ids) or any(other.ids != ids for other in named):
                raise DataError(
                    f"{part.source}: its {part.n_rows} rows have no ids, those of "
                    f"{named[0].source} have; give it a column of ids, or none to all files"
                )
            notes.append(f"{part.source} has no ids; its rows are joined by line")
            part.ids = ids
        return ids
    counts = {part.n_rows for part in parts}
    if len(counts) > 1:
        first, other = parts[0], next(p for p in parts if p.n_rows != parts[0].n_rows)
        raise DataError(
            f"{other.source}: has {other.n_rows} rows, {first.source} has {first.n_rows}, and no "
            "column names the rows; add a column `id` to both, or make them equally long"
        )
    if len({part.source for part in parts}) > 1:
        notes.append("no file names its rows: they are joined by line")
    ids = [str(i) for i in range(parts[0].n_rows)]
    for part in parts:
        part.ids = ids
    return ids


def _check_unique(part: Part) -> None:
    """Refuse ids that are blank or there twice: rows would be lost or added up."""
    own = part.ids or []
    if len(set(own)) < len(own) or not all(own):
        at = next(i for i, key in enumerate(own) if not key or key in set(own[:i]))
        raise DataError(
            f"{part.source}: row {at + 1} of view {part.name!r} has the id {own[at]!r}, which is "
            "blank or there already; name every row by its own"
        )


def _check_overlap(parts: Sequence[Part]) -> None:
    """Refuse views that share no row with any other."""
    if len(parts) < 2:
        return
    for part in parts:
        own = set(part.ids or ())
        if not any(own & set(other.ids or ()) for other in parts if other is not part):
            other = next(p for p in parts if p is not part)
            plain = {key.lstrip("0") for key in own} & {k.lstrip("0") for k in other.ids or ()}
            hint = "they differ by leading zeros only: write them alike" if plain else "join them"
            raise DataError(
                f"{part.source}: no id of view {part.name!r} (such as {(part.ids or ['?'])[0]!r}) "
                f"occurs in another file (such as {(other.ids or ['?'])[0]!r}); {hint}"
            )


def joined(parts: Sequence[Part], ids: Sequence[str], notes: list[str]) -> Views:
    """Return the views with one row per id; a row that a file lacks is not observed in its view."""
    place = {key: i for i, key in enumerate(ids)}
    matrices, observed = {}, []
    for part in parts:
        rows = np.array([place[key] for key in part.ids or ()], dtype=np.int64)
        here = np.zeros(len(ids), dtype=bool)
        here[rows] = True
        if sp.issparse(part.matrix):
            at = sp.csr_matrix((np.ones(rows.size), (rows, np.arange(rows.size))),
                               shape=(len(ids), rows.size))  # fmt: skip
            matrix = sp.csr_matrix(at @ part.matrix)
        else:
            matrix = np.full((len(ids), part.matrix.shape[1]), np.nan)
            matrix[rows] = part.matrix
            here &= ~np.isnan(matrix).all(axis=1)
            matrix = _filled(part, matrix, here, notes)
        _check_empty(part, matrix)
        if not here.all():
            notes.append(f"{int((~here).sum())} of {len(ids)} rows lack view {part.name!r}")
        matrices[part.name] = _slim(matrix)
        observed.append(here)
    return Views(matrices, ids=np.array(list(ids)), observed=np.column_stack(observed))


def _filled(part: Part, matrix: np.ndarray, here: np.ndarray, notes: list[str]) -> np.ndarray:
    """Fill blank cells of rows that have others with the median of their column, aloud."""
    gaps = np.isnan(matrix) & here[:, None]
    if gaps.any():
        known = matrix[here]
        empty = np.isnan(known).all(axis=0)
        known[:, empty] = 0.0
        middle = np.nanmedian(known, axis=0)
        matrix = np.where(gaps, middle, matrix)
        notes.append(
            f"{part.source}: {int(gaps.sum())} blank cells of view {part.name!r} were filled with "
            "the median of their column"
        )
    return np.where(here[:, None], matrix, 0.0)


def _check_empty(part: Part, matrix: Any) -> None:
    filled = matrix.nnz if sp.issparse(matrix) else np.count_nonzero(matrix)
    if not filled:
        raise DataError(
            f"{part.source}: view {part.name!r} is empty, all its cells are zero or blank; fill it "
            "or leave it out"
        )


def _slim(matrix: Any) -> Any:
    if sp.issparse(matrix):
        dense = matrix.nnz > _DENSE * np.prod(matrix.shape)
        narrow = matrix.shape[1] <= _WIDE
        return matrix.toarray() if dense and narrow else matrix
    share = np.count_nonzero(matrix) / np.size(matrix)
    return sp.csr_matrix(matrix) if share < _DENSE or matrix.shape[1] > _WIDE else matrix


def as_graph(part: Part, ids: Sequence[str], notes: list[str]) -> Part:
    """Return a view of links with its columns in the order of the rows, if it is one.

    A view is one if ``data.yaml`` says so, if its columns are called like the rows, or if it is a
    sparse square matrix.
    """
    place = {key: i for i, key in enumerate(ids)}
    named = sum(column in place for column in part.columns)
    square = part.matrix.shape[1] == len(ids)
    if named and named == len(part.columns) and (part.graph or named >= 0.5 * len(ids)):
        matrix = sp.csc_matrix(part.matrix)
        columns = np.array([place[column] for column in part.columns])
        at = sp.csr_matrix((np.ones(columns.size), (np.arange(columns.size), columns)),
                           shape=(columns.size, len(ids)))  # fmt: skip
        part.matrix, part.columns, part.graph = sp.csr_matrix(matrix @ at), list(ids), True
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
    place = {key: i for i, key in enumerate(ids)}
    labels, source = [""] * len(ids), [""] * len(ids)
    for one in given:
        keys = one.ids
        if keys is None:
            if len(one.labels) != len(ids):
                raise DataError(
                    f"{one.source}: has {len(one.labels)} classes for {len(ids)} rows; give it a "
                    "column of ids or one line per row"
                )
            keys = list(ids)
        unknown = [key for key in keys if key not in place]
        if len(unknown) == len(keys):
            raise DataError(
                f"{one.source}: none of its ids (such as {keys[0]!r}) is a row of a view (such as "
                f"{ids[0]!r}); write them alike"
            )
        if unknown:
            notes.append(f"{one.source}: {len(unknown)} ids are no row of a view; left out")
        for key, label in zip(keys, one.labels, strict=True):
            at = place.get(key)
            if at is None or not label:
                continue
            if labels[at] and labels[at] != label:
                raise DataError(
                    f"{one.source}: row {key!r} is {label!r}, in {source[at]} it is "
                    f"{labels[at]!r}; correct one of them"
                )
            labels[at], source[at] = label, one.source
    return labels
