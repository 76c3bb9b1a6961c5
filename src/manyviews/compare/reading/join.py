"""Views of several files side by side: rows joined by their ids, in any order, or by line."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.compare.reading.guard import encodable, wrong
from manyviews.preprocessing.sparse import placed
from manyviews.views import Views

#: A view with more columns than this, or with fewer values than that share, is kept sparse.
_WIDE, _DENSE = 2000, 0.25


@dataclass
class Part:
    """One view as a file gave it: dense (NaN where a cell is blank) or CSR.

    ``ids`` name its rows, if the file does; ``kind`` (``text``, ``counts``, ``numbers``,
    ``categories``) says how a method may treat the columns, ``graph`` that these are the rows.
    """

    name: str
    matrix: Any
    columns: list[str]
    source: str
    ids: list[str] | None = None
    kind: str = "numbers"
    graph: bool = False


@dataclass
class Given:
    """Classes as a file gives them: one text a row, empty where there is none."""

    labels: list[str]
    source: str
    ids: list[str] | None = None


@dataclass
class Found:
    """What one file gave: views and classes; and what was guessed or mended on the way."""

    parts: list[Part] = field(default_factory=list)
    labels: list[Given] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def kind_of(matrix: Any) -> str:
    """Return ``counts`` for whole numbers from zero on, most of them zero; else ``numbers``."""
    values = matrix.data if sp.issparse(matrix) else np.asarray(matrix)
    values = values[np.isfinite(values)]
    if not values.size or values.min() < 0 or (values != np.floor(values)).any():
        return "numbers"
    return "counts" if np.count_nonzero(values) <= 0.5 * np.prod(matrix.shape) else "numbers"


def checked_names(parts: Sequence[Part], given: Sequence[Given]) -> None:
    """Make names such that they can be written; refuse a view's name or a row's id twice."""
    seen: dict[str, str] = {}
    for part in parts:
        part.name, part.columns = encodable([part.name])[0], encodable(part.columns)
        if part.name in seen:
            what = f"a view {part.name!r} is there already (from {seen[part.name]})"
            raise wrong(part.source, what, "give the views names in a data.yaml")
        seen[part.name] = part.source
    both: list[Part | Given] = [*parts, *given]
    for one in both:
        one.ids = None if one.ids is None else encodable(one.ids)
    for part in parts:
        before = set[str]()
        for at, key in enumerate(part.ids or (), start=1):
            if not key or key in before:
                what = f"row {at} has the id {key!r}, which is blank or there already"
                raise wrong(part.source, what, "name every row by its own")
            before.add(key)


def row_names(parts: Sequence[Part], notes: list[str]) -> list[str]:
    """Return the names of all rows in the order in which they first appear."""
    named = [part for part in parts if part.ids is not None]
    ids = list(dict.fromkeys(key for part in named for key in part.ids or ()))
    if not named:
        ids = [str(i) for i in range(parts[0].matrix.shape[0])]
    for part in (part for part in parts if part.ids is None):
        n_rows, other = part.matrix.shape[0], (named or parts)[0].source
        if n_rows != len(ids) or any(one.ids != ids for one in named):
            what = f"its {n_rows} rows have no ids, and {other} has {len(ids)} rows"
            raise wrong(part.source, what, "add a column `id` to both, or make them equally long")
        if len({one.source for one in parts}) > 1:
            notes.append(f"{part.source} has no ids; its rows are joined by line")
        part.ids = ids
    for part in named:
        others = [key for one in named if one is not part for key in one.ids or ()]
        if others and not set(part.ids or ()) & set(others):
            what = f"no id of view {part.name!r} (such as {(part.ids or ['?'])[0]!r}) occurs in "
            what += f"another file (such as {others[0]!r})"
            raise wrong(part.source, what, "write them alike, leading zeros and all")
    return ids


def joined(parts: Sequence[Part], ids: Sequence[str], notes: list[str]) -> Views:
    """Return the views with one row per id; a row that a file lacks is not observed in its view."""
    place = {key: i for i, key in enumerate(ids)}
    matrices, observed = {}, []
    for part in parts:
        rows = placed(np.array([place[key] for key in part.ids or ()], dtype=np.int64), len(ids))
        here, matrix = rows.getnnz(axis=1) > 0, rows @ part.matrix
        if not sp.issparse(matrix):
            here &= ~np.isnan(matrix).all(axis=1)
            matrix = _filled(part, matrix, here, notes)
        filled = matrix.nnz if sp.issparse(matrix) else np.count_nonzero(matrix)
        if not filled:
            what = f"view {part.name!r} is empty, all its cells are zero or blank"
            raise wrong(part.source, what, "fill it or leave it out")
        if not here.all():
            notes.append(f"{int((~here).sum())} of {len(ids)} rows lack view {part.name!r}")
        share, narrow = filled / np.prod(matrix.shape), matrix.shape[1] <= _WIDE
        if sp.issparse(matrix):
            matrix = matrix.toarray() if share > _DENSE and narrow else matrix
        elif share < _DENSE or not narrow:
            matrix = sp.csr_matrix(matrix)
        matrices[part.name] = matrix
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


def as_graph(part: Part, ids: Sequence[str], notes: list[str]) -> Part:
    """Return a view of links with its columns in the order of the rows, if it is one.

    A view is one if ``data.yaml`` says so, if its columns are called like the rows, or if it is a
    sparse square matrix.
    """
    place = {key: i for i, key in enumerate(ids)}
    named = sum(column in place for column in part.columns)
    square = part.matrix.shape[1] == len(ids)
    if named and named == len(part.columns) and (part.graph or named >= 0.5 * len(ids)):
        at = placed(np.array([place[column] for column in part.columns]), len(ids))
        part.matrix = sp.csr_matrix(sp.csc_matrix(part.matrix) @ at.T)
        notes.append(f"view {part.name!r} links rows to rows: its columns are called like them")
    elif square and sp.issparse(part.matrix) and len(ids) > 50 and not part.graph:
        notes.append(f"view {part.name!r} is square and sparse: taken for links between rows")
    elif part.graph and not square:
        what = f"view {part.name!r} of links has {part.matrix.shape[1]} columns for {len(ids)} rows"
        raise wrong(part.source, what, "name its columns like the rows")
    elif not part.graph:
        return part
    part.columns, part.graph = list(ids), True
    return part


def labels_of(given: Sequence[Given], ids: Sequence[str], notes: list[str]) -> list[str] | None:
    """Return the class of every row, empty where there is none; files must not contradict."""
    if not given:
        return None
    found: dict[str, tuple[str, str]] = {}
    known = set(ids)
    for one in given:
        if one.ids is None and len(one.labels) != len(ids):
            what = f"has {len(one.labels)} classes for {len(ids)} rows"
            raise wrong(one.source, what, "give it a column of ids or one line per row")
        keys = list(ids) if one.ids is None else one.ids
        unknown = sum(key not in known for key in keys)
        if unknown == len(keys):
            what = f"none of its ids (such as {keys[0]!r}) is a row of a view (such as {ids[0]!r})"
            raise wrong(one.source, what, "write them alike")
        if unknown:
            notes.append(f"{one.source}: {unknown} ids are no row of a view; left out")
        for key, label in zip(keys, one.labels, strict=True):
            before, source = found.setdefault(key, (label, one.source)) if label else ("", "")
            if before != label and key in known:
                what = f"row {key!r} is {label!r}, in {source} it is {before!r}"
                raise wrong(one.source, what, "correct one of them")
    return [found.get(key, ("", ""))[0] for key in ids]
