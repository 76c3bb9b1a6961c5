"""Named arrays as people keep views: cells, single matrices, features by rows, classes in any form.

Every guess is said in one line, with the key of ``data.yaml`` that overrides it.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.compare.reading.guard import ending_of, stem_of, wrong
from manyviews.compare.reading.join import Found, Given, Part, kind_of
from manyviews.compare.reading.parsers import MATRICES, parsed
from manyviews.compare.reading.spec import Spec, ViewSpec
from manyviews.compare.reading.tables import ID_NAMES, LABEL_NAMES

#: How files of the field call their classes, beside the names that columns have.
CLASS_NAMES = (
    "gt", "gnd", "truth", "truelabel", "truelabels", "groundtruth", "gtlabel", "gtlabels", "ytrue",
    "truey", "labely", "classlabel", "classlabels", "clusters", *LABEL_NAMES,
)  # fmt: skip
#: Rows from which a length that matrices share as their second is taken for that of the rows.
FEWEST_TURNED = 20
#: Rows and columns that are still worked with; each has a name.
MOST_ROWS, MOST_COLUMNS = 20_000_000, 4_000_000


def read_matrices(path: Path, spec: Spec, view: ViewSpec | None = None) -> Found:
    """Read a file of matrices by its ending."""
    ending, view = ending_of(path), view or ViewSpec()
    if ending not in MATRICES:
        raise wrong(path, "its format is not read", "save a table as CSV, arrays as npz")
    values = parsed(path, ending)
    name = view.name or stem_of(path)
    turn = spec.transpose if view.transpose is None else view.transpose
    if ending in ("h5ad", "h5mu"):
        return annotated(path, values, name)
    if "" not in values:
        return _Arrays(path, values, spec, replace(view, transpose=turn)).read()
    if view.array is not None:
        raise wrong(path, "has no named arrays", "leave `array` out of data.yaml")
    labels = [Given(_readings(values["y"])[0][0], path.name)] if "y" in values else []
    return Found([_part(path, name, values[""].T if turn else values[""])], labels)


def annotated(path: Path, values: dict[str, Any], name: str) -> Found:
    """Return AnnData and MuData, as the parser describes them, as views."""
    found = Found()
    for place, modality in enumerate(values["names"]):
        part = _part(path, modality or name, values[f"X{place}"], values[f"columns{place}"])
        part.ids = values[f"rows{place}"]
        found.parts.append(part)
        for number, column in enumerate(values[f"about{place}"]):
            if not found.labels and column.lower() in (*LABEL_NAMES, "cell_type", "celltype"):
                found.labels.append(Given(values[f"about{place}.{number}"], path.name, part.ids))
                found.notes.append(f"{path.name}: classes are the column {column!r} of obs")
    return found


def only_labels(path: Path, label: str | None) -> Given:
    """Return the classes in a file that holds no views: the array named so, or the only one."""
    arrays = parsed(path, ending_of(path))
    keys = _class_arrays(arrays, label) or ([] if label else list(arrays)[:1])
    readings = [one for key in keys for one in _readings(arrays[key])]
    if not readings:
        what = f"has no classes in array {label or 'of a usual name'!r}; it has "
        raise wrong(path, what + ", ".join(sorted(arrays)[:6]), "correct `labels.column`")
    return Given(max(readings, key=lambda one: len(one[0]))[0], path.name)


def _part(path: Path, name: str, matrix: Any, columns: list[str] | None = None) -> Part:
    """Return a checked matrix as a view: two dimensions, finite where sparse, columns."""
    place = f"matrix {name!r}"
    matrix = matrix if sp.issparse(matrix) else np.asarray(matrix)
    if matrix.ndim != 2 or 0 in matrix.shape or matrix.dtype.kind not in "biuf":
        what = f"{place} holds {matrix.dtype} of shape {matrix.shape}"
        raise wrong(path, what, "save rows by columns of real numbers")
    rows, width = matrix.shape
    if rows > MOST_ROWS or width > MOST_COLUMNS:
        most = f"{MOST_ROWS:,} rows and {MOST_COLUMNS:,} columns"
        raise wrong(path, f"{place} is {rows:,} x {width:,}; at most {most} are read", "keep fewer")
    matrix = matrix.astype(np.float64)
    if sp.issparse(matrix):
        matrix = sp.csr_matrix(matrix)
        at = np.column_stack(matrix.tocoo().coords)[~np.isfinite(matrix.data)]
    else:
        at = np.argwhere(np.isinf(matrix))
    for row, column in at[:1].tolist():
        what = f"{place} holds {matrix[row, column]} in row {row}, column {column}"
        raise wrong(path, what, "store finite numbers")
    names = columns or [f"{name}[{j}]" for j in range(width)]
    return Part(name, matrix, names, path.name, kind=kind_of(matrix))


@dataclass(eq=False)
class _Matrix:
    """A matrix that may be a view; ``key`` is its array, ``place`` how messages call it."""

    key: str
    place: str
    value: Any

    def __str__(self) -> str:
        return f"{self.place} is {' x '.join(map(str, self.value.shape))}"


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
        """Take views, names of rows and classes out of the arrays, by shape and by name."""
        matrices = self.matrices()
        label, labels = self.labels(matrices)
        matrices = [one for one in matrices if one.key != label]
        if not matrices:
            raise wrong(self.path, "holds no matrix", "save rows by columns")
        parts = self.turned(matrices, len(labels) if label else self.common(matrices), label)
        n_rows = parts[0].matrix.shape[0]
        ids = self.ids({label, *(one.key for one in matrices)}, n_rows)
        named = ids if len(labels) == n_rows else None
        given = [Given(labels, self.path.name, named)] if label else []
        return Found([replace(part, ids=ids) for part in parts], given, self.notes)

    def matrices(self) -> list[_Matrix]:
        """Return every array and cell that has rows and columns, or the one that is asked for."""
        found: list[_Matrix] = []
        asked = self.view.array
        for key, held in self.arrays.items():
            value = _bare(held)
            if value is None:
                self.say(f"array {key!r} holds a structure; left out")
            elif isinstance(value, np.ndarray) and value.dtype.hasobject:
                inner = [_bare(cell) for cell in value.flat]
                if all(_is_matrix(cell) for cell in inner):
                    cells = enumerate(inner, start=1)
                    found += [_Matrix(key, f"{key}{{{i}}}", cell) for i, cell in cells]
            elif not isinstance(value, list) and (key == asked or not _is_vector(value)):
                found.append(_Matrix(key, key, value))
        if asked is None:
            return found
        picked = [one for one in found if asked in (one.place, one.key)]
        if len(picked) != 1:
            places = ", ".join(sorted({one.place for one in found} | set(self.arrays))[:8])
            what = f"has {len(picked) or 'no'} matrices in array {asked!r}; it has {places}"
            raise wrong(self.path, what, f"correct `array` in data.yaml, such as {asked}{{1}}")
        return picked

    def labels(self, matrices: Sequence[_Matrix]) -> tuple[str | None, list[str]]:
        """Return the array of classes and the class of every row, if one of them holds these."""
        for key in _class_arrays(self.arrays, self.spec.label):
            sizes = {n for one in matrices if one.key != key for n in one.value.shape}
            for labels, said in _readings(self.arrays[key]):
                if len(labels) in sizes:
                    if self.spec.label is None:
                        another = "`labels` in a data.yaml names another"
                        self.say(f"classes are array {key!r}{said}; {another}")
                    return key, labels
        return None, []

    def common(self, matrices: Sequence[_Matrix]) -> int:
        """Return the number of rows: the length most matrices have, the first if that decides."""
        first = Counter(one.value.shape[0] for one in matrices)
        either = Counter(n for one in matrices for n in set(one.value.shape[:2]))
        best = max(either, key=lambda n: (either[n], first[n], n))
        if best < FEWEST_TURNED and first[best] < either[best]:  # some columns in common: no rows
            best = max(first, key=lambda n: (first[n], n))
        if sum(best in one.value.shape for one in matrices) == 1 < len(matrices):
            what = f"its matrices share no number of rows ({', '.join(map(str, matrices[:4]))})"
            raise wrong(self.path, what, "name one with `array` in a data.yaml")
        return best

    def turned(self, matrices: Sequence[_Matrix], n_rows: int, label: str | None) -> list[Part]:
        """Return the views with one row a row; matrices of another length are left out aloud."""
        counts = Counter(one.key for one in matrices)
        fits = [one for one in matrices if n_rows in one.value.shape]
        for one in (one for one in matrices if one not in fits):
            self.say(f"array {one}, not {n_rows} rows; left out")
        asked, shapes = self.view.transpose, [one.value.shape for one in fits]
        aside = any(first != n_rows == last for first, *_, last in shapes)
        upright = any(first == n_rows != last for first, *_, last in shapes)
        turn = [
            one.place
            for one, shape in zip(fits, shapes, strict=True)
            if (shape[1:] == (n_rows,) and (shape[0] != n_rows or (aside and not upright))
                if asked is None else asked)  # a square one follows the others
        ]  # fmt: skip
        if turn and asked is None:
            why = f"as many as classes in {label!r}" if label else "the length they share"
            self.say(
                f"{', '.join(turn)} kept as features x rows, turned ({n_rows} rows, {why}); "
                "`transpose: false` in a data.yaml says otherwise"
            )
        name = self.view.name if self.view.array else None
        cells = sorted({one.key for one in fits if counts[one.key] > 1})
        if cells and self.view.array is None:
            names = ", ".join(map(repr, cells))
            one_of = f"a data.yaml names one with `array: {cells[0]}{{1}}`"
            self.say(f"the cells of {names} are views; {one_of}")
        return [
            _part(self.path, name or re.sub(r"[{}]", "", one.place),
                  one.value.T if one.place in turn else one.value)
            for one in fits
        ]  # fmt: skip

    def ids(self, used: set[str | None], n_rows: int) -> list[str] | None:
        """Return the names of the rows; every other array is left out aloud."""
        ids, asked, left = None, self.spec.id, list[str]()
        for key in (key for key in self.arrays if key not in used):
            values = (_readings(self.arrays[key]) or [([], "")])[0][0]
            wanted = key == asked if asked is not None else key.lower() in ID_NAMES
            if wanted and ids is None and all(values) and len(set(values)) == len(values) == n_rows:
                ids = values
                self.say(f"rows are named by array {key!r}; `id` names another")
            else:
                left.append(repr(key))
        if left:
            self.say(f"neither views nor names of all rows, so left out: array {', '.join(left)}")
        return ids


def _bare(value: Any) -> Any:
    """Take a value out of the cells of one that are around it."""
    while isinstance(value, np.ndarray) and value.dtype.hasobject and value.size == 1:
        value = value.flat[0]
    return value


def _is_vector(value: Any) -> bool:
    return value.ndim < 2 or (value.ndim == 2 and 1 in value.shape)


def _is_matrix(value: Any) -> bool:
    return getattr(value, "ndim", 0) == 2 and value.dtype.kind in "biuf" and min(value.shape) > 0


def _class_arrays(arrays: Mapping[str, Any], label: str | None) -> list[str]:
    """Return the array that is named for the classes, or those called so, the surest first."""
    if label is not None:
        return [label] if label in arrays else []
    plain = {key: re.sub(r"[^a-z]", "", key.lower()) for key in arrays}
    named = (key for key in arrays if plain[key] in CLASS_NAMES)
    return sorted(named, key=lambda key: CLASS_NAMES.index(plain[key]))


def text_label(value: Any) -> str:
    """Return a class as text: numbers without a needless ``.0``, nothing for NaN."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, np.floating):
        return "" if np.isnan(value) else f"{value:g}"
    return str(value).strip()


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
