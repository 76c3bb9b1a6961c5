"""Foreign formats, each with its parser in the process apart and what to do about damage."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from manyviews.compare.reading import apart
from manyviews.compare.reading.errors import wrong
from manyviews.compare.reading.opening import MOST_BYTES, packing_of, read_bytes

_HERE = "manyviews.compare.reading.parsers"
_SVMLIGHT = ("svmlight", "svmlight text", "write `class column:value ...` in every line")
_CELLS = ("cells", "file of annotated data", "write it again")
_HDF5 = ("hdf5", "HDF5 file", "save it again")
#: Ending -> parser, what such a file is called, what to do about one that cannot be read.
PARSERS = {
    "npz": ("npz", "archive of arrays", "save it again"),
    "npy": ("npy", "array file", "save it again"),
    "mat": ("mat", "MATLAB file", "save it with -v7"),
    "svmlight": _SVMLIGHT,
    "svm": _SVMLIGHT,
    "libsvm": _SVMLIGHT,
    "mtx": ("mtx", "Matrix Market text", "write it again"),
    "h5ad": _CELLS,
    "h5mu": _CELLS,
    "h5": _HDF5,
    "hdf5": _HDF5,
    "parquet": ("parquet", "Parquet file", "write it again"),
    "xlsx": ("sheet", "workbook", "save the sheet as CSV"),
    "": ("plain", "packed file", "pack it again"),
}
#: Endings that hold matrices, and those that hold a table.
MATRICES = tuple(ending for ending in PARSERS if ending not in ("parquet", "xlsx", ""))
COLUMNS = ("parquet", "xlsx")
#: Ending -> package that its parser needs.
_PACKAGES = {
    "h5ad": "anndata", "h5mu": "anndata", "h5": "h5py", "hdf5": "h5py", "parquet": "pyarrow",
    "xlsx": "openpyxl",
}  # fmt: skip


def parsed(path: Path, ending: str, most: int = MOST_BYTES) -> dict[str, Any]:
    """Return what the parser of an ending finds in a file; refuse by name what it cannot read."""
    parser, called, mend = PARSERS[ending]
    package = _PACKAGES.get(ending)
    if package is not None and find_spec(package) is None:
        raise wrong(path, f"needs the package {package}", f"pip install {package}, or {mend}")
    content = read_bytes(path)
    if ending == "mat" and b"MATLAB 7.3" in content[:64] and find_spec("h5py") is None:
        raise wrong(
            path, "is a MATLAB 7.3 file, which needs the package h5py",
            "pip install h5py, or save it in MATLAB with -v7",
        )  # fmt: skip
    try:
        return apart.call(f"{_HERE}:{parser}", content, packing=packing_of(path), most=most)
    except apart.ApartError as error:
        raise wrong(path, f"is no readable {called} ({error})", mend) from None
