"""Results of single fits on disk, a file each: an interrupted comparison goes on from there."""

from __future__ import annotations

import base64
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text whole or not at all."""
    write_bytes(path, text.encode("utf-8"))


class Store:
    """Fits of one comparison, in a folder named after what they depend on.

    Parameters
    ----------
    folder
        Folder of all comparisons.
    digest
        Digest of data, task and version.
    """

    def __init__(self, folder: Path, digest: str) -> None:
        self.folder = folder / digest[:16]

    def _path(self, method: str, split: str) -> Path:
        return self.folder / re.sub(r"[^A-Za-z0-9_.-]", "_", method) / f"{split}.json"

    def read(self, method: str, split: str) -> dict[str, Any] | None:
        """Return a fit that was kept; None if there is none or its file is damaged."""
        try:
            record = json.loads(self._path(method, split).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return record if isinstance(record, dict) and record.get("method") == method else None

    def keep(self, record: dict[str, Any]) -> None:
        """Keep a fit."""
        text = json.dumps(record, sort_keys=True, default=_plain)
        write_text(self._path(record["method"], record["split"]), text)


def packed(answer: np.ndarray) -> Any:
    """Return an answer for JSON: numbers of classes as they are, coordinates as bytes."""
    if answer.dtype.kind in "iu":
        return answer.tolist()
    content = base64.b64encode(answer.astype("<f4").tobytes()).decode("ascii")
    return {"shape": list(answer.shape), "float32": content}


def unpacked(answer: Any) -> np.ndarray:
    """Return an answer that was packed."""
    if isinstance(answer, dict):
        content = np.frombuffer(base64.b64decode(answer["float32"]), dtype="<f4")
        return content.reshape(answer["shape"]).astype(float)
    return np.array(answer)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")
