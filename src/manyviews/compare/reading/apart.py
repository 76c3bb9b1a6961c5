"""Call a parser of foreign files outside of this process.

Parsers written in C crash on damaged files and allocate what a header announces. They run in a
process of their own, with limits of memory and time: when it dies, the file is refused by name and
this process goes on. What comes back are plain arrays and texts, never objects.

``python -m manyviews.compare.reading.apart`` is that process; :func:`call` starts it when it is
needed. Either side sends a head (JSON) and a body (bytes, or arrays one after the other).
"""

from __future__ import annotations

import atexit
import bz2
import contextlib
import gzip
import importlib
import io
import json
import lzma
import math
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import IO, Any

import numpy as np
import scipy.sparse as sp

from manyviews.compare.reading.opening import MOST_BYTES

#: Memory a parser may use, in bytes, and processor seconds it may take for one file.
MEMORY, CPU_SECONDS = 6 << 30, 120
#: Seconds on the clock: more, since a busy machine makes a sound file slow.
SECONDS = 900.0
#: Cells within cells.
_DEPTH = 6
_LENGTHS = struct.Struct(">QQ")
_OPEN: dict[str, Any] = {"gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}


class ApartError(Exception):
    """A file could not be parsed; the text says why, without its name."""


def _send(stream: IO[bytes], head: dict[str, Any], *body: bytes | memoryview) -> None:
    text = json.dumps(head).encode("ascii")
    stream.write(_LENGTHS.pack(len(text), sum(map(len, body))) + text)
    for part in body:
        stream.write(part)
    stream.flush()


def _receive(stream: IO[bytes]) -> tuple[dict[str, Any], bytes]:
    head, body = _LENGTHS.unpack(_exactly(stream, _LENGTHS.size))
    return json.loads(_exactly(stream, head)), _exactly(stream, body)


def _exactly(stream: IO[bytes], size: int) -> bytes:
    content = stream.read(size)
    if len(content) < size:
        raise EOFError
    return content


# Values as plain words and arrays, and back


def _pack(value: Any, parts: list[np.ndarray], depth: int = 0) -> Any:
    """Describe a value by plain words and put its arrays on a list; None for what is neither."""
    if isinstance(value, list):
        return {"texts": value}
    if sp.issparse(value):
        kept = value if value.format in ("csr", "csc") else sp.csr_matrix(value)
        kept.check_format(full_check=True)  # wrong indices would crash whoever uses them
        parts += [kept.data, kept.indices, kept.indptr]
        return {"sparse": len(parts) - 3, "rows": kept.format == "csr", "shape": list(kept.shape)}
    array = np.asarray(value)
    if array.dtype.names is not None or depth > _DEPTH:
        return None  # a structure
    if array.dtype.hasobject:
        cells = list(array.flat)
        words = [_word(cell) for cell in cells]
        if cells and None not in words:
            return {"texts": words}
        return {"cells": [_pack(cell, parts, depth + 1) for cell in cells], "shape": array.shape}
    parts.append(array)
    return {"array": len(parts) - 1}


def _word(cell: Any) -> str | None:
    """Return the text of a cell that holds one, as MATLAB keeps texts."""
    if isinstance(cell, str):
        return cell
    text = isinstance(cell, np.ndarray) and cell.dtype.kind == "U" and cell.size <= 1
    return (str(cell.flat[0]) if cell.size else "") if text else None


def _arrays(body: bytes, kinds: Sequence[tuple[str, Sequence[int]]]) -> list[np.ndarray]:
    parts: list[np.ndarray] = []
    start = 0
    for kind, shape in kinds:
        count = math.prod(shape)
        part = np.zeros(0, dtype=kind)  # a buffer without items is refused
        if count:
            part = np.frombuffer(body, dtype=kind, count=count, offset=start).copy()
        parts.append(part.reshape(shape))
        start += parts[-1].nbytes
    return parts


def _unpack(value: Any, parts: list[np.ndarray]) -> Any:
    if value is None:
        return None
    if "array" in value:
        return parts[value["array"]]
    if "texts" in value:
        return value["texts"]
    shape = tuple(value["shape"])
    if "sparse" in value:
        first = value["sparse"]
        kind = sp.csr_matrix if value["rows"] else sp.csc_matrix
        return kind(tuple(parts[first : first + 3]), shape=shape)
    cells = np.empty(len(value["cells"]), dtype=object)
    for place, cell in enumerate(value["cells"]):
        cells[place] = _unpack(cell, parts)
    return cells.reshape(shape)


# The process apart


def _answer(question: dict[str, Any], content: bytes) -> tuple[dict[str, Any], list[np.ndarray]]:
    parts: list[np.ndarray] = []
    try:
        module, _, name = question["parser"].partition(":")
        if question["packing"]:
            with _OPEN[question["packing"]](io.BytesIO(content)) as stream:
                content = stream.read(question["most"] + 1)
            if len(content) > question["most"]:
                raise ValueError(f"it unpacks to more than {question['most']:,} bytes")
        found = getattr(importlib.import_module(module), name)(content)
        values = {str(key): _pack(value, parts) for key, value in found.items()}
        if sum(part.nbytes for part in parts) > MOST_BYTES:
            raise ValueError(f"it holds more than {MOST_BYTES:,} bytes")
    except MemoryError:
        return {"problem": f"reading it takes more than {MEMORY:,} bytes of memory"}, []
    except Exception as error:  # damaged files raise almost anything
        kind = "" if type(error) is ValueError else f"{type(error).__name__}: "
        return {"problem": f"{kind}{error}"[:300]}, []
    return {"values": values, "parts": [(p.dtype.str, p.shape) for p in parts]}, parts


def serve() -> None:
    """Answer questions until the stream ends."""
    questions = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)  # what libraries print is no answer
    _limit("RLIMIT_AS", MEMORY)
    _limit("RLIMIT_CORE", 0)
    with contextlib.suppress(EOFError):
        while True:
            question = _receive(questions)
            _limit("RLIMIT_CPU", int(time.process_time()) + CPU_SECONDS)
            head, parts = _answer(*question)
            del question
            _send(answers, head, *(part.tobytes() for part in parts))


def _limit(name: str, most: int) -> None:
    """Set a limit of this process, where the system has such limits."""
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        kind = getattr(resource, name)
        resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


# This process


class _Apart:
    """The other process, started when it is first asked and again when it has died."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self.owner = 0

    def started(self) -> subprocess.Popen[bytes]:
        """Return the process, a new one if there is none of this process that lives."""
        mine = self.process is not None and self.owner == os.getpid()
        if self.process is None or not mine or self.process.poll() is not None:
            one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
            path = os.pathsep.join(filter(None, sys.path))
            # -P: a module beside somebody's data must not be imported
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", __spec__.name if __spec__ else __name__],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env={**os.environ, **one, "PYTHONPATH": path},
            )  # fmt: skip
            self.owner = os.getpid()
        return self.process

    def ask(self, question: dict[str, Any], content: bytes, seconds: float) -> dict[str, Any]:
        """Ask for one file; raise ApartError when the process dies or takes too long."""
        with self.lock:
            process = self.started()
            assert process.stdin is not None
            assert process.stdout is not None
            began = time.monotonic()
            timer = threading.Timer(seconds, process.kill)
            timer.start()
            try:
                _send(process.stdin, question, content)
                head, body = _receive(process.stdout)
                parts = _arrays(body, head.get("parts", ()))
            except (OSError, EOFError, ValueError):
                self.stop()
                if time.monotonic() - began >= seconds:
                    raise ApartError(f"reading it took more than {seconds:g} seconds") from None
                raise ApartError(f"it crashes its reader: {_death(process.returncode)}") from None
            except BaseException:  # what is left in the stream would answer the next question
                self.stop()
                raise
            finally:
                timer.cancel()
        if "problem" in head:
            raise ApartError(head["problem"])
        return {key: _unpack(value, parts) for key, value in head["values"].items()}

    def stop(self) -> None:
        """End the other process, if it is one of ours."""
        if self.process is not None and self.owner == os.getpid():
            self.process.kill()
            self.process.communicate()
        self.process = None


def _death(code: int | None) -> str:
    if code is not None and code < 0:
        name = signal.Signals(-code).name
        return f"more than {CPU_SECONDS} processor seconds" if name == "SIGXCPU" else name
    return f"exit {code}"


_APART = _Apart()


@atexit.register
def stop() -> None:
    """End the process apart; the next call starts another."""
    _APART.stop()


def call(
    parser: str, content: bytes, *, packing: str = "", most: int = MOST_BYTES,
    seconds: float = SECONDS,
) -> dict[str, Any]:  # fmt: skip
    """Call a function ``bytes -> mapping`` in the process apart.

    Parameters
    ----------
    parser
        ``"module:function"``; it returns arrays, sparse matrices, cells of such or lists of texts.
    content
        The bytes of the file.
    packing, most
        What is undone first (``gz``, ``bz2``, ``xz`` or nothing), and bytes that may come of it.
    seconds
        Time it may take.

    Returns
    -------
    values
        Name to array, sparse matrix, list of texts, or array of such (cells); None in the place of
        a structure.

    Raises
    ------
    ApartError
        When the file is damaged, too large, or crashes its parser.
    """
    return _APART.ask({"parser": parser, "packing": packing, "most": most}, content, seconds)


if __name__ == "__main__":
    serve()
