"""A folder without a ``data.yaml``: which files are views, which hold classes or their tree."""

from collections.abc import Sequence
from pathlib import Path

from manyviews.compare.reading.columns import few_words
from manyviews.compare.reading.errors import wrong
from manyviews.compare.reading.files import TABLES, load_table, table_views
from manyviews.compare.reading.foreign import MATRICES
from manyviews.compare.reading.layouts import CLASS_NAMES
from manyviews.compare.reading.matrices import REFUSED, read_matrices
from manyviews.compare.reading.opening import ending_of, listed, stem_of
from manyviews.compare.reading.parts import Found
from manyviews.compare.reading.spec import Spec
from manyviews.compare.reading.texts import is_text_folder, read_text_folder

ONTOLOGY_NAMES = ("ontology", "tree", "hierarchy", "parents", "taxonomy")
#: Files that explain data and are none.
_NO_DATA = ("md", "rst", "txt", "html", "pdf", "py", "ipynb", "json", "yaml", "yml", "license")


def guessed(folder: Path, spec: Spec, *, classes: bool = True) -> list[Found]:
    """Read every file of a folder that looks like data, and say what each was taken for.

    Parameters
    ----------
    folder
        The folder.
    spec
        What is said about it already.
    classes
        Whether a column of words may be taken for the classes; new rows have none.
    """
    views: list[Path] = []
    opening = Found()
    for path in listed(folder):
        if path.is_dir():
            continue
        ending, stem = ending_of(path), stem_of(path).lower()
        if stem in ONTOLOGY_NAMES and ending in (*TABLES, "json", "yaml", "yml"):
            spec.ontology = path.name
            opening.notes.append(f"{path.name} is taken for the tree of the classes")
        elif stem in CLASS_NAMES and ending in (*TABLES, "mat", "npy", "npz"):
            spec.label_file = path.name
            opening.notes.append(f"{path.name} is taken for the classes")
        elif ending in TABLES or ending in MATRICES:
            views.append(path)
        elif ending in REFUSED:
            raise wrong(path, "its format is not read", REFUSED[ending])
        elif ending not in _NO_DATA:
            opening.notes.append(f"{path.name} is left out: its ending is not known")
    if not views:
        if is_text_folder(folder):
            return [opening, read_text_folder(folder)]
        known = ", ".join(f".{ending}" for ending in (*TABLES, *MATRICES))
        raise wrong(folder, "holds no file this code reads", f"put {known} or .txt files there")
    return [opening, *read_views(views, spec, classes=classes)]


def read_views(paths: Sequence[Path], spec: Spec, *, classes: bool) -> list[Found]:
    """Read files as views; without a column called like classes, one of few words is taken."""
    alone = len(paths) == 1
    found = [read_any(path, spec, alone=alone) for path in paths]
    told = spec.label or spec.label_file or spec.task == "cluster"
    if not classes or told or any(one.labels for one in found):
        return found
    wordy = [
        (path, name)
        for path in paths if ending_of(path) in TABLES
        for name in few_words(load_table(path), spec)
    ]  # fmt: skip
    if len(wordy) != 1:
        return found
    path, spec.label = wordy[0]
    note = (
        f"{path.name}: classes are column {spec.label!r}, the only one with a few words; if it is "
        "a feature, write `task: cluster` or `labels` in a data.yaml"
    )
    return [Found(notes=[note]), *(read_any(each, spec, alone=alone) for each in paths)]


def read_any(path: Path, spec: Spec, *, alone: bool) -> Found:
    """Read a file without being told what is in it."""
    if ending_of(path) in TABLES:
        return table_views(load_table(path), stem_of(path).lower(), spec, split=alone)
    found = read_matrices(path, spec)
    if len(found.parts) == 1:
        found.parts[0].name = stem_of(path).lower()
    return found
