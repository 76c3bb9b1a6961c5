"""One file as views, names of rows and classes; what is not said is guessed aloud."""

import operator
import re
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np

from manyviews.compare.reading.columns import (
    Column,
    column_of,
    guess_id,
    guess_label,
    ids_of,
    view_of_columns,
)
from manyviews.compare.reading.errors import wrong
from manyviews.compare.reading.foreign import COLUMNS
from manyviews.compare.reading.matrices import read_matrices
from manyviews.compare.reading.opening import ending_of, stem_of
from manyviews.compare.reading.parts import Found, Given, Part
from manyviews.compare.reading.spec import Spec, ViewSpec
from manyviews.compare.reading.tables import Table, read_columns, read_table
from manyviews.compare.reading.texts import counted, read_text_folder

TABLES = ("csv", "tsv", "tab", *COLUMNS)
#: Groups of columns with a common beginning that still make views.
_MOST_GROUPS = 12
#: Share of the columns that such groups must cover.
_COVERED = 0.6


def load_table(path: Path) -> Table:
    """Read a table by its ending."""
    return read_columns(path) if ending_of(path) in COLUMNS else read_table(path)


def read_view_file(path: Path, view: ViewSpec, spec: Spec) -> Found:
    """Read one view as a ``data.yaml`` describes it."""
    name = view.name or stem_of(path)
    if path.is_dir():
        found = read_text_folder(path)
        if len(found.parts) > 1:
            raise wrong(path, "holds several views", "name each of its folders as a view")
    elif ending_of(path) in TABLES:
        found = table_views(load_table(path), name, spec, view=view)
    elif ending_of(path) == "txt":
        raise wrong(path, "is one text", "name the folder that holds the texts")
    else:
        found = read_matrices(path, spec, view)
        if len(found.parts) > 1:
            names = ", ".join(part.name for part in found.parts)
            raise wrong(path, f"holds the matrices {names}", "name one of them with `array`")
    if len(found.parts) == 1:
        found.parts[0] = replace(
            found.parts[0], name=name, graph=view.graph, kind=view.kind or found.parts[0].kind
        )
    return found


def table_views(
    table: Table, name: str, spec: Spec, view: ViewSpec | None = None, *, split: bool = False
) -> Found:
    """Return the views of a table; ``split`` looks for groups of columns.

    Parameters
    ----------
    table
        The table.
    name
        Name of its view; texts become views of their own, ``<name>.<column>``.
    spec
        What is said about ids, labels and columns to ignore.
    view
        What is said about this view.
    split
        Whether the table is all there is, so that groups of its columns are the views.
    """
    found = Found(notes=table.notes)
    id_column = spec.id or guess_id(table)
    ids = None if id_column is None else ids_of(table, id_column)
    label = spec.label if spec.label in table.columns else None
    if label is None and spec.label is None and spec.label_file is None:
        label = guess_label(table)
        if label is not None and len(table.columns) - (id_column is not None) > 1:
            found.notes.append(f"{table.path.name}: classes are column {label!r}")
        else:
            label = None
    if id_column is not None and spec.id is None:
        found.notes.append(f"{table.path.name}: rows are named by column {id_column!r}")
    if label is not None:
        found.labels.append(Given(table.column(label), table.path.name, ids))
    left = {id_column, label, *spec.ignore, *(view.ignore if view else ())}
    names = [column for column in table.columns if column not in left]
    if view is not None and view.columns is not None:
        names = _picked(table, view.columns, spec, left, label)
    columns = _columns(table, names, view.kind if view else None, found.notes)
    found.parts.extend(_views(table, name, columns, split, found.notes))
    if not found.parts:
        raise wrong(table.path, "has no column that can be a feature", "add numbers or texts")
    for part in found.parts:
        part.ids = ids
    return found


def _picked(
    table: Table, patterns: Sequence[str], spec: Spec, left: set[str | None], label: str | None
) -> list[str]:
    """Return the columns that names or patterns such as ``size_*`` ask for.

    A pattern never takes in the class, the ids or what is to be ignored.
    """
    names: list[str] = []
    for pattern in patterns:
        if pattern == label:
            raise wrong(
                table.path, f"column {pattern!r} is the class, so it cannot be a feature",
                f"take it out of `columns` in {spec.path.name}",
            )  # fmt: skip
        match = [
            name
            for name in table.columns
            if name == pattern
            or (re.search(r"[*?]", pattern) and name not in left and fnmatchcase(name, pattern))
        ]
        if not match:
            raise wrong(
                table.path, f"has no column {pattern!r}; it has {', '.join(table.columns[:6])}",
                f"correct `columns` in {spec.path.name}",
            )  # fmt: skip
        names.extend(name for name in match if name not in names)
    return names


def _columns(
    table: Table, names: Sequence[str], kind: str | None, notes: list[str]
) -> list[Column]:
    """Return the usable columns with their kinds."""
    values = _all_numbers(table, names) if kind is None else None
    if values is not None:
        return [Column(name, "numbers", [], values[i]) for i, name in enumerate(names)]
    columns = [column_of(table, name, kind) for name in names]
    for what, why in (
        ("names", "too many different words to be categories"),
        ("blank", "no value"),
    ):
        out = [column.name for column in columns if column.kind == what]
        if out:
            shown = ", ".join(map(repr, out[:3])) + (", ..." if len(out) > 3 else "")
            notes.append(f"{table.path.name}: column {shown} left out ({why})")
    return [column for column in columns if column.kind not in ("names", "blank")]


def _all_numbers(table: Table, names: Sequence[str]) -> np.ndarray | None:
    """Return columns that hold nothing but numbers, fast for a million of them; else None."""
    place = {name: i for i, name in enumerate(table.columns)}
    if not names:
        return None
    only = place[names[0]]
    pick = operator.itemgetter(*(place[name] for name in names)) if len(names) > 1 else None
    values = np.empty((len(table.rows), len(names)))
    try:
        for i, row in enumerate(table.rows):
            values[i] = np.fromiter(map(float, pick(row)), float) if pick else float(row[only])
    except ValueError:
        return None
    return np.ascontiguousarray(values.T) if np.isfinite(values).all() else None


def _views(
    table: Table, name: str, columns: Sequence[Column], split: bool, notes: list[str]
) -> list[Part]:
    source = table.path.name
    texts = [column for column in columns if column.kind == "text"]
    others = [column for column in columns if column.kind != "text"]
    alone = split or len(columns) == 1
    parts = [
        counted(column.name if split else name if alone else f"{name}.{column.name}",
                column.cells, source, f"column {column.name!r}")
        for column in texts
    ]  # fmt: skip
    groups = _groups(others) if split and others else {name: others}
    if split and len(groups) > 1:
        shown = ", ".join(f"{key} ({len(group)} columns)" for key, group in groups.items())
        notes.append(f"{source}: views are groups of columns: {shown}")
    made = (view_of_columns(key, group, source) for key, group in groups.items())
    return [part for part in made if part is not None] + parts


def _groups(columns: Sequence[Column]) -> dict[str, list[Column]]:
    """Group columns by the beginning of their names, or by kind; one group if neither splits."""
    groups: dict[str, list[Column]] = {}
    for column in columns:
        start = re.match(r"[^ _.\-:/]+(?=[ _.\-:/])|[A-Za-z]+(?=\d+$)", column.name)
        groups.setdefault(start.group() if start else "", []).append(column)
    large = {key: group for key, group in groups.items() if key and len(group) > 1}
    if 2 <= len(large) <= _MOST_GROUPS:
        covered = sum(map(len, large.values()))
        if covered >= _COVERED * len(columns):
            grouped = {id(column) for group in large.values() for column in group}
            rest = [column for column in columns if id(column) not in grouped]
            return large | ({"others": rest} if rest else {})
    kinds = {k: [one for one in columns if one.kind == k] for k in ("numbers", "categories")}
    return kinds if all(len(group) > 1 for group in kinds.values()) else {"all": list(columns)}
