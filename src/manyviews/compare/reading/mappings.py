"""Mappings of strangers: YAML without aliases and JSON, of bounded size and depth."""

import json
from pathlib import Path
from typing import Any

import yaml

from manyviews.compare.reading.errors import wrong
from manyviews.compare.reading.opening import ending_of
from manyviews.compare.reading.tables import read_text

#: Bytes of such a file, and how deep its lists and mappings lie within each other.
_MOST, _DEPTH = 4 << 20, 12


class _Loader(yaml.SafeLoader):
    """Refuse aliases, depth and repeated keys; a key is the text that stands there."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            self.refuse("an alias is not read; write out what it stands for")
        self.depth += 1
        if self.depth > 2 * _DEPTH:
            self.refuse(f"more than {_DEPTH} lists and mappings lie within each other")
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        found = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self.refuse("a key is no text", key.start_mark)
            if key.value in found:
                self.refuse(f"the key {key.value!r} is there twice", key.start_mark)
            found[key.value] = self.construct_object(value, deep=deep)
        return found

    def refuse(self, why: str, mark: Any = None) -> None:
        """Raise the error of a place."""
        raise yaml.MarkedYAMLError(problem=why, problem_mark=mark or self.peek_event().start_mark)


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
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - a SafeLoader that refuses more
    except Exception as error:  # tags such as !!int raise whatever a wrong value leads to
        raise wrong(path, f"is no valid YAML ({error})", "correct that line") from None
