"""What a ``data.yaml`` says: views, labels, ids, task. Every key is checked by name."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from manyviews.compare.reading.errors import DataError, wrong
from manyviews.compare.reading.tables import decoded, read_bytes

TASKS = ("classify", "few labels", "cluster", "hierarchy", "retrieval", "stream")
_VIEW_KEYS = ("file", "columns", "array", "kind", "graph", "ignore")
_LABEL_KEYS = ("file", "column", "cuts")
_KEYS = ("name", "views", "labels", "id", "ontology", "task", "label_share", "clusters", "ignore")


@dataclass
class ViewSpec:
    """One view: its file, and which columns or array of it."""

    file: str
    columns: list[str] | None = None
    array: str | None = None
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
    cuts: int | None = None
    id: str | None = None
    ontology: str | None = None
    task: str | None = None
    label_share: float | None = None
    clusters: int | None = None
    ignore: list[str] = field(default_factory=list)


class _UniqueKeys(yaml.SafeLoader):
    """Refuse repeated keys, which YAML drops in silence."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            if key_node.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key_node.value!r} is there twice", key_node.start_mark
                )
            seen.add(key_node.value)
        return super().construct_mapping(node, deep)


def _check_keys(path: Path, place: str, given: Any, known: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise wrong(path, f"{place} must be a mapping", f"its keys are {', '.join(known)}")
    for key in given:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, n=1)
            mend = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
            raise wrong(path, f"{place} has the unknown key {key!r}", mend)
    return dict(given)


def _texts(path: Path, place: str, value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    if not values or not all(isinstance(item, str | int | float) for item in values):
        raise wrong(path, f"{place} must be a name or a list of names", "write [first, second]")
    return [str(item) for item in values]


def read_spec(path: Path) -> Spec:
    """Read and check a ``data.yaml``."""
    text = decoded(path, read_bytes(path), [])
    try:
        content = yaml.load(text, Loader=_UniqueKeys)
    except yaml.YAMLError as error:
        raise wrong(path, f"is no valid YAML ({error})", "correct that line") from None
    given = _check_keys(path, "data.yaml", content, _KEYS)
    spec = Spec(path, str(given.get("name") or path.resolve().parent.name))
    views = given.get("views")
    if views is not None:
        if not isinstance(views, Mapping) or not views:
            raise wrong(path, "views must map names to files", "write `words: words.csv`")
        spec.views = {str(name): _view(path, str(name), value) for name, value in views.items()}
    _labels(spec, given.get("labels"))
    spec.id = None if given.get("id") is None else str(given["id"])
    spec.ontology = None if given.get("ontology") is None else str(given["ontology"])
    if "ignore" in given:
        spec.ignore = _texts(path, "ignore", given["ignore"])
    _task(spec, given)
    return spec


def _view(path: Path, name: str, value: Any) -> ViewSpec:
    if isinstance(value, str):
        return ViewSpec(value)
    given = _check_keys(path, f"view {name!r}", value, _VIEW_KEYS)
    if not isinstance(given.get("file"), str):
        raise wrong(path, f"view {name!r} names no file", "write `file: words.csv`")
    kinds = ("text", "numbers", "categories", None)
    if given.get("kind") not in kinds:
        raise wrong(path, f"view {name!r} has the unknown kind {given['kind']!r}",
                    "use text, numbers or categories")  # fmt: skip
    if not isinstance(given.get("graph", False), bool):
        raise wrong(path, f"view {name!r}: graph must be true or false", "write `graph: true`")
    return ViewSpec(
        given["file"],
        columns=_texts(path, "columns", given["columns"]) if "columns" in given else None,
        array=None if given.get("array") is None else str(given["array"]),
        kind=given.get("kind"),
        graph=given.get("graph", False),
        ignore=_texts(path, "ignore", given["ignore"]) if "ignore" in given else [],
    )


def _labels(spec: Spec, value: Any) -> None:
    if value is None:
        return
    if isinstance(value, str):
        file = (spec.path.parent / value).is_file()
        spec.label_file, spec.label = (value, None) if file else (None, value)
        return
    given = _check_keys(spec.path, "labels", value, _LABEL_KEYS)
    spec.label_file = None if given.get("file") is None else str(given["file"])
    spec.label = None if given.get("column") is None else str(given["column"])
    cuts = given.get("cuts")
    if cuts is not None and (not isinstance(cuts, int) or isinstance(cuts, bool) or cuts < 2):
        raise wrong(spec.path, "labels.cuts must be a whole number from 2 on", "write `cuts: 3`")
    spec.cuts = cuts


def _task(spec: Spec, given: Mapping[str, Any]) -> None:
    task = given.get("task")
    if task is not None and task not in TASKS:
        raise wrong(spec.path, f"the task {task!r} is not known", f"use {', '.join(TASKS)}")
    spec.task = task
    share = given.get("label_share")
    if share is not None:
        if not isinstance(share, float | int) or not 0 < share < 1:
            raise wrong(spec.path, f"label_share is {share!r}", "use a number between 0 and 1")
        spec.label_share = float(share)
    clusters = given.get("clusters")
    if clusters is not None:
        if not isinstance(clusters, int) or clusters < 2:
            raise wrong(spec.path, f"clusters is {clusters!r}", "use a whole number from 2 on")
        spec.clusters = clusters


def file_of(spec: Spec, name: str) -> Path:
    """Return a file that a ``data.yaml`` names; it must be there."""
    path = spec.path.parent / name
    if not path.exists():
        near = difflib.get_close_matches(name, [p.name for p in spec.path.parent.iterdir()], n=1)
        mend = f"did you mean {near[0]!r}?" if near else "correct the name"
        raise DataError(f"{spec.path.name}: there is no file {name!r} beside it; {mend}")
    return path
