"""Files and folders as views, names of rows and classes; what is not said is guessed aloud."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer

from manyviews.compare.reading import guard, tables
from manyviews.compare.reading.guard import ending_of, listed, stem_of, wrong
from manyviews.compare.reading.join import Found, Given, Part
from manyviews.compare.reading.layouts import CLASS_NAMES, read_matrices
from manyviews.compare.reading.parsers import MATRICES, read_text
from manyviews.compare.reading.spec import Spec, ViewSpec

#: Files that explain data and are none.
_NO_DATA = ("md", "rst", "txt", "html", "pdf", "py", "ipynb", "json", "yaml", "yml", "license")
#: Groups of columns with a common beginning that still make views, and the share they must cover.
_MOST_GROUPS, _COVERED = 12, 0.6
#: Words kept at most, the most frequent first.
MAX_WORDS = 20_000
#: Share of file names two folders must share to be views of the same rows, not classes.
_SHARED = 0.5


def read_file(path: Path, spec: Spec, *, split: bool = False) -> Found:
    """Read a file without being told what is in it."""
    if ending_of(path) in tables.TABLES:
        return table_views(tables.read_table(path), stem_of(path).lower(), spec, split=split)
    found = read_matrices(path, spec)
    if len(found.parts) == 1:
        found.parts[0].name = stem_of(path).lower()
    return found


def read_view_file(path: Path, view: ViewSpec, spec: Spec) -> Found:
    """Read one view as a ``data.yaml`` describes it."""
    name = view.name or stem_of(path)
    if ending_of(path) in tables.TABLES and not path.is_dir():
        found = table_views(tables.read_table(path), name, spec, view=view)
        if len(found.parts) > 1:  # texts are views of their own
            return found
    else:
        found = texts_in(path) if path.is_dir() else read_matrices(path, spec, view)
    if len(found.parts) > 1:
        names = ", ".join(part.name for part in found.parts)
        mend = "name one of them with `array`, or one folder as a view"
        raise wrong(path, f"holds the views {names}", mend)
    kind = view.kind or found.parts[0].kind
    found.parts[0] = replace(found.parts[0], name=name, graph=view.graph, kind=kind)
    return found


def guessed(folder: Path, spec: Spec) -> list[Found]:
    """Read every file of a folder that looks like data, and say what each was taken for."""
    views: list[Path] = []
    first = Found()
    for path in (path for path in listed(folder) if not path.is_dir()):
        ending, stem = ending_of(path), stem_of(path).lower()
        if stem in CLASS_NAMES and ending in (*tables.TABLES, "mat", "npy", "npz"):
            spec.label_file = path.name
            first.notes.append(f"{path.name} is taken for the classes")
        elif ending in tables.TABLES or ending in MATRICES:
            views.append(path)
        elif ending not in _NO_DATA:
            first.notes.append(f"{path.name} is left out: its ending is not known")
    alone = len(views) == 1
    return [first, *([read_file(path, spec, split=alone) for path in views] or [texts_in(folder)])]


def table_views(
    table: tables.Table, name: str, spec: Spec, view: ViewSpec | None = None, *, split: bool = False
) -> Found:
    """Return the view of a table; columns of text are views of their own, ``<name>.<column>``.

    A table that is all there is (``split``) has groups of its columns for views.
    """
    view = view or ViewSpec()
    found = Found(notes=table.notes)
    id_column = spec.id or tables.guess_id(table)
    ids = None if id_column is None else table.column(id_column, "id")
    label = spec.label if spec.label in table.columns else None
    several = len(table.columns) - (id_column is not None) > 1
    if spec.label is None and spec.label_file is None and several:
        label = tables.guess_label(table)
        if label is not None:
            table.say(f"classes are column {label!r}")
    if id_column is not None and spec.id is None:
        table.say(f"rows are named by column {id_column!r}")
    if label is not None:
        found.labels.append(Given(table.columns[label], table.path.name, ids))
    left = {id_column, label, *spec.ignore, *view.ignore}
    names = [column for column in table.columns if column not in left]
    if view.columns is not None:
        if label in view.columns:
            what = f"column {label!r} is the class, so it cannot be a feature"
            raise wrong(table.path, what, f"take it out of `columns` in {spec.path.name}")
        picked = []
        for pattern in view.columns:  # it never takes in the class, the ids or what is ignored
            fits = [name for name in names if fnmatchcase(name, pattern)]
            picked += fits if re.search(r"[*?]", pattern) and fits else [pattern]
        names = list(dict.fromkeys(picked))
        for column in names:
            table.column(column, "columns")
    columns = [tables.column_of(table, column, view.kind) for column in names]
    for kind in ("too many different words to be categories", "no value"):
        if out := [column.name for column in columns if column.kind == kind]:
            shown = ", ".join(map(repr, out[:3])) + (", ..." if len(out) > 3 else "")
            table.say(f"column {shown} left out ({kind})")
            columns = [column for column in columns if column.kind != kind]
    if not columns:
        raise wrong(table.path, "has no column that can be a feature", "add numbers or texts")
    found.parts = [replace(part, ids=ids) for part in _views(table, name, columns, split)]
    return found


def _views(
    table: tables.Table, name: str, columns: Sequence[tables.Column], split: bool
) -> list[Part]:
    source = table.path.name
    others = [column for column in columns if column.kind != "text"]
    groups = (_groups(others) if split else {name: others}) if others else {}
    if split and len(groups) > 1:
        shown = ", ".join(f"{key} ({len(group)} columns)" for key, group in groups.items())
        table.say(f"views are groups of columns: {shown}")
    parts = [tables.view_of_columns(key, group, source) for key, group in groups.items()]
    for column in (column for column in columns if column.kind == "text"):
        own = name if len(columns) == 1 else f"{name}.{column.name}"
        own = column.name if split else own
        parts.append(counted(own, column.cells, source, f"column {column.name!r}"))
    return parts


def _groups(columns: Sequence[tables.Column]) -> dict[str, list[tables.Column]]:
    """Group columns by the beginning of their names, or by kind; one group if neither splits."""
    pattern = re.compile(r"[^ _.\-:/]+(?=[ _.\-:/])|[A-Za-z]+(?=\d+$)")
    start = {one.name: m[0] if (m := pattern.match(one.name)) else "" for one in columns}
    large = [key for key, count in Counter(start.values()).items() if key and count > 1]
    rest = [one for one in columns if start[one.name] not in large]
    if 2 <= len(large) <= _MOST_GROUPS and len(columns) - len(rest) >= _COVERED * len(columns):
        groups = {key: [one for one in columns if start[one.name] == key] for key in large}
        return groups | ({"others": rest} if rest else {})
    kinds = {k: [one for one in columns if one.kind == k] for k in ("numbers", "categories")}
    return kinds if all(len(group) > 1 for group in kinds.values()) else {"all": list(columns)}


def counted(name: str, texts: Sequence[str], source: str, place: str) -> Part:
    """Return how often each word occurs in each text; words of one text alone are left out.

    Counting looks at all rows and at no label, so nothing leaks from test rows but the words
    they use.
    """
    counter = CountVectorizer(min_df=2 if len(texts) >= 20 else 1, max_features=MAX_WORDS)
    try:
        matrix = counter.fit_transform(texts)
    except ValueError:
        what = f"{place} has no word that occurs in two texts"
        raise wrong(source, what, "give it texts, or leave it out") from None
    words = [str(word) for word in counter.get_feature_names_out()]
    return Part(name, sp.csr_matrix(matrix, dtype=float), words, source, kind="text")


def texts_in(folder: Path) -> Found:
    """Read texts: ``<folder>/*.txt``, a folder a class, or a folder a view with equal file names.

    A file's name, without its ending, names the row.
    """
    found = Found()

    def texts_of(place: Path) -> list[Path]:
        return [path for path in listed(place) if path.suffix == ".txt" and path.is_file()]

    def part_of(name: str, files: Sequence[Path]) -> Part:
        texts = [read_text(path, found.notes, guard.MOST_TEXT) for path in files]
        return replace(counted(name, texts, name, "the folder"), ids=[path.stem for path in files])

    groups = {path.name: texts_of(path) for path in listed(folder) if path.is_dir()}
    groups = {name: files for name, files in groups.items() if files}
    if own := texts_of(folder):
        found.parts.append(part_of(folder.name, own))
        return found
    if not groups:
        known = ", ".join(f".{ending}" for ending in (*tables.TABLES, *MATRICES))
        raise wrong(folder, "holds no file this code reads", f"put {known} or .txt files there")
    names, stems = ", ".join(groups), [{path.stem for path in files} for files in groups.values()]
    if len(stems) > 1 and len(set.intersection(*stems)) >= _SHARED * min(map(len, stems)):
        said = f"folders {names} of {folder.name} hold files of the same names: each is a view"
        found.parts = [part_of(name, files) for name, files in groups.items()]
    else:
        said = f"folders of {folder.name} are taken for classes: {names}"
        files = [path for group in groups.values() for path in group]
        ids = [f"{path.parent.name}/{path.stem}" for path in files]
        found.parts = [replace(part_of(folder.name, files), ids=ids)]
        found.labels = [Given([path.parent.name for path in files], folder.name, ids)]
    found.notes.insert(0, said)
    return found
