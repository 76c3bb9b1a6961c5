"""What a ``data.yaml`` says: views, labels, ids, task. Every key is checked by name and form.

YAML of strangers has a bounded size, no aliases, no depth, no key twice.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from manyviews.compare.reading.guard import checked, inside, wrong
from manyviews.compare.reading.parsers import read_text

TASKS = ("classify", "few labels", "cluster", "retrieval")
VIEW_KEYS = ("file", "columns", "array", "transpose", "kind", "graph", "ignore")
LABEL_KEYS = ("file", "column")
KEYS = ("name", "views", "labels", "id", "task", "label_share", "clusters", "ignore", "transpose")


def _is_name(value: Any) -> bool:
    return isinstance(value, str | int | float)


def _are_names(value: Any) -> bool:
    return all(map(_is_name, value)) if isinstance(value, list) and value else _is_name(value)


#: Key -> what its value must be, and the mend if it is not.
_FORMS: dict[str, tuple[Callable[[Any], Any], str]] = {
    **dict.fromkeys(("name", "id", "array", "column"), (_is_name, "write one name")),
    **dict.fromkeys(("columns", "ignore"), (_are_names, "write [first, second]")),
    **dict.fromkeys(("graph", "transpose"),
                    (lambda value: isinstance(value, bool), "write true or false")),
    "clusters": (lambda value: isinstance(value, int) and value > 1,
                 "use a whole number from 2 on"),
    "file": (lambda value: isinstance(value, str), "write `file: words.csv`"),
    "views": (lambda value: isinstance(value, Mapping) and value, "write `words: words.csv`"),
    "labels": (lambda value: isinstance(value, str | Mapping), "write the name of a column"),
    "kind": (lambda value: value in ("text", "numbers", "categories"),
             "use text, numbers or categories"),
    "task": (lambda value: value in TASKS, f"use {', '.join(TASKS)}"),
    "label_share": (lambda value: isinstance(value, float | int) and 0 < value < 1,
                    "use a number between 0 and 1"),
}  # fmt: skip


@dataclass
class ViewSpec:
    """One view: its file, and which columns or array of it; what is None is guessed.

    ``array`` is ``X``, or ``X{2}`` for a cell; ``transpose``: it is kept as features by rows.
    """

    file: str = ""
    name: str | None = None
    columns: list[str] | None = None
    array: str | None = None
    transpose: bool | None = None
    kind: str | None = None
    graph: bool = False
    ignore: list[str] = field(default_factory=list)


@dataclass
class Spec:
    """What a user says about own data; what is left out is guessed."""

    path: Path
    name: str
    views: dict[str, ViewSpec] = field(default_factory=dict)
    label_file: str | None = None
    label: str | None = None
    id: str | None = None
    task: str | None = None
    label_share: float | None = None
    clusters: int | None = None
    transpose: bool | None = None
    ignore: list[str] = field(default_factory=list)


def _load_yaml(path: Path) -> Any:
    """Return what a YAML file holds; refuse aliases, depth and repeated keys."""
    import yaml

    class Loader(yaml.SafeLoader):
        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):  # aliases of aliases grow without end
                line = self.peek_event().start_mark.line + 1
                raise ValueError(f"line {line} has an alias: write out what it stands for")
            return super().compose_node(parent, index)

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            keys = [key.value for key, _ in node.value]  # a key is the text that stands there
            if len(set(keys)) < len(keys):
                raise ValueError(f"line {node.start_mark.line + 1}: a key is there twice")
            values = (self.construct_object(value, deep=deep) for _, value in node.value)
            return dict(zip(keys, values, strict=True))

    text = read_text(path, [], 4 << 20)
    try:
        return yaml.load(text, Loader=Loader)
    except Exception as error:  # depth, keys that are lists, and tags raise whatever they like
        raise wrong(path, f"is no valid YAML ({error})", "correct that line") from None


def _checked(path: Path, place: str, given: Any, known: tuple[str, ...]) -> dict[str, Any]:
    """Return a mapping whose keys are known and whose values have their form; blanks are left."""
    if not isinstance(given, Mapping):
        raise wrong(path, f"{place}must be a mapping", f"its keys are {', '.join(known)}")
    found = {}
    for key, value in given.items():
        if key not in known:
            raise wrong(path, f"{place}has the unknown key {key!r}", f"known: {', '.join(known)}")
        if value is None:
            continue
        fits, mend = _FORMS[key]
        if not fits(value):
            raise wrong(path, f"{place}{key} is {value!r}", mend)
        if fits is _are_names:
            value = [str(item) for item in (value if isinstance(value, list) else [value])]
        found[key] = str(value) if fits is _is_name else value
    return found


def read_spec(path: Path) -> Spec:
    """Read and check a ``data.yaml``."""
    given = _checked(path, "", _load_yaml(path), KEYS)
    views, labels = given.pop("views", {}), given.pop("labels", {})
    spec = Spec(path, given.pop("name", None) or path.resolve().parent.name, **given)
    for name, value in views.items():
        given_view = {"file": value} if isinstance(value, str) else value
        said = _checked(path, f"view {name!r}: ", given_view, VIEW_KEYS)
        if "file" not in said:
            raise wrong(path, f"view {name!r} names no file", "write `file: words.csv`")
        spec.views[name] = ViewSpec(name=name, **said)
    if isinstance(labels, str):
        file = os.path.isfile(inside(path.parent, labels, path))
        labels = {"file" if file else "column": labels}
    said = _checked(path, "labels: ", labels, LABEL_KEYS)
    spec.label_file, spec.label = said.get("file"), said.get("column")
    return spec


def file_of(spec: Spec, name: str) -> Path:
    """Return a file that a ``data.yaml`` names; it must be there."""
    path = inside(spec.path.parent, name, spec.path)
    if not os.path.exists(path):  # unlike Path's own, it bears names of any length
        raise wrong(spec.path, f"there is no file {name!r} beside it", "correct the name")
    return checked(path)
