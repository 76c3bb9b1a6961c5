"""Read foreign files outside of this process.

Readers written in C crash on damaged files and allocate what a header announces. They run in a
process of their own, with limits of memory and time: when it dies, the file is refused by name and
this process goes on. What comes back are plain arrays, never objects.

``python -m reproduction.data.apart`` is that process; :func:`read` starts it when it is needed.
"""

from __future__ import annotations

import atexit
import io
import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np
import scipy.sparse as sp

from reproduction.data.errors import ReadError
from reproduction.files import ROOT

#: Memory a reader may use, in bytes: the largest file of any data set needs a quarter of it.
MEMORY = 3 << 30
#: Processor seconds a reader may take for one file.
CPU_SECONDS = 120
#: Seconds on the clock it may take: many more, since a busy machine makes a sound file slow.
SECONDS = 3600.0
#: No photograph of any data set is larger; a small file may announce a picture of gigabytes.
MAX_PIXELS = 1 << 26
_LENGTH = struct.Struct(">Q")


# The process apart


def _mat(content: bytes) -> dict[str, Any]:
    import scipy.io

    found = scipy.io.loadmat(io.BytesIO(content))
    return {name: value for name, value in found.items() if not name.startswith("__")}


def _npz(content: bytes) -> dict[str, Any]:
    import zipfile

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {
            name.removesuffix(".npy"): _array(archive.read(name))
            for name in archive.namelist()
            if name.endswith(".npy")
        }


def _npy(content: bytes) -> dict[str, Any]:
    return {"": _array(content)}


def _array(content: bytes) -> np.ndarray:
    """Read one array; numpy's own error would advise to trust the file."""
    try:
        return np.asarray(np.lib.format.read_array(io.BytesIO(content), allow_pickle=False))
    except ValueError as error:
        if "allow_pickle" in str(error):
            raise ValueError("it holds Python objects, not numbers") from None
        raise


def _svmlight(content: bytes) -> dict[str, Any]:
    from sklearn.datasets import load_svmlight_file

    matrix, target = load_svmlight_file(io.BytesIO(content))
    return {"X": matrix, "y": target}


def _mtx(content: bytes) -> dict[str, Any]:
    import scipy.io

    return {"": sp.csr_matrix(scipy.io.mmread(io.BytesIO(content)))}


def _image(content: bytes) -> dict[str, Any]:
    import cv2
    from PIL import Image, UnidentifiedImageError

    cv2.setNumThreads(1)
    try:
        with Image.open(io.BytesIO(content)) as header:  # reads no pixel
            size = header.width * header.height
    except UnidentifiedImageError:  # its text holds an address in memory
        raise ValueError("no picture") from None
    if size > MAX_PIXELS:
        raise ValueError(f"a picture of {size} pixels")
    image = cv2.imdecode(np.frombuffer(content, dtype=np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError("no picture that can be decoded")
    return {"": np.asarray(image)}


READERS: dict[str, Callable[[bytes], dict[str, Any]]] = {
    "mat": _mat, "npz": _npz, "npy": _npy, "image": _image, "svmlight": _svmlight, "mtx": _mtx,
}  # fmt: skip
_WORDS = {
    "mat": "MATLAB 5 file", "npz": "archive of arrays", "npy": "array file",
    "image": f"image of at most {MAX_PIXELS} pixels", "svmlight": "svmlight file",
    "mtx": "Matrix Market file",
}  # fmt: skip


def _pack(value: Any, parts: list[np.ndarray]) -> Any:
    """Describe a value by plain words and put its arrays on a list; None for what is no array."""
    if sp.issparse(value):
        rows = value.format == "csr"
        value = value if rows else sp.csc_matrix(value)
        first = len(parts)
        parts += [value.data, value.indices, value.indptr]
        return {"sparse": first, "rows": rows, "shape": list(value.shape)}
    array = np.asarray(value)
    if array.dtype.hasobject:
        if array.dtype.names is not None:
            return None  # a structure
        cells = [_pack(cell, parts) for cell in array.ravel(order="C")]
        return None if None in cells else {"cells": cells, "shape": list(array.shape)}
    if array.dtype.names is not None:
        return None
    parts.append(array)
    return {"array": len(parts) - 1}


def _answer(reader: str, content: bytes) -> tuple[dict[str, Any], bytes]:
    try:
        found = READERS[reader](content)
        parts: list[np.ndarray] = []
        packed = {str(name): _pack(value, parts) for name, value in found.items()}
        body = io.BytesIO()
        for part in parts:
            np.lib.format.write_array(body, part, allow_pickle=False)
    except Exception as error:  # damaged files raise almost anything
        return {"problem": f"{type(error).__name__}: {error}"}, b""
    kept = {name: value for name, value in packed.items() if value is not None}
    return {"values": kept, "parts": len(parts)}, body.getvalue()


def _send(stream: IO[bytes], head: dict[str, Any], body: bytes) -> None:
    text = json.dumps(head).encode("utf-8")
    stream.write(_LENGTH.pack(len(text)) + _LENGTH.pack(len(body)))
    stream.write(text)
    stream.write(body)
    stream.flush()


def _receive(stream: IO[bytes]) -> tuple[dict[str, Any], bytes]:
    head, body = (_LENGTH.unpack(_exactly(stream, 8))[0] for _ in range(2))
    return json.loads(_exactly(stream, head)), _exactly(stream, body)


def _exactly(stream: IO[bytes], size: int) -> bytes:
    content = stream.read(size)
    if len(content) < size:
        raise EOFError
    return content


def serve() -> None:
    """Answer requests until the stream ends."""
    questions = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)  # what libraries print is no answer
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except ImportError:  # no such limits on this system; those of time and of headers remain
        pass
    while True:
        try:
            head, content = _receive(questions)
        except EOFError:
            return
        _limit_processor()
        _send(answers, *_answer(head["reader"], content))


def _limit_processor() -> None:
    """Let the system end this process when the next file takes too long."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + CPU_SECONDS, most))


# This process


class _Apart:
    """The other process, started when it is first asked and again when it has died."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self.owner = 0

    def _start(self) -> subprocess.Popen[bytes]:
        alive = self.process is not None and self.process.poll() is None
        if self.process is None or not alive or self.owner != os.getpid():
            path = os.pathsep.join([str(ROOT / "src"), *filter(None, sys.path)])
            self.process = subprocess.Popen(
                [sys.executable, "-m", "reproduction.data.apart"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
            )
            self.owner = os.getpid()
        return self.process

    def ask(self, reader: str, content: bytes, seconds: float) -> tuple[dict[str, Any], bytes]:
        """Ask for one file; a process that dies or takes too long is an answer too."""
        with self.lock:
            process = self._start()
            assert process.stdin is not None
            assert process.stdout is not None
            late = threading.Event()

            def end() -> None:
                late.set()
                process.kill()

            timer = threading.Timer(seconds, end)
            timer.start()
            try:
                _send(process.stdin, {"reader": reader}, content)
                return _receive(process.stdout)
            except (OSError, EOFError, ValueError):
                self.stop()
                if late.is_set():
                    return {"problem": f"reading it took more than {seconds:g} seconds"}, b""
                return {"problem": f"its reader crashed ({_death(process.returncode)})"}, b""
            finally:
                timer.cancel()

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
atexit.register(_APART.stop)


def _unpack(value: dict[str, Any], parts: list[np.ndarray]) -> Any:
    if "array" in value:
        return parts[value["array"]]
    shape = tuple(value["shape"])
    if "sparse" in value:
        first = value["sparse"]
        kind = sp.csr_matrix if value["rows"] else sp.csc_matrix
        matrix = kind(tuple(parts[first : first + 3]), shape=shape)
        matrix.check_format(full_check=True)  # wrong indices would crash whoever uses them
        return matrix
    cells = np.empty(len(value["cells"]), dtype=object)
    for place, cell in enumerate(value["cells"]):
        cells[place] = _unpack(cell, parts)
    return cells.reshape(shape)


def read(
    reader: str,
    content: bytes,
    name: str | Path,
    *,
    seconds: float = SECONDS,
    mend: str = "fetch it again",
) -> dict[str, Any]:
    """Read a foreign file in a process of its own; return its arrays by name.

    Parameters
    ----------
    reader
        ``"mat"``, ``"npz"``, ``"svmlight"`` (returns ``X`` and ``y``), or one of ``"npy"``,
        ``"image"`` and ``"mtx"``, which return one array, called "".
    content
        The bytes of the file.
    name
        What errors call it.
    seconds
        Time it may take.
    mend
        What to do about a file that cannot be read.

    Returns
    -------
    arrays
        Dense and sparse arrays, and arrays of such (cells); structures are left out.

    Raises
    ------
    ReadError
        When the file is damaged, too large, or crashes its reader.
    """
    head, body = _APART.ask(reader, content, seconds)
    problem = head.get("problem", "")
    if not problem:
        try:
            stream = io.BytesIO(body)
            parts = [
                np.lib.format.read_array(stream, allow_pickle=False) for _ in range(head["parts"])
            ]
            return {key: _unpack(value, parts) for key, value in head["values"].items()}
        except ValueError as error:
            problem = str(error)
    said = " ".join(problem.split())[:300]
    raise ReadError(f"{name} is no readable {_WORDS[reader]} ({said}); {mend}")


if __name__ == "__main__":
    serve()
