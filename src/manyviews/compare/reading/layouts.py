"""Named arrays as people keep views: cells, single matrices, features by rows, classes in any form.

Every guess is said in one line, with the key of ``data.yaml`` that overrides it.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.compare.reading.columns import ID_NAMES, LABEL_NAMES, kind_of
from manyviews.compare.reading.errors import wrong
from manyviews.compare.reading.parts import Found, Given, Part, text_label
from manyviews.compare.reading.spec import Ask

#: How files of the field call their classes, beside the names that columns have.
CLASS_NAMES = (
    "gt", "gnd", "truth", "truelabel", "truelabels", "groundtruth", "gtlabel", "gtlabels", "ytrue",
    "truey", "labely", "classlabel", "classlabels", "clusters", *LABEL_NAMES,
)  # fmt: skip
#: Rows from which a length that matrices share as their second is taken for that of the rows.
FEWEST_TURNED = 20
#: Rows and columns that are still worked with; each has a name.
MOST_ROWS, MOST_COLUMNS = 20_000_000, 4_000_000


@dataclass(eq=False)
class _Matrix:
    """A matrix that may be a view; ``key`` is its array, ``place`` how messages call it."""

    key: str
    place: str
    name: str
    value: Any

    @property
    def shape(self) -> tuple[int, int]:
        return self.value.shape


def matrix_part(path: Path, name: str, matrix: Any, columns: list[str] | None = None) -> Part:
    """Return a checked matrix as a view: two dimensions, finite where sparse, columns."""
    place = f"matrix {name!r}"
    if not sp.issparse(matrix):
        matrix = np.asarray(matrix)
    if matrix.ndim != 2:
        raise wrong(path, f"{place} has {matrix.ndim} dimension(s)", "save rows by columns")
    if matrix.dtype.kind not in "biuf":
        raise wrong(path, f"{place} holds {matrix.dtype}", "save real numbers")
    rows, width = matrix.shape
    if not rows or not width:
        raise wrong(path, f"{place} has shape {matrix.shape}", "give it rows and columns")
    if rows > MOST_ROWS or width > MOST_COLUMNS:
        most = f"{MOST_ROWS:,} rows and {MOST_COLUMNS:,} columns"
        raise wrong(path, f"{place} is {rows:,} x {width:,}; at most {most} are read", "keep fewer")
    if sp.issparse(matrix):
        try:
            matrix.check_format(full_check=True)
        except ValueError as error:
            raise wrong(path, f"{place} is damaged ({error})", "save it again") from None
        matrix = sp.csr_matrix(matrix).astype(np.float64)
        bad = np.flatnonzero(~np.isfinite(matrix.data))
        at = (int(np.searchsorted(matrix.indptr, i, side="right")) - 1 for i in bad[:1])
        found = [(row, int(matrix.indices[i])) for row, i in zip(at, bad, strict=False)]
    else:
        matrix = matrix.astype(np.float64)
        found = [(int(row), int(column)) for row, column in np.argwhere(np.isinf(matrix))[:1]]
    for row, column in found:
        raise wrong(
            path, f"{place} holds {matrix[row, column]} in row {row}, column {column}",
            "store finite numbers",
        )  # fmt: skip
    names = columns or [f"{name}[{j}]" for j in range(width)]
    return Part(name, matrix, names, path.name, kind=kind_of(matrix))


def from_arrays(path: Path, arrays: Mapping[str, Any], ask: Ask) -> Found:
    """Take views, names of rows and classes out of named arrays, by shape and by name."""
    found = Found()
    matrices = _matrices(path, arrays, ask, found.notes)
    _from_triples(path, arrays, ask, matrices, found.notes)
    label, labels = _labels(path, arrays, ask, matrices, found.notes)
    matrices = [one for one in matrices if one.key != label]
    if not matrices:
        raise wrong(path, "holds no matrix", "save rows by columns")
    n_rows = len(labels) if labels is not None else _common(path, matrices)
    found.parts = _turned(path, matrices, n_rows, ask, label, found.notes)
    n_rows = found.parts[0].n_rows
    used = {label, *(one.key for one in matrices)}
    others = {key: value for key, value in arrays.items() if key not in used}
    ids = _ids(path, others, ask.id, n_rows, found.notes)
    for part in found.parts:
        part.ids = ids
    if labels is not None:
        found.labels.append(Given(labels, path.name, ids if len(labels) == n_rows else None))
    return found


def only_labels(path: Path, arrays: Mapping[str, Any], label: str | None) -> Given:
    """Return the classes in a file that holds no views: the array named so, or the only one."""
    keys = [label] if label is not None else _class_arrays(arrays) or list(arrays)[:1]
    readings = [one for key in keys if key in arrays for one in _readings(arrays[key])]
    if not readings:
        raise wrong(
            path, f"has no classes in array {label or 'of a usual name'!r}; it has "
            f"{', '.join(sorted(arrays)[:6])}", "correct `labels.column`",
        )  # fmt: skip
    return Given(max(readings, key=lambda one: len(one[0]))[0], path.name)


def _matrices(path: Path, arrays: Mapping[str, Any], ask: Ask, notes: list[str]) -> list[_Matrix]:
    """Return every array and cell that has rows and columns, or the one that is asked for."""
    found: list[_Matrix] = []
    for key in sorted(arrays, key=_natural):
        value = _bare(arrays[key])
        if value is None:
            notes.append(f"{path.name}: array {key!r} holds a structure; left out")
        elif isinstance(value, np.ndarray) and value.dtype.hasobject:
            inner = [_bare(cell) for cell in value.flat]
            if all(_is_matrix(cell) for cell in inner):
                found += [
                    _Matrix(key, f"{key}{{{i + 1}}}", f"{key}{i + 1}", cell)
                    for i, cell in enumerate(inner)
                ]
        elif not isinstance(value, list) and (key == ask.array or not _is_vector(value)):
            found.append(_Matrix(key, key, key, value))
    if ask.array is None:
        return found
    asked = [one for one in found if ask.array in (one.place, one.key)]
    if not asked:
        places = sorted({one.place for one in found} | set(arrays))
        raise wrong(
            path, f"has no array {ask.array!r}; it has {', '.join(places[:8])}",
            "correct `array` in data.yaml",
        )  # fmt: skip
    if len(asked) > 1:
        raise wrong(
            path, f"{ask.array!r} holds {len(asked)} cells", f"write `array: {ask.array}{{1}}`"
        )
    asked[0].name = ask.name or asked[0].name
    return asked


def _natural(key: str) -> list[Any]:
    """Sort X2 before X10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", key)]


def _bare(value: Any) -> Any:
    """Take a value out of the cells of one that are around it."""
    while isinstance(value, np.ndarray) and value.dtype.hasobject and value.size == 1:
        value = value.flat[0]
    return value


def _is_vector(value: Any) -> bool:
    return value.ndim < 2 or (value.ndim == 2 and 1 in value.shape)


def _is_matrix(value: Any) -> bool:
    return getattr(value, "ndim", 0) == 2 and value.dtype.kind in "biuf" and min(value.shape) > 0


def _labels(
    path: Path, arrays: Mapping[str, Any], ask: Ask, matrices: Sequence[_Matrix], notes: list[str]
) -> tuple[str | None, list[str] | None]:
    """Return the array of classes and the class of every row, if one of the arrays holds them."""
    for key in _class_arrays(arrays) if ask.label is None else arrays.keys() & {ask.label}:
        sizes = {n for one in matrices if one.key != key for n in one.shape}
        for labels, said in _readings(arrays[key]):
            if len(labels) in sizes:
                if ask.label is None:
                    notes.append(
                        f"{path.name}: classes are array {key!r}{said}; `labels` in a data.yaml "
                        "names another"
                    )
                return key, labels
    return None, None


def _from_triples(
    path: Path, arrays: Mapping[str, Any], ask: Ask, matrices: Sequence[_Matrix], notes: list[str]
) -> None:
    """Make matrices of triples (row, column, value from 1 on), if the classes count their rows."""
    keys = _class_arrays(arrays) if ask.label is None else arrays.keys() & {ask.label}
    lengths = {len(labels) for key in keys for labels, _ in _readings(arrays[key])}
    triples = [
        one for one in matrices if _is_triples(one.value) and one.value[:, 0].max() in lengths
    ]
    if not triples or len(triples) < len(matrices):
        return
    for one in triples:
        rows, columns = one.value[:, :2].astype(np.int64).T
        one.value = sp.csr_matrix((one.value[:, 2], (rows - 1, columns - 1)))
    notes.append(
        f"{path.name}: {', '.join(one.place for one in triples)} hold triples of row, column and "
        "value; if not, save them as matrices"
    )


def _is_triples(value: Any) -> bool:
    if (
        sp.issparse(value)
        or value.ndim != 2
        or value.shape[1] != 3
        or value.dtype.kind not in "iuf"
    ):
        return False
    at = value[:, :2]
    return bool((at >= 1).all() and (at <= MOST_ROWS).all() and (at == np.floor(at)).all())


def _class_arrays(arrays: Mapping[str, Any]) -> list[str]:
    """Return the arrays called like classes, the surest name first."""
    plain = {key: re.sub(r"[^a-z]", "", key.lower()) for key in arrays}
    return sorted((key for key in arrays if plain[key] in CLASS_NAMES),
                  key=lambda key: CLASS_NAMES.index(plain[key]))  # fmt: skip


def _readings(value: Any) -> list[tuple[list[str], str]]:
    """Return every way to read an array as one class a row, with what is to be said about it."""
    value = _bare(value)
    if isinstance(value, list):
        return [([text.strip() for text in value], "")]
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        inner = [_readings(cell)[:1] for cell in value.flat]
        if all(inner) and all(one == inner[0] for one in inner):  # the same classes for each view
            return inner[0]
        cells = [_bare(cell) for cell in value.flat]
        if all(np.size(cell) == 1 and not isinstance(cell, list) for cell in cells):
            return [([text_label(np.ravel(cell)[0]) for cell in cells], "")]
        return []
    if value is None:
        return []
    if sp.issparse(value):
        if value.shape[0] * value.shape[1] > 100_000_000:
            return []
        value = value.toarray()
    if _is_vector(value):
        return [([text_label(item) for item in value.ravel()], "")]
    if value.ndim != 2 or value.dtype.kind not in "biuf":
        return []
    turned = [(value, ", one column a class"), (value.T, ", one row a class")]
    return [
        ([str(place + 1) for place in np.argmax(hot, axis=1)], said)
        for hot, said in turned if _one_hot(hot)
    ]  # fmt: skip


def _one_hot(hot: np.ndarray) -> bool:
    low = hot.min()
    return bool(
        low in (0, -1) and ((hot == 1).sum(axis=1) == 1).all() and ((hot == 1) | (hot == low)).all()
    )


def _ids(
    path: Path, arrays: Mapping[str, Any], asked: str | None, n_rows: int, notes: list[str]
) -> list[str] | None:
    """Return the names of the rows; every other array is left out aloud."""
    ids = None
    for key, value in arrays.items():
        values = (_readings(value) or [([], "")])[0][0]
        wanted = key == asked if asked is not None else key.lower() in ID_NAMES
        if len(values) != n_rows:
            notes.append(f"{path.name}: array {key!r} is not one value a row; left out")
        elif wanted and ids is None and all(values) and len(set(values)) == n_rows:
            ids = values
            notes.append(f"{path.name}: rows are named by array {key!r}; `id` names another")
        else:
            why = "does not name each row by its own" if wanted else "has no known name"
            notes.append(f"{path.name}: array {key!r} {why}; left out")
    return ids


def _common(path: Path, matrices: Sequence[_Matrix]) -> int:
    """Return the number of rows: the length most matrices have, as their first if that decides."""
    first = Counter(one.shape[0] for one in matrices)
    either = Counter(n for one in matrices for n in set(one.shape[:2]))
    best = max(either, key=lambda n: (either[n], first[n], n))
    if best < FEWEST_TURNED and first[best] < either[best]:  # a few columns in common are no rows
        best = max(first, key=lambda n: (first[n], n))
    if sum(best in one.shape for one in matrices) == 1 < len(matrices):
        shown = ", ".join(f"{m.place} {' x '.join(map(str, m.shape))}" for m in matrices[:4])
        raise wrong(
            path, f"its matrices share no number of rows ({shown})",
            "name one with `array` in a data.yaml",
        )  # fmt: skip
    return best


def _turned(
    path: Path, matrices: Sequence[_Matrix], n_rows: int, ask: Ask, label: str | None,
    notes: list[str],
) -> list[Part]:  # fmt: skip
    """Return the views with one row a row; matrices of another length are left out aloud."""
    lone = {one.key for one in matrices if sum(m.key == one.key for m in matrices) == 1}
    fits = [one for one in matrices if n_rows in one.shape or len(matrices) == 1]
    for one in matrices:
        if one not in fits:
            size = " x ".join(map(str, one.shape))
            if one.key not in lone:
                raise wrong(
                    path, f"{one.place} is {size}, the other cells have {n_rows} rows",
                    "name the views to use in a data.yaml",
                )  # fmt: skip
            notes.append(f"{path.name}: array {one.key!r} is {size}, not {n_rows} rows; left out")
    # a square one follows the others
    aside = any(one.shape[0] != n_rows == one.shape[-1] for one in fits)
    upright = any(one.shape[0] == n_rows != one.shape[-1] for one in fits)
    parts, turned = [], []
    for one in fits:
        if ask.transpose is None:
            square = one.shape[0] == n_rows
            turn = len(one.shape) == 2 and one.shape[1] == n_rows and (
                not square or (aside and not upright)
            )  # fmt: skip
        else:
            turn = ask.transpose
        value = one.value.T if turn else one.value
        turned += [one.place] if turn else []
        parts.append(matrix_part(path, one.name, value))
    if turned and ask.transpose is None:
        why = f"as many as classes in {label!r}" if label else "the length they share"
        notes.append(
            f"{path.name}: {', '.join(turned)} kept as features x rows, turned ({n_rows} rows, "
            f"{why}); `transpose: false` in a data.yaml says otherwise"
        )
    cells = sorted({one.key for one in fits} - lone)
    if cells and ask.array is None:
        notes.append(
            f"{path.name}: the cells of {', '.join(map(repr, cells))} are views; a data.yaml names "
            f"one with `array: {cells[0]}{{1}}`"
        )
    return parts
