"""Run a notebook and keep what its cells show."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


class NotebookError(RuntimeError):
    """A cell failed; the text names the notebook and shows the cell with its traceback."""


def run_notebook(path: Path, environment: dict[str, str]) -> Any:
    """Return a notebook with the outputs of its cells.

    Its cells run in its folder and find ``environment`` beside the variables of this process; the
    first that fails raises a :class:`NotebookError`.
    """
    notebook = nbformat.read(path, as_version=4)
    place = {"metadata": {"path": str(path.resolve().parent)}}
    client = NotebookClient(notebook, kernel_name="python3", resources=place, timeout=None)
    try:
        return client.execute(env={**os.environ, **environment})
    except CellExecutionError as error:
        text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))  # colours are for a terminal
        raise NotebookError(f"{path.name}: {text}") from None
