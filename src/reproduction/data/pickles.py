"""Python 2 pickles of arrays, read without letting them run anything.

The Planetoid release stores scipy matrices, numpy arrays and dictionaries of lists as pickles. A
pickle may name any function to be called while it is loaded. :func:`loads` hands it none: the
few names it admits (those that rebuild arrays) are answered with inert records of this module, and
the arrays are made from the records afterwards, from checked shapes, number types and bytes.
"""

import io
import math
import pickle
import pickletools
import re
from typing import Any, NoReturn

import numpy as np
import scipy.sparse as sp

from reproduction.data.errors import ReadError

_NUMBER = re.compile(r"^(b1|[iu][1248]|f[48])$")
_OBJECT_TYPE = re.compile(r"^O[48]?$")
_ORDER = {"<", ">", "|", "="}
#: No data set holds a larger array.
_MAX_VALUES = 1 << 28
_REFUSED_OPCODES = {
    "EXT1", "EXT2", "EXT4", "PERSID", "BINPERSID", "INST", "OBJ", "NEXT_BUFFER",
    "READONLY_BUFFER", "NEWOBJ_EX",
}  # fmt: skip


class PickleRefusedError(ReadError):
    """A pickle is damaged, or names something other than array reconstruction."""


class _Inert:
    """Base of all answers: no attribute can be set on it, whatever the pickle asks."""

    __slots__ = ()

    def __setstate__(self, state: Any) -> None:
        raise PickleRefusedError("the pickle tries to change a function or type; refused")


class _Name(_Inert):
    """Stands for a type that may be mentioned but not called."""

    __slots__ = ()

    def __call__(self, *arguments: Any) -> NoReturn:
        raise PickleRefusedError("the pickle calls a type that may only be mentioned; refused")


_NDARRAY, _LIST, _OBJECT = _Name(), _Name(), _Name()


class _Dtype:
    """A number type: code and byte order."""

    __slots__ = ("code", "order")

    def __init__(self, code: str) -> None:
        known = isinstance(code, str) and (_NUMBER.match(code) or _OBJECT_TYPE.match(code))
        if not known:
            raise PickleRefusedError(f"the pickle holds an array of type {code!r}, not of numbers")
        self.code = code
        self.order = "="

    def __setstate__(self, state: Any) -> None:
        if not isinstance(state, tuple) or len(state) < 2 or state[1] not in _ORDER:
            raise PickleRefusedError("the pickle holds a malformed number type")
        if any(part is not None for part in state[2:5]):
            raise PickleRefusedError("the pickle holds a structured number type; refused")
        self.order = state[1]

    def build(self) -> np.dtype:
        order = "" if self.order == "|" else self.order
        return np.dtype(f"{order}{self.code}")


class _MakeDtype(_Inert):
    __slots__ = ()

    def __call__(self, code: Any, *flags: Any) -> _Dtype:
        return _Dtype(code)


class _Array:
    """An array: shape, number type, order, bytes."""

    __slots__ = ("state",)

    def __init__(self) -> None:
        self.state: Any = None

    def __setstate__(self, state: Any) -> None:
        self.state = state

    def build(self, depth: int = 0) -> Any:
        try:
            _, shape, kind, fortran, content = self.state
        except (TypeError, ValueError):
            raise PickleRefusedError("the pickle holds an array without content") from None
        if isinstance(kind, _Dtype) and _OBJECT_TYPE.match(kind.code):
            # numpy's way to keep one matrix in an .npz file: an array of no dimension around it
            if shape != () or not isinstance(content, list) or len(content) != 1:
                raise PickleRefusedError("the pickle holds an array of objects; refused")
            return _plain(content[0], depth + 1)
        if not isinstance(kind, _Dtype) or not isinstance(content, str | bytes):
            raise PickleRefusedError("the pickle holds an array that is not plain numbers; refused")
        if not isinstance(shape, tuple) or not all(
            isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in shape
        ):
            raise PickleRefusedError(f"the pickle holds an array of shape {shape!r}")
        raw = content.encode("latin1") if isinstance(content, str) else content
        dtype = kind.build()
        size = math.prod(shape)
        if size > _MAX_VALUES or size * dtype.itemsize != len(raw):
            raise PickleRefusedError(
                f"the pickle's array of shape {shape} and type {dtype} does not fit "
                f"its {len(raw)} bytes"
            )
        flat = np.frombuffer(raw, dtype=dtype).astype(dtype.newbyteorder("="))
        return flat.reshape(shape, order="F" if fortran else "C")


class _MakeArray(_Inert):
    __slots__ = ()

    def __call__(self, kind: Any, *arguments: Any) -> _Array:
        if kind is not _NDARRAY:
            raise PickleRefusedError("the pickle rebuilds an array of a foreign type; refused")
        return _Array()


class _Matrix:
    """A compressed sparse row matrix: its parts by name."""

    __slots__ = ("parts",)

    def __init__(self) -> None:
        self.parts: Any = None

    def __setstate__(self, state: Any) -> None:
        self.parts = state

    def build(self) -> sp.csr_matrix:
        parts = getattr(self, "parts", None)
        if not isinstance(parts, dict):
            raise PickleRefusedError("the pickle holds a matrix without content")
        shape = parts.get("_shape", parts.get("shape"))
        arrays: list[Any] = [parts.get(name) for name in ("data", "indices", "indptr")]
        if not isinstance(shape, tuple) or not all(isinstance(a, _Array) for a in arrays):
            raise PickleRefusedError("the pickle holds a malformed matrix")
        try:
            matrix = sp.csr_matrix(tuple(a.build() for a in arrays), shape=shape)
            matrix.check_format(full_check=True)
        except (ValueError, TypeError, IndexError) as error:
            raise PickleRefusedError(f"the pickle holds a malformed matrix: {error}") from error
        return matrix


class _MakeMatrix(_Inert):
    """``copy_reg._reconstructor`` for the matrix type (protocols 0 and 1)."""

    __slots__ = ()

    def __call__(self, kind: Any, base: Any, state: Any) -> _Matrix:
        if kind is not _Matrix or base is not _OBJECT:
            raise PickleRefusedError("the pickle rebuilds an object that is no matrix; refused")
        return _Matrix()


class _MakeDictionary(_Inert):
    __slots__ = ()

    def __call__(self, factory: Any = None) -> dict[Any, Any]:
        if factory not in (None, _LIST):
            raise PickleRefusedError("the pickle's dictionary has a foreign default; refused")
        return {}


class _Encode(_Inert):
    """``_codecs.encode``, by which Python 3 writes bytes for Python 2."""

    __slots__ = ()

    def __call__(self, text: Any, encoding: Any = None) -> bytes:
        if not isinstance(text, str) or encoding != "latin1":
            raise PickleRefusedError("the pickle encodes something other than bytes; refused")
        return text.encode("latin1")


_ADMITTED: dict[tuple[str, str], Any] = {
    ("numpy", "ndarray"): _NDARRAY,
    ("numpy", "dtype"): _MakeDtype(),
    ("numpy.core.multiarray", "_reconstruct"): _MakeArray(),
    ("numpy._core.multiarray", "_reconstruct"): _MakeArray(),
    ("scipy.sparse.csr", "csr_matrix"): _Matrix,
    ("scipy.sparse._csr", "csr_matrix"): _Matrix,
    ("copy_reg", "_reconstructor"): _MakeMatrix(),
    ("copyreg", "_reconstructor"): _MakeMatrix(),
    ("collections", "defaultdict"): _MakeDictionary(),
    ("_codecs", "encode"): _Encode(),
    ("__builtin__", "list"): _LIST,
    ("builtins", "list"): _LIST,
    ("__builtin__", "object"): _OBJECT,
    ("builtins", "object"): _OBJECT,
}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ADMITTED:
            raise PickleRefusedError(
                f"the pickle names {module}.{name}; only numpy arrays, scipy matrices, "
                "dictionaries and lists are admitted"
            )
        return _ADMITTED[module, name]


def loads(content: bytes, name: str = "pickle") -> Any:
    """Return the arrays, matrices, dictionaries, lists and numbers of a pickle.

    Parameters
    ----------
    content
        The file's bytes (Python 2 or 3; text is read as latin-1).
    name
        The file's name, for error texts.

    Raises
    ------
    PickleRefusedError
        When the pickle names anything else, or is damaged. Nothing of it has been run.
    """
    try:
        _check_opcodes(content)
        loaded = _Unpickler(io.BytesIO(content), fix_imports=False, encoding="latin1").load()
        return _plain(loaded)
    except PickleRefusedError as error:
        raise PickleRefusedError(f"{name}: {error}") from None
    except Exception as error:  # damaged pickles raise almost anything
        raise PickleRefusedError(
            f"{name} is truncated or damaged ({type(error).__name__}: {error}); fetch it again"
        ) from error


def load_npy(content: bytes, name: str) -> Any:
    """Return the array of an ``.npy`` file, or the one matrix a pickled array holds."""
    stream = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(stream)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else None
        if read is None:
            raise ValueError(f"version {version}")
        _, _, kind = read(stream)
    except ValueError as error:
        raise PickleRefusedError(f"{name} is no array file ({error}); fetch it again") from error
    if kind.hasobject:
        return loads(content[stream.tell() :], name)
    return np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)


def _check_opcodes(content: bytes) -> None:
    """Refuse opcodes no array needs, and memo numbers that only serve to exhaust memory."""
    for opcode, argument, _ in pickletools.genops(content):
        if opcode.name in _REFUSED_OPCODES:
            raise PickleRefusedError(f"the pickle uses {opcode.name}; refused")
        numbered = opcode.name in ("PUT", "BINPUT", "LONG_BINPUT")
        if numbered and int(argument or 0) > len(content):
            raise PickleRefusedError("the pickle numbers more objects than it can hold; refused")


def _plain(value: Any, depth: int = 0, done: dict[int, Any] | None = None) -> Any:
    """Return ``value`` with records turned into arrays; refuse what is neither.

    ``done`` keeps what was turned already: a pickle may name one list a million times over.
    """
    done = {} if done is None else done
    if id(value) in done:
        return done[id(value)]
    if depth > 6:
        raise PickleRefusedError("the pickle nests its content too deeply; refused")
    made: Any
    if isinstance(value, _Array):
        made = value.build(depth)
    elif isinstance(value, _Matrix):
        made = value.build()
    elif isinstance(value, dict):
        made = {_plain(k, depth + 1, done): _plain(v, depth + 1, done) for k, v in value.items()}
    elif isinstance(value, list | tuple):
        items = [_plain(item, depth + 1, done) for item in value]
        made = items if isinstance(value, list) else tuple(items)
    elif value is None or isinstance(value, bool | int | float | str | bytes):
        return value
    else:
        kind = type(value).__name__
        raise PickleRefusedError(f"the pickle holds a {kind}, not plain data; refused")
    done[id(value)] = made
    return made
