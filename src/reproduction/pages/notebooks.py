"""Run a notebook without a kernel, and keep what its cells show.

A kernel is a second process that imports everything anew and talks through sockets: three seconds
a page. A fork of this process has the imports, and what a notebook does stays in the fork.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import patch


class NotebookError(RuntimeError):
    """A cell failed; the text names the notebook and the cell, and shows its traceback."""


class _Printed(io.TextIOBase):
    """Standard output that joins what is shown, in its order."""

    def __init__(self, shown: list[dict[str, Any]]) -> None:
        self.shown = shown

    def write(self, text: str) -> int:
        if self.shown and "text" in self.shown[-1]:
            self.shown[-1]["text"] += text
        elif text:
            self.shown.append({"text": text})
        return len(text)


def _run_cell(shell: Any, source: str) -> list[Any]:
    """Run one cell and return its outputs as a notebook keeps them."""
    import nbformat
    from IPython.core.displayhook import CapturingDisplayHook
    from IPython.core.displaypub import CapturingDisplayPublisher

    publisher = CapturingDisplayPublisher()
    shown = publisher.outputs
    hook = CapturingDisplayHook(shell=shell, outputs=shown)
    printed: Any = _Printed(shown)
    with (
        patch.object(shell, "display_pub", publisher),
        patch.object(sys, "displayhook", hook),
        patch.object(shell, "showtraceback", lambda *_, **__: None),  # raised below
        contextlib.redirect_stdout(printed),
    ):
        shell.run_cell(source).raise_error()
    new = nbformat.v4.new_output
    return [
        new("stream", name="stdout", text=part["text"])
        if "text" in part
        else new("display_data", data=part["data"], metadata=part["metadata"])
        for part in shown
    ]


def _run(path: Path, environment: dict[str, str]) -> Any:
    """Run all cells of a notebook, in its own folder, in this process."""
    import nbformat
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    notebook = nbformat.read(path, as_version=4)
    with (
        tempfile.TemporaryDirectory() as own,
        patch.dict(os.environ, environment),
        contextlib.chdir(path.resolve().parent),
    ):
        settings = Config({"HistoryManager": {"enabled": False}})
        shell = InteractiveShell(config=settings, ipython_dir=own)
        InteractiveShell._instance = shell  # what display() asks for
        for number, cell in enumerate(notebook.cells, start=1):
            if cell.cell_type == "code":
                try:
                    cell.outputs = _run_cell(shell, cell.source)
                except BaseException as error:
                    raise NotebookError(f"{path.name}, cell {number}: {error!r}") from error
    return notebook


def run_notebook(path: Path, environment: dict[str, str]) -> Any:
    """Return a notebook with the outputs of its cells.

    Parameters
    ----------
    path
        The notebook; its cells run in its folder.
    environment
        Variables that its cells find, beside those of this process.

    Raises
    ------
    NotebookError
        At the first cell that fails.
    """
    way = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(way)) as apart:
        return apart.submit(_run, path, environment).result()
