"""A user's own files as views: tables, sparse matrices, arrays.

``.csv`` and ``.tsv`` (with a header line), ``.npz`` (arrays, or one saved scipy matrix),
``.svmlight`` (also ``.svm``, ``.libsvm``), ``.mtx`` (Matrix Market) and ``.mat`` (MATLAB 5). Any of
them may be gzipped except ``.npz`` and ``.mat``.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from reproduction.data import apart
from reproduction.data.builders.raw import RawFiles
from reproduction.data.entry import Dataset, OwnFile
from reproduction.data.errors import ReadError
from reproduction.data.format import MultiViewData


@dataclass
class Read:
    """What one file gave: a view, row names, classes, column names; each only if it has them."""

    file: OwnFile
    view: sp.csr_matrix | None = None
    ids: list[str] | None = None
    labels: list[str] | None = None
    columns: list[str] | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows of whatever it has."""
        known = self.view.shape[0] if self.view is not None else None
        return known if known is not None else len(self.ids or self.labels or [])


#: What to do about a file that only its owner has.
_MEND = "write it again"


def _wrong(file: OwnFile, text: str) -> ReadError:
    return ReadError(f"{file.path}: {text}")


def read_table(files: RawFiles, file: OwnFile, separator: str) -> Read:
    """Read a CSV or TSV file: every column but id, label and ignored ones is a feature."""
    try:
        table = pd.read_csv(
            io.BytesIO(files.read(file.path)), sep=separator, dtype=str, keep_default_na=False
        )
    except (ValueError, OverflowError) as error:
        raise _wrong(file, f"cannot be read as a table ({error})") from error
    for role, name in (
        ("id", file.id),
        ("label", file.label),
        *(("ignore", n) for n in file.ignore),
    ):
        if name is not None and name not in table.columns:
            there = ", ".join(map(str, table.columns[:8]))
            raise _wrong(file, f"has no column {name!r} ({role}); its columns are {there}")
    found = Read(file)
    if file.id is not None:
        found.ids = [str(value).strip() for value in table[file.id]]
    if file.label is not None:
        found.labels = [str(value).strip() for value in table[file.label]]
    if file.view is not None:
        features = table.drop(columns=[n for n in (file.id, file.label, *file.ignore) if n])
        numbers = features.apply(pd.to_numeric, errors="coerce").to_numpy(np.float64)
        bad = np.argwhere(~np.isfinite(numbers))
        if len(bad):
            row, column = bad[0]
            raise _wrong(
                file,
                f"line {row + 2}, column {features.columns[column]!r} holds "
                f"{features.iloc[row, column]!r}, not a number; correct it, or name the column as "
                "id, label or under ignore",
            )
        found.view = sp.csr_matrix(numbers)
        found.columns = [str(name) for name in features.columns]
    return found


def read_svmlight(files: RawFiles, file: OwnFile) -> Read:
    """Read an svmlight file; its first field is the class."""
    found = apart.read("svmlight", files.read(file.path), file.path, mend=_MEND)
    return Read(file, view=found["X"], labels=[f"{value:g}" for value in found["y"]])


def read_matrix_market(files: RawFiles, file: OwnFile) -> Read:
    """Read a Matrix Market file."""
    return Read(file, view=apart.read("mtx", files.read(file.path), file.path, mend=_MEND)[""])


def read_arrays(file: OwnFile, arrays: dict[str, Any]) -> Read:
    """Take a view, row names and classes out of named arrays."""

    def pick(name: str) -> Any:
        if name not in arrays:
            raise _wrong(file, f"has no array {name!r}; it has {', '.join(sorted(arrays))}")
        return arrays[name]

    def words(name: str) -> list[str]:
        return [str(np.asarray(value).item()).strip() for value in np.ravel(pick(name))]

    found = Read(file)
    if file.view is not None:
        if {"data", "indices", "indptr", "shape"} <= arrays.keys():
            parts = tuple(arrays[part] for part in ("data", "indices", "indptr"))
            try:
                view = sp.csr_matrix(parts, shape=tuple(arrays["shape"]))
                view.check_format(full_check=True)
            except (ValueError, TypeError) as error:
                raise _wrong(file, f"its sparse arrays contradict each other ({error})") from None
        else:
            view = pick(file.array or file.view)
        if getattr(view, "ndim", 0) != 2:
            raise _wrong(file, f"array {file.array or file.view!r} is no matrix")
        found.view = sp.csr_matrix(view, dtype=np.float64)
    found.ids = words(file.id) if file.id is not None else None
    found.labels = words(file.label) if file.label is not None else None
    return found


def read_file(files: RawFiles, file: OwnFile) -> Read:
    """Read one file by the ending of its name."""
    ending = file.path.lower().removesuffix(".gz").rsplit(".", 1)[-1]
    if ending in ("csv", "tsv"):
        return read_table(files, file, "," if ending == "csv" else "\t")
    if ending in ("svmlight", "svm", "libsvm"):
        return read_svmlight(files, file)
    if ending == "mtx":
        return read_matrix_market(files, file)
    if ending == "npz":
        return read_arrays(file, files.npz(file.path))
    if ending == "mat":
        arrays = {n: v for n, v in files.mat(file.path).items() if not n.startswith("__")}
        return read_arrays(file, arrays)
    known = ".csv, .tsv, .npz, .svmlight, .mtx, .mat"
    raise _wrong(file, f"has an ending this code does not know; it reads {known}")


def _joined(parts: Sequence[Read]) -> tuple[list[str], list[np.ndarray]]:
    """Return the row names, and for each file which of its rows belong to them.

    Files with row names are joined by them, in the order of the first; all others by line.
    """
    named = [part for part in parts if part.ids is not None]
    ids = named[0].ids if named else None
    if ids is None:
        ids = [str(i) for i in range(parts[0].n_rows)]
    if len(set(ids)) != len(ids):
        twice = next(name for i, name in enumerate(ids) if name in ids[:i])
        raise _wrong(named[0].file, f"the id {twice!r} is there twice; ids must be unique")
    rows = []
    for part in parts:
        if part.n_rows != len(ids):
            raise _wrong(
                part.file,
                f"has {part.n_rows} rows, {(named or parts)[0].file.path} has {len(ids)}; "
                "every file needs one row per document",
            )
        if part.ids is None:
            rows.append(np.arange(len(ids)))
            continue
        place = {name: i for i, name in enumerate(part.ids)}
        missing = [name for name in ids if name not in place]
        if missing:
            raise _wrong(part.file, f"lacks {len(missing)} ids, the first is {missing[0]!r}")
        rows.append(np.array([place[name] for name in ids], dtype=np.int64))
    return ids, rows


def build_own(
    raw: Path, *, entry: Dataset, variant: str | None, provenance: dict[str, Any], **options: Any
) -> MultiViewData:
    """Build the views of an own data set from its files.

    Classes are the distinct labels in sorted order; an empty label is an unlabelled row. A label
    that a file names goes before the classes an svmlight file carries.
    """
    files = RawFiles(raw)
    parts = [read_file(files, file) for file in entry.own_files]
    ids, rows = _joined(parts)
    named = [i for i, part in enumerate(parts) if part.file.label is not None]
    carried = [i for i, part in enumerate(parts) if part.labels is not None]
    labels = np.full(len(ids), -1)
    classes: list[str] = []
    for i in (named or carried)[:1]:
        given = [(parts[i].labels or [])[row] for row in rows[i]]
        classes = sorted({label for label in given if label})
        labels = np.array([classes.index(label) if label else -1 for label in given])
    views, feature_names = {}, {}
    for part, order in zip(parts, rows, strict=True):
        name = part.file.view
        if name is None or part.view is None:
            continue
        if name in views:
            raise _wrong(part.file, f"the view {name!r} is there already; give it another name")
        views[name] = part.view[order]
        if part.columns is not None:
            feature_names[name] = part.columns
    return MultiViewData(
        name=entry.key,
        views=views,
        labels=labels,
        class_names=classes,
        ids=ids,
        feature_names=feature_names,
        provenance=provenance,
    )
