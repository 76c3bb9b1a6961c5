"""Parsers of foreign files, from bytes to arrays; they run in a process apart and nowhere else.

Never unpickled: arrays of Python objects are refused, for they can run code.
"""

import io
import math
import zipfile
from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sp

from manyviews.compare.reading.opening import MOST_BYTES


def plain(content: bytes) -> dict[str, Any]:
    """Return the bytes themselves: unpacking was all that was asked for."""
    return {"": np.frombuffer(content, dtype=np.uint8)}


def npy(content: bytes) -> dict[str, Any]:
    """Return the array of an npy file, called ""."""
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    header = {1: np.lib.format.read_array_header_1_0, 2: np.lib.format.read_array_header_2_0}
    if version[0] in header:  # version 3 differs from 2 in the names of fields alone
        shape, _, kind = header[version[0]](stream)
        if kind.hasobject:
            raise ValueError("it holds pickled objects, which can run code")
        announced, there = math.prod(shape) * kind.itemsize, len(content) - stream.tell()
        if announced > there:
            raise ValueError(f"its header announces {announced:,} bytes, the file has {there:,}")
    stream.seek(0)
    return {"": np.lib.format.read_array(stream, allow_pickle=False)}


def npz(content: bytes) -> dict[str, Any]:
    """Return the arrays of an npz file, or the matrix that scipy saved in it, called ""."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        announced = sum(member.file_size for member in archive.infolist())
        if announced > MOST_BYTES:
            raise ValueError(f"it unpacks to {announced:,} bytes")
        names = [name for name in archive.namelist() if name.endswith(".npy")]
        arrays = {name.removesuffix(".npy"): npy(archive.read(name))[""] for name in names}
    if arrays.keys() >= {"format", "shape", "data"}:
        return {"": sp.load_npz(io.BytesIO(content))}
    return arrays


def svmlight(content: bytes) -> dict[str, Any]:
    """Return the matrix of an svmlight file, called "", and its classes ``y``."""
    from sklearn.datasets import load_svmlight_file

    matrix, target = load_svmlight_file(io.BytesIO(content))
    return {"": matrix, "y": target}


def mtx(content: bytes) -> dict[str, Any]:
    """Return the matrix of a Matrix Market file, called ""."""
    matrix = scipy.io.mmread(io.BytesIO(content))
    return {"": sp.csr_matrix(matrix) if sp.issparse(matrix) else matrix}


def mat(content: bytes) -> dict[str, Any]:
    """Return the variables of a MATLAB file; fields of a structure are variables too."""
    if b"MATLAB 7.3" in content[:64]:
        return hdf5(content)
    found = scipy.io.loadmat(io.BytesIO(content))
    variables = {name: value for name, value in found.items() if not name.startswith("__")}
    for name, value in list(variables.items()):
        fields = getattr(getattr(value, "dtype", None), "names", None)
        if fields and value.size == 1:
            inner = {field: value.flat[0][field] for field in fields}
            variables = inner | {key: kept for key, kept in variables.items() if key != name}
    return variables


def hdf5(content: bytes) -> dict[str, Any]:
    """Return the data sets of an HDF5 file by name; MATLAB's are turned as MATLAB shows them."""
    import h5py

    with h5py.File(io.BytesIO(content), "r") as file:
        return {name: _node(file, node) for name, node in file.items() if name[0] != "#"}


def _node(file: Any, node: Any, depth: int = 0) -> Any:
    import h5py

    kind = node.attrs.get("MATLAB_class", b"")
    if isinstance(node, h5py.Group):
        if not {"data", "ir", "jc"} <= set(node):
            return np.zeros(1, dtype=[("group", "i1")])  # a structure
        parts = tuple(node[part][()] for part in ("data", "ir", "jc"))
        rows = int(node.attrs["MATLAB_sparse"])
        return sp.csc_matrix(parts, shape=(rows, len(parts[2]) - 1))
    if node.size * node.dtype.itemsize > MOST_BYTES:
        raise ValueError(f"data set {node.name!r} announces {node.shape} values")
    if kind == b"cell" and depth < 4:
        found = np.empty(node.shape, dtype=object)
        for place, reference in np.ndenumerate(node[()]):
            found[place] = _node(file, file[reference], depth + 1)
        return found.T
    if node.attrs.get("MATLAB_empty", 0):
        return np.zeros((0, 0))
    values = node[()]
    if h5py.check_string_dtype(node.dtype) is not None:
        return [bytes(text).decode("utf-8", "replace") for text in np.ravel(values)]
    if kind == b"char":
        return np.array(["".join(map(chr, row)) for row in np.atleast_2d(values.T)])
    return np.asarray(values).T if kind else np.asarray(values)


def cells(content: bytes) -> dict[str, Any]:
    """Return matrices, rows, columns and texts about rows of AnnData (``X/``) and MuData files."""
    import anndata
    import h5py

    with h5py.File(io.BytesIO(content), "r") as file:
        groups = dict(file["mod"]) if "mod" in file else {"": file}
        return merged(anndata.io.read_elem(group) for group in groups.values()) | {
            "names": list(groups)
        }


def merged(modalities: Iterable[Any]) -> dict[str, Any]:
    """Return what is wanted of AnnData objects: matrices, and texts about rows and columns."""
    found: dict[str, Any] = {}
    for place, one in enumerate(modalities):
        found[f"X{place}"] = one.X
        found[f"columns{place}"] = [str(column) for column in one.var_names]
        found[f"rows{place}"] = [str(row) for row in one.obs_names]
        found[f"about{place}"] = [str(column) for column in one.obs.columns]
        for number, column in enumerate(one.obs.columns):
            values = one.obs[column].astype(object)
            found[f"about{place}.{number}"] = ["" if v != v else str(v) for v in values]
    return found


def parquet(content: bytes) -> dict[str, Any]:
    """Return the names of the columns, and their cells as texts, called "0", "1", ..."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(pa.BufferReader(content), use_threads=False)
    return _texts(
        [str(name) for name in table.column_names],
        (table.column(place).to_pylist() for place in range(table.num_columns)),
    )


def sheet(content: bytes) -> dict[str, Any]:
    """Return the first sheet of a workbook as :func:`parquet` does; its first row has the names."""
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    first = book.worksheets[0]
    first.reset_dimensions()  # what the file announces may be a million empty rows
    rows = [row for row in first.iter_rows(values_only=True) if any(c is not None for c in row)]
    if not rows:
        raise ValueError("its first sheet is empty")
    width = max(map(len, rows))
    rows = [(*row, *(None,) * (width - len(row))) for row in rows]
    names = ["" if cell is None else str(cell) for cell in rows[0]]
    return _texts(names, zip(*rows[1:], strict=True))


def _texts(names: list[str], columns: Iterable[Iterable[Any]]) -> dict[str, Any]:
    found = {
        str(place): ["" if value is None else str(value) for value in column]
        for place, column in enumerate(columns)
    }
    return {"names": names, **found}
