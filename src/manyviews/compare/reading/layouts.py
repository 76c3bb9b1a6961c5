"""Named arrays as people keep views: cells, single matrices, features by rows, classes in any form.

Every guess is said in one line, with the key of ``data.yaml`` that overrides it.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.compare.reading.columns import ID_NAMES, LABEL_NAMES, kind_of
from manyviews.compare.reading.errors import wrong
from manyviews.compare.reading.parts import Found, Given, Part, text_label
from manyviews.compare.reading.spec import Spec, ViewSpec

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

    @property
    def size(self) -> str:
        return " x ".join(map(str, self.shape))


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
    matrix = matrix.astype(np.float64)
    if sp.issparse(matrix):
        matrix = sp.csr_matrix(matrix)
        bad = np.flatnonzero(~np.isfinite(matrix.data))[:1]
        found = [(int(np.searchsorted(matrix.indptr, i, "right")) - 1, matrix.indices[i])
                 for i in bad]  # fmt: skip
    else:
        found = np.argwhere(np.isinf(matrix))[:1].tolist()
    for row, column in found:
        what = f"{place} holds {matrix[row, column]} in row {row}, column {column}"
        raise wrong(path, what, "store finite numbers")
    names = columns or [f"{name}[{j}]" for j in range(width)]
    return Part(name, matrix, names, path.name, kind=kind_of(matrix))


def from_arrays(path: Path, arrays: Mapping[str, Any], spec: Spec, view: ViewSpec) -> Found:
    """Take views, names of rows and classes out of named arrays, by shape and by name."""
    return _Arrays(path, arrays, spec, view).read()


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


@dataclass
class _Arrays:
    """The arrays of a file, and what is said about them."""

    path: Path
    arrays: Mapping[str, Any]
    spec: Spec
    view: ViewSpec
    notes: list[str] = field(default_factory=list)

    def say(self, text: str) -> None:
        self.notes.append(f"{self.path.name}: {text}")

    def read(self) -> Found:
        matrices = self.matrices()
        self.from_triples(matrices)
        label, labels = self.labels(matrices)
        matrices = [one for one in matrices if one.key != label]
        if not matrices:
            raise wrong(self.path, "holds no matrix", "save rows by columns")
        n_rows = len(labels) if labels is not None else self.common(matrices)
        parts = self.turned(matrices, n_rows, label)
        n_rows = parts[0].n_rows
        ids = self.ids({label, *(one.key for one in matrices)}, n_rows)
        for part in parts:
            part.ids = ids
        found = Found(parts, notes=self.notes)
        if labels is not None:
            named = ids if len(labels) == n_rows else None
            found.labels.append(Given(labels, self.path.name, named))
        return found

    def matrices(self) -> list[_Matrix]:
        """Return every array and cell that has rows and columns, or the one that is asked for."""
        found: list[_Matrix] = []
        asked = self.view.array
        for key in sorted(self.arrays, key=_natural):
            value = _bare(self.arrays[key])
            if value is None:
                self.say(f"array {key!r} holds a structure; left out")
            elif isinstance(value, np.ndarray) and value.dtype.hasobject:
                inner = [_bare(cell) for cell in value.flat]
                if all(_is_matrix(cell) for cell in inner):
                    found += [
                        _Matrix(key, f"{key}{{{i + 1}}}", f"{key}{i + 1}", cell)
                        for i, cell in enumerate(inner)
                    ]
            elif not isinstance(value, list) and (key == asked or not _is_vector(value)):
                found.append(_Matrix(key, key, key, value))
        if asked is None:
            return found
        picked = [one for one in found if asked in (one.place, one.key)]
        if not picked:
            places = ", ".join(sorted({one.place for one in found} | set(self.arrays))[:8])
            what = f"has no array {asked!r}; it has {places}"
            raise wrong(self.path, what, "correct `array` in data.yaml")
        if len(picked) > 1:
            what = f"{asked!r} holds {len(picked)} cells"
            raise wrong(self.path, what, f"write `array: {asked}{{1}}`")
        picked[0].name = self.view.name or picked[0].name
        return picked

    def class_arrays(self) -> list[str]:
        """Return the arrays that may hold the classes: the one that is named, or by usual names."""
        if self.spec.label is None:
            return _class_arrays(self.arrays)
        return [self.spec.label] if self.spec.label in self.arrays else []

    def labels(self, matrices: Sequence[_Matrix]) -> tuple[str | None, list[str] | None]:
        """Return the array of classes and the class of every row, if one of them holds these."""
        for key in self.class_arrays():
            sizes = {n for one in matrices if one.key != key for n in one.shape}
            for labels, said in _readings(self.arrays[key]):
                if len(labels) in sizes:
                    if self.spec.label is None:
                        another = "`labels` in a data.yaml names another"
                        self.say(f"classes are array {key!r}{said}; {another}")
                    return key, labels
        return None, None

    def from_triples(self, matrices: Sequence[_Matrix]) -> None:
        """Make matrices of triples (row, column, value from 1 on) whose rows the classes count."""
        readings = (one for key in self.class_arrays() for one in _readings(self.arrays[key]))
        lengths = {len(labels) for labels, _ in readings}
        if not matrices or not all(_is_triples(m.value, lengths) for m in matrices):
            return
        for one in matrices:
            rows, columns = one.value[:, :2].astype(np.int64).T
            one.value = sp.csr_matrix((one.value[:, 2], (rows - 1, columns - 1)))
        places = ", ".join(one.place for one in matrices)
        self.say(f"{places} hold triples of row, column and value; if not, save them as matrices")

    def common(self, matrices: Sequence[_Matrix]) -> int:
        """Return the number of rows: the length most matrices have, the first if that decides."""
        first = Counter(one.shape[0] for one in matrices)
        either = Counter(n for one in matrices for n in set(one.shape[:2]))
        best = max(either, key=lambda n: (either[n], first[n], n))
        if best < FEWEST_TURNED and first[best] < either[best]:  # some columns in common: no rows
            best = max(first, key=lambda n: (first[n], n))
        if sum(best in one.shape for one in matrices) == 1 < len(matrices):
            sizes = ", ".join(f"{m.place} {m.size}" for m in matrices[:4])
            what = f"its matrices share no number of rows ({sizes})"
            raise wrong(self.path, what, "name one with `array` in a data.yaml")
        return best

    def turned(self, matrices: Sequence[_Matrix], n_rows: int, label: str | None) -> list[Part]:
        """Return the views with one row a row; matrices of another length are left out aloud."""
        counts = Counter(one.key for one in matrices)
        fits = [one for one in matrices if n_rows in one.shape or len(matrices) == 1]
        for one in (one for one in matrices if one not in fits):
            if counts[one.key] > 1:
                what = f"{one.place} is {one.size}, the other cells have {n_rows} rows"
                raise wrong(self.path, what, "name the views to use in a data.yaml")
            self.say(f"array {one.key!r} is {one.size}, not {n_rows} rows; left out")
        asked = self.view.transpose
        # a square one follows the others
        aside = any(one.shape[0] != n_rows == one.shape[-1] for one in fits)
        upright = any(one.shape[0] == n_rows != one.shape[-1] for one in fits)

        def turns(one: _Matrix) -> bool:
            if asked is not None:
                return asked
            wide = len(one.shape) == 2 and one.shape[1] == n_rows
            return wide and (one.shape[0] != n_rows or (aside and not upright))

        turn = [one.place for one in fits if turns(one)]
        if turn and asked is None:
            why = f"as many as classes in {label!r}" if label else "the length they share"
            self.say(
                f"{', '.join(turn)} kept as features x rows, turned ({n_rows} rows, {why}); "
                "`transpose: false` in a data.yaml says otherwise"
            )
        cells = sorted({one.key for one in fits if counts[one.key] > 1})
        if cells and self.view.array is None:
            names = ", ".join(map(repr, cells))
            one_of = f"a data.yaml names one with `array: {cells[0]}{{1}}`"
            self.say(f"the cells of {names} are views; {one_of}")
        return [
            matrix_part(self.path, one.name, one.value.T if one.place in turn else one.value)
            for one in fits
        ]

    def ids(self, used: set[str | None], n_rows: int) -> list[str] | None:
        """Return the names of the rows; every other array is left out aloud."""
        ids, asked = None, self.spec.id
        for key in (key for key in self.arrays if key not in used):
            values = (_readings(self.arrays[key]) or [([], "")])[0][0]
            wanted = key == asked if asked is not None else key.lower() in ID_NAMES
            if len(values) != n_rows:
                self.say(f"array {key!r} is not one value a row; left out")
            elif wanted and ids is None and all(values) and len(set(values)) == n_rows:
                ids = values
                self.say(f"rows are named by array {key!r}; `id` names another")
            else:
                why = "does not name each row by its own" if wanted else "has no known name"
                self.say(f"array {key!r} {why}; left out")
        return ids


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


def _is_triples(value: Any, lengths: set[int]) -> bool:
    """Tell whether a matrix lists rows and columns from 1 on, with as many rows as a length."""
    if sp.issparse(value) or value.shape[1:] != (3,) or value.dtype.kind not in "iuf":
        return False
    at = value[:, :2]
    fine = (at >= 1).all() and (at <= MOST_ROWS).all() and (at == np.floor(at)).all()
    return bool(fine and at[:, 0].max() in lengths)


def _class_arrays(arrays: Mapping[str, Any]) -> list[str]:
    """Return the arrays called like classes, the surest name first."""
    plain = {key: re.sub(r"[^a-z]", "", key.lower()) for key in arrays}
    named = (key for key in arrays if plain[key] in CLASS_NAMES)
    return sorted(named, key=lambda key: CLASS_NAMES.index(plain[key]))


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
    if value is None or (sp.issparse(value) and np.prod(value.shape) > 100_000_000):
        return []
    value = value.toarray() if sp.issparse(value) else value
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
    low = hot.min() if hot.size else 1
    ones = hot == 1
    return bool(low in (0, -1) and (ones.sum(axis=1) == 1).all() and (ones | (hot == low)).all())
