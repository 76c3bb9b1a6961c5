"""Results of single fits on disk, a file each: an interrupted comparison goes on from there."""

import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; who may read it is for the user's umask to say."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name[:100]}.{os.getpid()}")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


class Store:
    """Fits of one comparison, in a folder named after a digest of what they depend on."""

    def __init__(self, folder: Path, digest: str) -> None:
        self.folder = folder / digest[:16]

    def _path(self, method: str, split: str) -> Path:
        """Return the file of a fit; keys hold names of views, so they are cut and told apart."""
        plain = re.sub(r"[^A-Za-z0-9_.-]", "_", method)[:60]
        if plain != method:
            plain += "~" + hashlib.sha256(method.encode()).hexdigest()[:8]
        return self.folder / plain / f"{split}.json"

    def read(self, method: str, split: str) -> dict[str, Any] | None:
        """Return a fit that was kept; None if there is none or its file is damaged."""
        try:
            record = json.loads(self._path(method, split).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return record if isinstance(record, dict) and record.get("method") == method else None

    def keep(self, record: dict[str, Any]) -> None:
        """Keep a fit."""
        text = json.dumps(record, sort_keys=True, default=lambda value: value.tolist())
        write_bytes(self._path(record["method"], record["split"]), text.encode("utf-8"))
