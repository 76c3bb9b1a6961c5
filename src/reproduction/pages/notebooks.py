"""Run a notebook and keep what its cells show."""

import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from jupyter_client.manager import KernelManager
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
    with TemporaryDirectory() as folder:
        # files in place of ports: pages are written side by side, also where there is no network
        files = {"connection_file": f"{folder}/kernel.json", "ip": f"{folder}/kernel"}
        kernel = KernelManager(kernel_name="python3", transport="ipc", **files)
        client = NotebookClient(notebook, km=kernel, resources=place, timeout=None)
        try:
            return client.execute(env={**os.environ, **environment})
        except CellExecutionError as error:
            text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))  # colours are for a terminal
            raise NotebookError(f"{path.name}: {text}") from None
        finally:
            kernel.shutdown_kernel(now=True)
