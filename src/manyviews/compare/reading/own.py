"""Own data, ready for the comparison: from a ``data.yaml``, a folder or one file."""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.compare.reading import guard, join, tables
from manyviews.compare.reading.files import guessed, read_file, read_view_file
from manyviews.compare.reading.layouts import only_labels
from manyviews.compare.reading.spec import Spec, file_of, read_spec
from manyviews.views import Views

#: Rows below which no comparison makes sense, and rows that a class or a cluster needs.
FEWEST_ROWS, FEWEST = 20, 5
#: Distinct numbers from which a column looks like a measurement.
_MEASURED = 20


@dataclass
class OwnData:
    """Rows seen through several views, some of them labelled.

    A view has a kind (``text``, ``counts``, ``numbers``, ``categories``), may be a graph (its
    columns are the rows themselves), and names its columns. ``codes`` are class numbers, -1 for
    unlabelled rows; ``notes`` say what was guessed and mended; ``task``, ``label_share`` and
    ``clusters`` are what the user asks for.
    """

    name: str
    views: Views
    kinds: list[str]
    graphs: list[bool]
    codes: np.ndarray
    classes: list[str]
    columns: list[list[str]]
    notes: list[str] = field(default_factory=list)
    task: str | None = None
    label_share: float | None = None
    clusters: int | None = None

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def ids(self) -> list[str]:
        """Names of the rows."""
        return [str(key) for key in self.views.ids] if self.views.ids is not None else []


def read_own(path: str | Path, ignore: Sequence[str] = ()) -> OwnData:
    """Read a ``data.yaml``, a folder, or one table or file of matrices.

    What no ``data.yaml`` says is guessed. What cannot be used is a DataError: one line that names
    file, place and mend.
    """
    read = read_files(path, ignore)
    spec, notes = read.spec, read.notes
    if len(read) < FEWEST_ROWS:
        what = f"{len(read)} rows are too few"
        raise guard.wrong(read.parts[0].source, what, f"{FEWEST_ROWS} are needed")
    most = len(read) // FEWEST
    if spec.clusters is not None and spec.clusters > most:
        what = f"clusters is {spec.clusters} for {len(read)} rows"
        raise guard.wrong(spec.path, what, f"ask for {most} at most")
    codes, classes = np.full(len(read), -1), list[str]()
    if read.labels is not None:
        codes, classes = coded(read.labels, read.label_source, spec, notes)
    elif spec.task is None:
        mend = "if a column or array holds them, name it under `labels` in a data.yaml"
        notes.append(f"nothing is called like classes; {mend}")
    below = [repr(part.name) for part in read.parts if lowest(part.matrix) < 0]
    if below:
        scaled = "methods for counts get their columns scaled to 0..1"
        notes.append(f"negative values in {', '.join(below)}: {scaled}")
    return OwnData(
        name=guard.safe_label(spec.name, 80),
        views=read.views,
        kinds=[part.kind for part in read.parts],
        graphs=[part.graph for part in read.parts],
        codes=codes,
        classes=classes,
        columns=[part.columns for part in read.parts],
        notes=[guard.printable(note) for note in notes],
        task=spec.task,
        label_share=spec.label_share,
        clusters=spec.clusters,
    )


@dataclass
class FilesRead:
    """Rows of all files side by side, and what was said; a row without a label has an empty one."""

    spec: Spec
    parts: list[join.Part]
    views: Views
    labels: list[str] | None
    label_source: str
    notes: list[str]

    def __len__(self) -> int:
        return len(self.views)


def read_files(path: str | Path, ignore: Sequence[str] = (), label: str | None = None) -> FilesRead:
    """Read views, row names and classes as files have them; ``label`` names the classes."""
    path = Path(path)
    if not os.path.exists(path):  # unlike Path's own, it bears names of any length
        raise guard.wrong(path, "there is no such file or folder", "check the path")
    path = path.resolve()  # a link that the user names is meant; one in somebody's folder is not
    folder = path if path.is_dir() else path.parent
    if path.is_dir() and (path / "data.yaml").is_file():
        path = path / "data.yaml"
    described = path.suffix.lower() in (".yaml", ".yml")
    if described:
        spec = read_spec(path)
    else:
        spec = Spec(folder / "data.yaml", path.name if path.is_dir() else guard.stem_of(path))
    spec = replace(spec, label=label or spec.label, ignore=[*spec.ignore, *ignore])
    if spec.views:
        views = spec.views.values()
        found = [read_view_file(file_of(spec, view.file), view, spec) for view in views]
    elif path.is_dir() or described:
        found = guessed(folder, spec)
    else:
        found = [read_file(path, spec, split=True)]
    return joined_files(spec, found)


def joined_files(spec: Spec, found: Sequence[join.Found]) -> FilesRead:
    """Join what the files gave."""
    notes = list(dict.fromkeys(note for one in found for note in one.notes))
    parts = [part for one in found for part in one.parts]
    given = [label for one in found for label in one.labels]
    if spec.label_file is not None:
        given = [_label_file(spec, notes)]
    elif spec.label is not None and not given:
        what = f"no file has the column {spec.label!r} of classes"
        raise guard.wrong(spec.path, what, "correct `labels`")
    join.checked_names(parts, given)
    ids = join.row_names(parts, notes)
    parts = [join.as_graph(part, ids, notes) for part in parts]
    labels, source = join.labels_of(given, ids, notes), given[0].source if given else ""
    labels = None if labels is None else guard.encodable(labels)
    return FilesRead(spec, parts, join.joined(parts, ids, notes), labels, source, notes)


def _label_file(spec: Spec, notes: list[str]) -> join.Given:
    """Read a file of classes: a column beside an id, or the only column."""
    path = file_of(spec, spec.label_file or "")
    if guard.ending_of(path) in ("mat", "npz", "npy"):
        return only_labels(path, spec.label)
    if guard.ending_of(path) not in tables.TABLES:
        raise guard.wrong(path, "holds no classes", "name a table with a column of classes")
    table = tables.read_table(path)
    notes.extend(table.notes)
    identity = spec.id if spec.id in table.columns else tables.guess_id(table)
    rest = [name for name in table.columns if name != identity] or list(table.columns)
    usual = [name for name in rest if name.lower() in tables.LABEL_NAMES]
    label = spec.label or (usual or rest)[0]
    if len(rest) > 1 and not usual and not spec.label:
        notes.append(f"{path.name}: classes are column {label!r}")
    ids = None if identity is None else table.columns[identity]
    return join.Given(table.column(label, "labels.column"), path.name, ids)


def lowest(matrix: Any) -> float:
    """Return the least value, 0 where there is none."""
    values = matrix.data if sp.issparse(matrix) else np.asarray(matrix)
    return float(np.nanmin(values)) if values.size else 0.0


def coded(
    labels: Sequence[str], source: str, spec: Spec, notes: list[str]
) -> tuple[np.ndarray, list[str]]:
    """Return class numbers, -1 where unlabelled, and the names of the classes.

    Blanks are unlabelled, measurements refused, classes of few rows left out. A column that was
    only guessed may turn out to hold no class.
    """
    texts = ["" if tables.is_blank(label) else label for label in labels]
    if not any(texts):
        if spec.label is not None or spec.label_file is not None:
            what = f"the column of classes is blank in all {len(texts)} rows"
            raise guard.wrong(source, what, "fill some of it, or leave `labels` out to cluster")
        notes.append(f"{source}: the column of classes is blank; the rows are clustered")
        return np.full(len(labels), -1), []
    sizes = Counter(label for label in texts if label)
    total, numbers = sizes.total(), tables.as_numbers(list(sizes))
    small = sorted(label for label, size in sizes.items() if size < FEWEST)
    measured = numbers is not None and len(sizes) > max(_MEASURED, 0.2 * total)
    if measured or len(sizes) - len(small) < 2 or (numbers is None and len(sizes) > 0.5 * total):
        what = f"{total} labelled rows have {len(sizes)} values, such as {next(iter(sizes))!r}, "
        what += f"{len(sizes) - len(small)} of them in {FEWEST} rows or more: these are no classes"
        mend = "name a column of classes under `labels` in a data.yaml, or write `task: cluster`"
        raise guard.wrong(source, what, mend)
    if small:
        notes.append(
            f"{source}: {len(small)} classes with fewer than {FEWEST} rows are treated as "
            f"unlabelled ({', '.join(map(repr, small[:3]))}{', ...' if len(small) > 3 else ''})"
        )
    classes = sorted(sizes.keys() - small)
    numbers = tables.as_numbers(classes)
    if numbers is not None:
        classes = [classes[i] for i in np.argsort(numbers, kind="stable")]
    place = {label: i for i, label in enumerate(classes)}
    codes = np.array([place.get(label, -1) for label in texts], dtype=np.int64)
    labelled, share = int((codes >= 0).sum()), spec.label_share
    if share is not None and labelled * (1 - share) < len(classes):
        what = f"label_share {share} leaves fewer than {len(classes)} rows of {labelled} to predict"
        raise guard.wrong(spec.path, what, "show fewer labels")
    return codes, classes
