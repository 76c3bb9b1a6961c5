"""Pickles of arrays, matrices and dictionaries of lists, as the Planetoid release has them.

The files are pinned, so nobody's bytes but the publisher's come here. All the same a pickle may
name no function but those that rebuild arrays.
"""

import io
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from reproduction.data.errors import ReadError


class _Matrix:
    """Takes in the parts of a scipy matrix, whose own attributes have changed since then."""


#: What rebuilds an array, whatever numpy calls the module it lies in.
_ARRAY: Any = np.empty(0).__reduce__()[0]
_ADMITTED: dict[str, Callable[..., Any]] = {
    "numpy.ndarray": np.ndarray,
    "numpy.dtype": np.dtype,
    "numpy.core.multiarray._reconstruct": _ARRAY,
    "numpy._core.multiarray._reconstruct": _ARRAY,
    "scipy.sparse.csr.csr_matrix": _Matrix,
    "scipy.sparse._csr.csr_matrix": _Matrix,
    "copy_reg._reconstructor": lambda kind, base, state: kind(),
    "collections.defaultdict": lambda *factory: {},
    "_codecs.encode": lambda text, encoding: text.encode("latin1"),
    "__builtin__.list": list,
    "__builtin__.object": object,
}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if f"{module}.{name}" not in _ADMITTED:
            raise ReadError(f"it names {module}.{name}; only arrays are admitted")
        return _ADMITTED[f"{module}.{name}"]


def loads(content: bytes) -> Any:
    """Return the array, matrix or dictionary of a pickle (Python 2 or 3; text is latin-1)."""
    loaded = _Unpickler(io.BytesIO(content), fix_imports=False, encoding="latin1").load()
    if isinstance(loaded, np.ndarray) and loaded.dtype.hasobject:
        loaded = loaded.item()  # numpy's way to keep one matrix in an .npz file
    if isinstance(loaded, _Matrix):
        parts = vars(loaded)
        arrays = tuple(parts[part] for part in ("data", "indices", "indptr"))
        loaded = sp.csr_matrix(arrays, shape=parts.get("_shape", parts.get("shape")))
    return loaded


def load_npy(content: bytes) -> Any:
    """Return the array of an ``.npy`` file, or the one matrix a pickled array holds."""
    stream = io.BytesIO(content)
    np.lib.format.read_magic(stream)
    _, _, kind = np.lib.format.read_array_header_1_0(stream)
    if kind.hasobject:
        return loads(content[stream.tell() :])
    return np.load(io.BytesIO(content), allow_pickle=False)
