"""Mappings of strangers: YAML without aliases and JSON, of bounded size and depth."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from manyviews.compare.reading.errors import wrong
from manyviews.compare.reading.opening import ending_of
from manyviews.compare.reading.tables import read_text

#: Bytes of such a file.
_MOST = 4 << 20


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise ValueError(f"the key {twice!r} is there twice")
    return found


def read_mapping(path: Path, notes: list[str]) -> Any:
    """Return what a YAML or JSON file holds."""
    text = read_text(path, notes, _MOST)
    if ending_of(path) == "json":
        try:
            return json.loads(text, object_pairs_hook=_once)
        except (ValueError, RecursionError) as error:
            raise wrong(path, f"is no valid JSON ({error})", "correct that line") from None
    if find_spec("yaml") is None:
        raise wrong(path, "needs the package pyyaml", "pip install 'manyviews[compare]'")
    from manyviews.compare.reading.plain_yaml import load

    try:
        return load(text)
    except Exception as error:  # tags such as !!int raise whatever a wrong value leads to
        raise wrong(path, f"is no valid YAML ({error})", "correct that line") from None
