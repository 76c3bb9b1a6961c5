"""Matrices in files: npz, svmlight, Matrix Market, MATLAB, AnnData and MuData.

Never unpickled: arrays of Python objects are refused, for they can run code.
"""

import io
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sp
from sklearn.datasets import load_svmlight_file

from manyviews.compare.reading.columns import ID_NAMES, LABEL_NAMES, kind_of
from manyviews.compare.reading.errors import DataError, wrong
from manyviews.compare.reading.parts import Found, Given, Part, text_label
from manyviews.compare.reading.tables import read_bytes

_SPARSE_MEMBERS = {"data", "indices", "indptr", "shape"}


def matrix_part(path: Path, name: str, matrix: Any, columns: list[str] | None = None) -> Part:
    """Return a checked matrix as a view: two dimensions, finite where sparse, columns."""
    place = f"matrix {name!r}"
    if sp.issparse(matrix):
        matrix = sp.csr_matrix(matrix)
        try:
            matrix.check_format(full_check=True)
        except ValueError as error:
            raise wrong(path, f"{place} is damaged ({error})", "save it again") from None
        if matrix.dtype.kind not in "biuf":
            raise wrong(path, f"{place} holds {matrix.dtype}", "save real numbers")
        matrix = matrix.astype(np.float64)
        bad = np.flatnonzero(~np.isfinite(matrix.data))
        if bad.size:
            row = int(np.searchsorted(matrix.indptr, bad[0], side="right")) - 1
            column = int(matrix.indices[bad[0]])
            raise wrong(
                path, f"{place} holds {matrix.data[bad[0]]} in row {row}, column {column}",
                "store finite numbers",
            )  # fmt: skip
    else:
        matrix = np.asarray(matrix)
        if matrix.ndim != 2:
            raise wrong(path, f"{place} has {matrix.ndim} dimension(s)", "save rows by columns")
        if matrix.dtype.kind not in "biuf":
            raise wrong(path, f"{place} holds {matrix.dtype}", "save real numbers")
        matrix = matrix.astype(np.float64)
        infinite = np.argwhere(np.isinf(matrix))
        if infinite.size:
            row, column = infinite[0]
            raise wrong(
                path, f"{place} is infinite in row {row}, column {column}", "store finite numbers"
            )
    if not matrix.shape[0] or not matrix.shape[1]:
        raise wrong(path, f"{place} has shape {matrix.shape}", "give it rows and columns")
    names = columns or [f"{name}[{j}]" for j in range(matrix.shape[1])]
    return Part(name, matrix, names, path.name, kind=kind_of(matrix))


def from_arrays(
    path: Path, arrays: dict[str, Any], *, array: str | None = None, name: str | None = None
) -> Found:
    """Take views, names of rows and classes out of named arrays, by shape and by name.

    Parameters
    ----------
    path
        File, for messages.
    arrays
        Name to array.
    array
        The one that is the view; by default every matrix is one.
    name
        Name of that view; by default the array's.
    """
    if array is not None and array not in arrays:
        raise wrong(
            path, f"has no array {array!r}; it has {', '.join(sorted(arrays))}",
            "correct `array` in data.yaml",
        )  # fmt: skip
    found = Found()
    flat = {key: _flat(value) for key, value in arrays.items()}
    for key in sorted(arrays) if array is None else [array]:
        if flat[key] is None or array is not None:
            found.parts.append(matrix_part(path, name or key, arrays[key]))
    if not found.parts:
        raise wrong(path, "holds no matrix", "save rows by columns")
    n_rows = found.parts[0].n_rows
    for key, values in flat.items():
        if values is None or len(values) != n_rows or key == array:
            if values is not None and key != array:
                found.notes.append(f"{path.name}: array {key!r} is not one value a row; left out")
        elif key.lower() in LABEL_NAMES:
            found.labels.append(Given([text_label(value) for value in values], path.name))
        elif key.lower() in ID_NAMES:
            for part in found.parts:
                part.ids = [text_label(value) for value in values]
        else:
            found.notes.append(f"{path.name}: array {key!r} has no known name; left out")
    for given in found.labels:
        given.ids = found.parts[0].ids
    return found


def _flat(value: Any) -> np.ndarray | None:
    """Return a vector (also of one row or column, and MATLAB's cells); None for a matrix."""
    if sp.issparse(value):
        return None
    array = np.asarray(value)
    if array.dtype.kind == "O":
        return np.array([np.ravel(cell)[0] if np.size(cell) else "" for cell in array.ravel()])
    if array.ndim <= 1:
        return array.ravel()
    return array.ravel() if array.ndim == 2 and 1 in array.shape and array.size > 1 else None


def read_npz(path: Path, array: str | None = None, name: str | None = None) -> Found:
    """Read arrays of an npz file, or the matrix that scipy saved in it."""
    try:
        content = np.load(io.BytesIO(read_bytes(path)), allow_pickle=False)
        if isinstance(content, np.ndarray):
            arrays = {name or _stem(path): content}
        else:
            with content as archive:
                arrays = {key: archive[key] for key in archive.files}
    except (zipfile.BadZipFile, EOFError, OSError, KeyError) as error:
        raise wrong(path, f"is damaged or cut off ({error})", "save it again") from None
    except ValueError as error:
        if "pickle" in str(error).lower():
            raise wrong(
                path, "holds pickled objects, which can run code",
                "save plain arrays, sparse ones with scipy.sparse.save_npz",
            ) from None  # fmt: skip
        raise wrong(path, f"is damaged ({error})", "save it again") from None
    if arrays.keys() >= _SPARSE_MEMBERS:
        try:
            matrix = sp.load_npz(io.BytesIO(read_bytes(path)))
        except (ValueError, OSError) as error:
            raise wrong(path, f"is no sound sparse matrix ({error})", "save it again") from None
        return Found(parts=[matrix_part(path, name or _stem(path), matrix)])
    return from_arrays(path, arrays, array=array, name=name)


def read_svmlight(path: Path, name: str | None = None) -> Found:
    """Read an svmlight file: a view, and classes as its first field."""
    try:
        matrix, target = load_svmlight_file(io.BytesIO(read_bytes(path)))
    except (ValueError, OverflowError, UnicodeDecodeError) as error:
        raise wrong(
            path, f"is no svmlight text ({error})", "write `class column:value ...` in every line"
        ) from None
    if not matrix.shape[0]:
        raise wrong(path, "is empty", "write `class column:value ...` in every line")
    part = matrix_part(path, name or _stem(path), matrix)
    return Found([part], [Given([text_label(value) for value in target], path.name)])


def read_matrix_market(path: Path, name: str | None = None) -> Found:
    """Read a Matrix Market file."""
    try:
        matrix = scipy.io.mmread(io.BytesIO(read_bytes(path)))
    except (ValueError, TypeError, OverflowError, StopIteration) as error:
        raise wrong(path, f"is no Matrix Market text ({error})", "write it again") from None
    return Found(parts=[matrix_part(path, name or _stem(path), matrix)])


def read_mat(path: Path, array: str | None = None, name: str | None = None) -> Found:
    """Read a MATLAB file up to version 7."""
    content = read_bytes(path)
    if b"MATLAB 7.3" in content[:64]:
        raise wrong(path, "is a MATLAB 7.3 file", "save it with -v7")
    try:
        arrays = scipy.io.loadmat(io.BytesIO(content), simplify_cells=False)
    except Exception as error:  # scipy raises what its parser stumbles over
        raise wrong(path, f"is no readable MATLAB file ({error})", "save it with -v7") from None
    arrays = {key: value for key, value in arrays.items() if not key.startswith("__")}
    return from_arrays(path, arrays, array=array, name=name)


def read_cells(path: Path, name: str | None = None) -> Found:
    """Read ``.h5ad`` (one view) or ``.h5mu`` (a view a modality), if the package is there."""
    package = "anndata" if path.suffix.lower() == ".h5ad" else "mudata"
    if find_spec(package) is None:
        raise wrong(path, f"needs the package {package}", f"pip install {package}")
    try:
        if package == "anndata":
            from anndata import read_h5ad

            modalities = {name or _stem(path): read_h5ad(path)}
        else:
            from mudata import read_h5mu

            modalities = dict(read_h5mu(path).mod)
    except (OSError, KeyError, ValueError) as error:
        raise wrong(path, f"cannot be read ({error})", "write it again") from None
    found = Found()
    for key, content in modalities.items():
        columns = [str(column) for column in content.var_names]
        part = matrix_part(path, key, content.X, columns)
        part.ids = [str(row) for row in content.obs_names]
        found.parts.append(part)
        for column in content.obs.columns:
            if not found.labels and str(column).lower() in (*LABEL_NAMES, "cell_type", "celltype"):
                labels = [text_label(value) for value in content.obs[column].astype(object)]
                found.labels.append(Given(labels, path.name, part.ids))
                found.notes.append(f"{path.name}: classes are the column {column!r} of obs")
    return found


def _stem(path: Path) -> str:
    return path.name.removesuffix(".gz").rsplit(".", 1)[0]


READERS: dict[str, Any] = {
    "npz": read_npz,
    "npy": read_npz,
    "mat": read_mat,
    "svmlight": read_svmlight,
    "svm": read_svmlight,
    "libsvm": read_svmlight,
    "mtx": read_matrix_market,
    "h5ad": read_cells,
    "h5mu": read_cells,
}
#: Files that hold data in a way this code does not read, with what to do.
REFUSED = {
    "pkl": "pickles can run code; save a table as CSV, arrays as npz",
    "pickle": "pickles can run code; save a table as CSV, arrays as npz",
    "xlsx": "save the sheet as CSV",
    "xls": "save the sheet as CSV",
    "rds": "save the table as CSV",
    "rdata": "save the table as CSV",
}


def ending_of(path: Path) -> str:
    """Return the ending of a file's name, without ``.gz``."""
    return path.name.lower().removesuffix(".gz").rpartition(".")[2]


def read_matrices(path: Path, array: str | None = None, name: str | None = None) -> Found:
    """Read a file of matrices by its ending."""
    reader = READERS.get(ending_of(path))
    if reader is None:
        mend = REFUSED.get(ending_of(path), "save it as CSV, npz or another format of the list")
        raise DataError(f"{path.name}: its format is not read; {mend}")
    if reader in (read_npz, read_mat):
        return reader(path, array, name)
    if array is not None:
        raise wrong(path, "has no named arrays", "leave `array` out of data.yaml")
    return reader(path, name)
