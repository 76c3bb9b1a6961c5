"""Call a parser of foreign files outside of this process.

Parsers written in C crash on damaged files and allocate what a header announces. They run in a
process of their own (``python -m manyviews.compare.reading.apart``, which :func:`call` starts) with
limits of memory and time: when it dies, the file is refused by name and this process goes on. It
has the rights of this process, so it guards against damage and greed.
"""

import atexit
import bz2
import contextlib
import gzip
import importlib
import io
import lzma
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.compare.reading.guard import MOST_BYTES

#: Memory a parser may use, in bytes, and processor seconds it may take for one file.
MEMORY, CPU_SECONDS = 6 << 30, 120
#: Seconds on the clock: more, since a busy machine makes a sound file slow.
SECONDS = 900.0
#: Cells within cells.
_DEPTH = 6
_OPEN: dict[str, Any] = {"gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}


class ApartError(Exception):
    """A file could not be parsed; the text says why, without its name."""


def plain(value: Any, depth: int = 0) -> Any:
    """Return an array, a checked sparse matrix, a list of texts or cells of such, else None."""
    if isinstance(value, list):
        return value
    if sp.issparse(value):
        kept = value if value.format in ("csr", "csc") else sp.csr_matrix(value)
        kept.check_format(full_check=True)  # wrong indices would crash whoever uses them
        return kept
    array = np.asarray(value)
    if array.dtype.names is not None or depth > _DEPTH:
        return None  # a structure
    if not array.dtype.hasobject:
        return array
    words = [_word(cell) for cell in array.flat]
    if words and None not in words:
        return words
    cells = np.empty(array.size, dtype=object)
    for place, cell in enumerate(array.flat):
        cells[place] = plain(cell, depth + 1)
    return cells.reshape(array.shape)


def _word(cell: Any) -> str | None:
    """Return the text of a cell that holds one, as MATLAB keeps texts."""
    if isinstance(cell, str):
        return cell
    text = isinstance(cell, np.ndarray) and cell.dtype.kind == "U" and cell.size <= 1
    return (str(cell.flat[0]) if cell.size else "") if text else None


def _answer(parser: str, content: bytes, packing: str, most: int) -> bytes:
    """Return what a parser finds, or nothing, and what went wrong; pickled."""
    try:
        module, _, name = parser.partition(":")
        if packing:
            with _OPEN[packing](io.BytesIO(content)) as stream:
                content = stream.read(most + 1)
            if len(content) > most:
                raise ValueError(f"it unpacks to more than {most:,} bytes")
        found = getattr(importlib.import_module(module), name)(content)
        values = {str(key): plain(value) for key, value in found.items()}
        answer = pickle.dumps((values, ""), protocol=5)
        if len(answer) <= MOST_BYTES:
            return answer
        problem = f"it holds more than {MOST_BYTES:,} bytes"
    except MemoryError:
        problem = f"reading it takes more than {MEMORY:,} bytes of memory"
    except Exception as error:  # damaged files raise almost anything
        kind = "" if type(error) is ValueError else f"{type(error).__name__}: "
        problem = f"{kind}{error}"[:300]
    return pickle.dumps((None, problem))


def serve() -> None:
    """Answer questions until the stream ends."""
    questions = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)  # what libraries print is no answer
    _limit("RLIMIT_AS", MEMORY)
    _limit("RLIMIT_CORE", 0)
    with contextlib.suppress(EOFError):
        while True:
            question = pickle.load(questions)
            _limit("RLIMIT_CPU", int(time.process_time()) + CPU_SECONDS)
            answers.write(_answer(*question))
            answers.flush()


def _limit(name: str, most: int) -> None:
    """Set a limit of this process, where the system has such limits."""
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        kind = getattr(resource, name)
        resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


_LOCK = threading.Lock()
#: The process apart, if one was started.
_RUNNING: list[subprocess.Popen[bytes]] = []
if hasattr(os, "register_at_fork"):  # a copy of this process starts its own
    os.register_at_fork(after_in_child=_RUNNING.clear)


def _started() -> subprocess.Popen[bytes]:
    """Return the process apart, a new one if there is none that lives."""
    if _RUNNING and _RUNNING[0].poll() is None:
        return _RUNNING[0]
    more = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    more["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    # -P: a module beside somebody's data must not be imported
    command = [sys.executable, "-P", "-m", __name__]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    _RUNNING[:] = [subprocess.Popen(command, env={**os.environ, **more}, **pipes)]
    return _RUNNING[0]


@atexit.register
def stop() -> None:
    """End the process apart; the next call starts another."""
    while _RUNNING:
        process = _RUNNING.pop()
        process.kill()
        process.communicate()


def call(
    parser: str, content: bytes, *, packing: str = "", most: int = MOST_BYTES,
    seconds: float = SECONDS,
) -> dict[str, Any]:  # fmt: skip
    """Call ``"module:function"``, of a file's bytes, in the process apart; return what it finds.

    That is :func:`plain` values by name. ``packing`` (``gz``, ``bz2``, ``xz``) is undone first, to
    at most so many bytes. A file that is damaged, too large or crashes its parser is an ApartError.
    """
    with _LOCK:
        process, began = _started(), time.monotonic()
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        try:
            pickle.dump((parser, content, packing, most), process.stdin, protocol=5)
            process.stdin.flush()
            values, problem = pickle.load(process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            stop()
            if time.monotonic() - began >= seconds:
                raise ApartError(f"reading it took more than {seconds:g} seconds") from None
            code = process.returncode
            death = signal.Signals(-code).name if code < 0 else f"exit {code}"
            raise ApartError(f"it crashes its reader: {death}") from None
        except BaseException:  # what is left in the stream would answer the next question
            stop()
            raise
        finally:
            timer.cancel()
    if values is None:
        raise ApartError(problem)
    return dict(values)


if __name__ == "__main__":
    serve()
