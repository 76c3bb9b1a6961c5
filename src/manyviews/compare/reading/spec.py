"""What a ``data.yaml`` says: views, labels, ids, task. Every key is checked by name."""

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from manyviews.compare.reading.errors import wrong
from manyviews.compare.reading.mappings import read_mapping
from manyviews.compare.reading.opening import checked, inside

TASKS = ("classify", "few labels", "cluster", "hierarchy", "retrieval", "stream")
_VIEW_KEYS = ("file", "columns", "array", "transpose", "kind", "graph", "ignore")
_LABEL_KEYS = ("file", "column", "cuts")
_KEYS = ("name", "views", "labels", "id", "ontology", "task", "label_share", "clusters", "ignore",
         "transpose")  # fmt: skip


@dataclass
class Ask:
    """What is said about the arrays of a file; what is None is guessed.

    Attributes
    ----------
    array
        The only view: ``X``, or ``X{2}`` for a cell.
    name
        Name of that view.
    transpose
        Whether it is kept as features by rows.
    label, id
        Arrays of classes and of row names.
    """

    array: str | None = None
    name: str | None = None
    transpose: bool | None = None
    label: str | None = None
    id: str | None = None


@dataclass
class ViewSpec:
    """One view: its file, and which columns or array of it."""

    file: str
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
    cuts: int | None = None
    id: str | None = None
    ontology: str | None = None
    task: str | None = None
    label_share: float | None = None
    clusters: int | None = None
    transpose: bool | None = None
    ignore: list[str] = field(default_factory=list)

    def ask(self, view: ViewSpec | None = None, name: str | None = None) -> Ask:
        """Return what is said about the arrays of a file."""
        turn = self.transpose if view is None or view.transpose is None else view.transpose
        return Ask(view.array if view else None, name, turn, self.label, self.id)


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
    given = _check_keys(path, "data.yaml", read_mapping(path, []), _KEYS)
    spec = Spec(path, str(given.get("name") or path.resolve().parent.name))
    views = given.get("views")
    if views is not None:
        if not isinstance(views, Mapping) or not views:
            raise wrong(path, "views must map names to files", "write `words: words.csv`")
        spec.views = {name: _view(path, name, value) for name, value in views.items()}
    _labels(spec, given.get("labels"))
    spec.id = None if given.get("id") is None else str(given["id"])
    spec.ontology = None if given.get("ontology") is None else str(given["ontology"])
    if "ignore" in given:
        spec.ignore = _texts(path, "ignore", given["ignore"])
    _truth(path, "", "transpose", given)
    spec.transpose = given.get("transpose")
    _task(spec, given)
    return spec


def _truth(path: Path, place: str, key: str, given: Mapping[str, Any]) -> None:
    if not isinstance(given.get(key, False), bool):
        raise wrong(path, f"{place}{key} must be true or false", f"write `{key}: true`")


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
    for key in ("graph", "transpose"):
        _truth(path, f"view {name!r}: ", key, given)
    return ViewSpec(
        given["file"],
        columns=_texts(path, "columns", given["columns"]) if "columns" in given else None,
        array=None if given.get("array") is None else str(given["array"]),
        transpose=given.get("transpose"),
        kind=given.get("kind"),
        graph=given.get("graph", False),
        ignore=_texts(path, "ignore", given["ignore"]) if "ignore" in given else [],
    )


def _labels(spec: Spec, value: Any) -> None:
    if value is None:
        return
    if isinstance(value, str):
        file = os.path.isfile(inside(spec.path.parent, value, spec.path))
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
    path = inside(spec.path.parent, name, spec.path)
    if not os.path.exists(path):  # unlike Path's own, it bears names of any length
        near = difflib.get_close_matches(name, [p.name for p in spec.path.parent.iterdir()], n=1)
        mend = f"did you mean {near[0]!r}?" if near else "correct the name"
        raise wrong(spec.path, f"there is no file {name!r} beside it", mend)
    checked(path)
    return path
