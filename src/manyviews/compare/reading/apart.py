"""Call a parser of foreign files outside of this process.

Parsers written in C crash on damaged files and allocate what a header announces. They run in a
process of their own with limits of memory and time: when it dies, the file is refused by name and
this process goes on. It has the rights of this process, so it guards against damage and greed.
"""

import bz2
import contextlib
import gzip
import importlib
import io
import lzma
import os
import pickle
import re
import time
from functools import cache
from typing import Any

import numpy as np
import scipy.sparse as sp
from joblib.externals.loky import ProcessPoolExecutor
from joblib.externals.loky.process_executor import BrokenProcessPool

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
    _limit("RLIMIT_CPU", int(time.process_time()) + CPU_SECONDS)
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


def _limit(name: str, most: int) -> None:
    """Set a limit of this process, where the system has such limits."""
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        kind = getattr(resource, name)
        resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


def _begin() -> None:
    """Prepare the process apart: it prints nothing and has its limits."""
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    _limit("RLIMIT_AS", MEMORY)
    _limit("RLIMIT_CORE", 0)


@cache
def _apart(pid: int) -> Any:
    """Return the process apart of this process: a copy of this one starts its own."""
    more = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    more["PYTHONSAFEPATH"] = "1"  # a module beside somebody's data must not be imported
    return ProcessPoolExecutor(1, initializer=_begin, env=more)


def stop() -> None:
    """End the process apart; the next call starts another."""
    _apart(os.getpid()).shutdown(kill_workers=True)
    _apart.cache_clear()


def call(
    parser: str, content: bytes, *, packing: str = "", most: int = MOST_BYTES
) -> dict[str, Any]:
    """Call ``"module:function"``, of a file's bytes, in the process apart; return what it finds.

    That is :func:`plain` values by name. ``packing`` (``gz``, ``bz2``, ``xz``) is undone first, to
    at most so many bytes. A file that is damaged, too large or crashes its parser is an ApartError.
    """
    try:
        asked = _apart(os.getpid()).submit(_answer, parser, content, packing, most)
        values, problem = pickle.loads(asked.result(timeout=SECONDS))
    except TimeoutError:
        stop()
        raise ApartError(f"reading it took more than {SECONDS:g} seconds") from None
    except BrokenProcessPool as error:
        stop()
        death = ", ".join(re.findall(r"SIG\w+|EXIT\S+", str(error)))
        raise ApartError(f"it crashes its reader: {death}") from None
    except BaseException:  # who was interrupted does not wait for the answer
        stop()
        raise
    if values is None:
        raise ApartError(problem)
    return dict(values)
