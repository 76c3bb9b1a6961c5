"""Run pytest in a process that has the heavy libraries already and a project of its own."""

from __future__ import annotations

import multiprocessing
import os
import sys
from pathlib import Path

#: Imported once, before any fault: half of the time a short test takes.
HEAVY = (
    "numpy", "scipy.stats", "scipy.sparse.linalg", "sklearn.base", "sklearn.cluster",
    "sklearn.metrics", "numba", "pandas", "pydantic", "pytest", "hypothesis", "yaml", "requests",
    "matplotlib.figure",
)  # fmt: skip


def context() -> multiprocessing.context.ForkServerContext:
    """Return where processes come from: a server that has imported the heavy libraries."""
    # threads of numerical libraries do not survive a fork
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", PYTHONHASHSEED="0")
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload([*HEAVY, "inside"])
    return server


def run_pytest(root: str, words: list[str], compiled: str, said: str) -> None:
    """Run pytest on the project below ``root``; its answer is the exit code.

    Parameters
    ----------
    root
        A copy of the project; its sources take the place of those imported so far.
    words
        Arguments of pytest.
    compiled
        Folder of compiled kernels.
    said
        File for everything pytest prints.
    """
    handle = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    os.chdir(root)
    sources = str(Path(root) / "src")
    os.environ.update(
        PYTHONPATH=sources, PYTHONPYCACHEPREFIX=f"{root}/.bytecode", NUMBA_CACHE_DIR=compiled
    )
    for name in [
        name for name in sys.modules if name.split(".")[0] in ("manyviews", "reproduction")
    ]:
        del sys.modules[name]
    sys.path.insert(0, sources)
    sys.pycache_prefix = f"{root}/.bytecode"
    import numba.core.config
    import pytest

    numba.core.config.CACHE_DIR = compiled
    code = pytest.main(["-q", "-x", "-p", "no:cacheprovider", *words])
    sys.stdout.flush()
    os._exit(int(code))
