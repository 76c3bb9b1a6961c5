"""Mappings of strangers: YAML without aliases and JSON, of bounded size; the tree of classes."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from manyviews.compare.reading.errors import wrong
from manyviews.compare.reading.opening import ending_of
from manyviews.compare.reading.tables import read_table, read_text

#: Bytes of such a file.
_MOST = 4 << 20
#: Class -> parents.
Tree = dict[str, tuple[str, ...]]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is there twice")
    return dict(pairs)


def read_mapping(path: Path, notes: list[str]) -> Any:
    """Return what a YAML or JSON file holds."""
    text = read_text(path, notes, _MOST)
    kind = "JSON" if ending_of(path) == "json" else "YAML"
    if kind == "YAML" and find_spec("yaml") is None:
        raise wrong(path, "needs the package pyyaml", "pip install 'manyviews[compare]'")
    try:
        if kind == "JSON":
            return json.loads(text, object_pairs_hook=_once)
        from manyviews.compare.reading.plain_yaml import load

        return load(text)
    except Exception as error:  # tags such as !!int raise whatever a wrong value leads to
        raise wrong(path, f"is no valid {kind} ({error})", "correct that line") from None


def read_ontology(path: Path) -> tuple[Tree, list[str]]:
    """Return label -> parents for every node of a tree of classes, and what was mended."""
    notes: list[str] = []
    if ending_of(path) in ("csv", "tsv"):
        table = read_table(path)
        notes.extend(table.notes)
        if len(table.columns) < 2:
            raise wrong(path, "has one column", "write a column of children and one of parents")
        pairs = [(row[0], row[1]) for row in table.rows]
        if [name.lower() for name in table.columns[:2]] == ["parent", "child"]:
            pairs = [(child, parent) for parent, child in pairs]
    elif ending_of(path) in ("yaml", "yml", "json"):
        pairs = _pairs(path, read_mapping(path, notes))
    else:
        raise wrong(path, "is no tree this code reads", "write child,parent lines as CSV")
    tree: dict[str, list[str]] = {}
    for child, parent in pairs:
        if not child:
            raise wrong(path, "has a line without a child", "name it or remove the line")
        tree.setdefault(child, [])
        if parent:
            tree.setdefault(parent, [])
            tree[child].append(parent)
    found = {node: tuple(dict.fromkeys(parents)) for node, parents in tree.items()}
    _check_circle(path, found)
    return found, notes


def _pairs(path: Path, content: Any) -> list[tuple[str, str]]:
    if not isinstance(content, dict):
        raise wrong(path, "holds no mapping", "write `child: parent` lines")
    pairs = []
    for child, parents in content.items():
        for parent in parents if isinstance(parents, list) else [parents]:
            if isinstance(parent, list | dict):
                raise wrong(path, f"the parent of {child!r} is no name", "write `child: parent`")
            pairs.append((child, "" if parent is None else str(parent)))
    return pairs


def _check_circle(path: Path, tree: Tree) -> None:
    left = {node: set(parents) for node, parents in tree.items()}
    while left:
        free = [node for node, parents in left.items() if not parents & left.keys()]
        if not free:
            what = f"the tree has a circle through {min(left)!r}"
            raise wrong(path, what, "remove one of its lines")
        for node in free:
            del left[node]
