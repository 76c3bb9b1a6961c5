"""R's data files, just enough of them: lists, matrices, factors and strings.

The format is a serialisation of R's objects in big-endian numbers. Code, environments and
anything else that is not plain data are refused.
"""

import lzma
import struct
from typing import Any

import numpy as np

_NIL = (254, 253, 242)
_SYMBOL, _PAIRS, _TEXT, _LOGICAL, _INTEGER, _REAL, _STRINGS, _LIST = 1, 2, 9, 10, 13, 14, 16, 19
_REFERENCE = 255


def read_rda(content: bytes) -> dict[str, Any]:
    """Return the objects of an xz-compressed ``.rda`` file.

    Every object is ``(value, attributes)``; a named list is ``(dict, attributes)``.
    """
    return dict(_Reader(lzma.decompress(content)).read())


class _Reader:
    def __init__(self, content: bytes) -> None:
        self.content, self.place = content, len(b"RDX2\nX\n")
        self.seen: list[Any] = []
        version, _, _ = self._integer(), self._integer(), self._integer()
        if version == 3:
            self._take(self._integer())  # name of the native encoding

    def _take(self, size: int) -> bytes:
        self.place += size
        return self.content[self.place - size : self.place]

    def _integer(self) -> int:
        return int(struct.unpack(">i", self._take(4))[0])

    def read(self) -> Any:
        """Read the next object."""
        flags = self._integer()
        kind, has_attributes = flags & 255, bool(flags >> 9 & 1)
        if kind in _NIL:
            return None
        if kind == _REFERENCE:
            return self.seen[(flags >> 8 or self._integer()) - 1]
        if kind == _SYMBOL:
            self.seen.append(self.read())
            return self.seen[-1]
        if kind == _PAIRS:
            return self._pairs(flags)
        size = self._integer()
        if kind == _TEXT:
            return None if size < 0 else self._take(size).decode("utf-8")
        value = self._vector(kind, size)
        attributes = dict(self.read()) if has_attributes else {}
        if kind == _LIST and "names" in attributes:
            return dict(zip(attributes["names"][0], value, strict=True)), attributes
        return value, attributes

    def _pairs(self, flags: int) -> list[tuple[Any, Any]]:
        found = []
        while flags & 255 == _PAIRS:
            if flags >> 9 & 1:
                self.read()
            name = self.read() if flags >> 10 & 1 else None
            found.append((name, self.read()))
            flags = self._integer()
        return found

    def _vector(self, kind: int, size: int) -> Any:
        if kind in (_LOGICAL, _INTEGER):
            return np.frombuffer(self._take(4 * size), ">i4").astype(np.int64)
        if kind == _REAL:
            return np.frombuffer(self._take(8 * size), ">f8").astype(np.float64)
        if kind in (_STRINGS, _LIST):
            return [self.read() for _ in range(size)]
        raise ValueError(f"it holds an object of type {kind}, which is not plain data")
