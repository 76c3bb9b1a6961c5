"""Foreign formats: what reads each, in a process apart, and what to do about damage.

Never unpickled: arrays of Python objects are refused, for they can run code.
"""

import io
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sp

from manyviews.compare.reading import apart
from manyviews.compare.reading.guard import MOST_BYTES, packing_of, read_bytes, wrong

#: Ending of files that hold matrices -> the function below that parses them.
MATRICES = {"npz": "npz", "npy": "npz", "mat": "mat", "svmlight": "svmlight", "svm": "svmlight",
            "libsvm": "svmlight", "mtx": "mtx", "h5ad": "cells", "h5mu": "cells", "h5": "hdf5",
            "hdf5": "hdf5"}  # fmt: skip
#: Parser -> a package that it needs.
_NEEDED = {"cells": "anndata", "hdf5": "h5py", "parquet": "pyarrow"}


def parsed(path: Path, ending: str = "", most: int = MOST_BYTES) -> dict[str, Any]:
    """Return what the parser of an ending finds in a file; refuse by name what it cannot read."""
    content, parser = read_bytes(path), {**MATRICES, "parquet": "parquet"}.get(ending, "unpacked")
    if ending == "mat" and b"MATLAB 7.3" in content[:64]:
        parser = "hdf5"
    package = _NEEDED.get(parser, "")
    if package and find_spec(package) is None:
        mend = f"pip install {package}, or save a table as CSV, arrays as npz"
        raise wrong(path, f"needs the package {package}", mend)
    try:
        return apart.call(f"{__name__}:{parser}", content, packing=packing_of(path), most=most)
    except apart.ApartError as error:
        what = f"cannot be read as a {ending or 'packed'} file ({error})"
        raise wrong(path, what, "save it again, or a table as CSV, arrays as npz") from None


def read_text(path: Path, notes: list[str], most: int) -> str:
    """Return the text of a file, unpacked if it is packed; other encodings are mended aloud."""
    if packing_of(path):
        content = parsed(path, most=most)[""].tobytes()
    else:
        content = read_bytes(path, most)
    wide = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    if wide:
        notes.append(f"{path.name} is UTF-16; read as such")
    elif b"\0" in content:
        line = content[: content.index(b"\0")].count(b"\n") + 1
        raise wrong(path, f"line {line} holds a zero byte, so it is no text", "save it as text")
    try:
        return content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        if wide:
            raise wrong(path, "breaks off within a UTF-16 character", "save it as UTF-8") from None
        line = content[: error.start].count(b"\n") + 1
        notes.append(
            f"{path.name} is not UTF-8 (line {line}); read as Windows-1252: check its accents, "
            "or save it as UTF-8"
        )
        return content.decode("cp1252", "replace")


# What follows runs in the process apart: from bytes to arrays, sparse matrices and texts by name.


def unpacked(content: bytes) -> dict[str, Any]:
    """Return the bytes themselves: unpacking was all that was asked for."""
    return {"": np.frombuffer(content, dtype=np.uint8)}


def npz(content: bytes) -> dict[str, Any]:
    """Return the arrays of an npz file; that of an npy file, or of scipy, is called ""."""
    if not content.startswith((b"PK", b"\x93NUMPY")):
        raise ValueError("it does not begin like one")
    found = np.load(io.BytesIO(content), allow_pickle=False)
    if isinstance(found, np.ndarray):
        return {"": found}
    with found:
        announced = sum(member.file_size for member in found.zip.infolist())
        if announced > MOST_BYTES:
            raise ValueError(f"it unpacks to {announced:,} bytes")
        if {"format", "shape", "data"} <= set(found.files):
            return {"": sp.load_npz(io.BytesIO(content))}
        return {name: found[name] for name in found.files}


def svmlight(content: bytes) -> dict[str, Any]:
    """Return the matrix of an svmlight file, called "", and its classes ``y``."""
    from sklearn.datasets import load_svmlight_file

    matrix, target = load_svmlight_file(io.BytesIO(content))
    return {"": matrix, "y": target}


def mtx(content: bytes) -> dict[str, Any]:
    """Return the matrix of a Matrix Market file, called ""."""
    return {"": scipy.io.mmread(io.BytesIO(content))}


def mat(content: bytes) -> dict[str, Any]:
    """Return the variables of a MATLAB file; fields of a structure are variables too."""
    found = scipy.io.loadmat(io.BytesIO(content))
    variables = {name: value for name, value in found.items() if not name.startswith("__")}
    for name, value in list(variables.items()):
        fields = getattr(getattr(value, "dtype", None), "names", None)
        if fields and value.size == 1:
            del variables[name]
            variables = {field: value.flat[0][field] for field in fields} | variables
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
        found = merged(anndata.io.read_elem(group) for group in groups.values())
        return {**found, "names": list(groups)}


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
    found: dict[str, Any] = {"names": list(table.column_names)}
    for place, column in enumerate(table.columns):
        cells = column.to_pylist()
        found[str(place)] = ["" if cell is None else str(cell) for cell in cells]
    return found
