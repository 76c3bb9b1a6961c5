"""Own data, ready for the comparison: from a ``data.yaml``, a folder or one file."""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.compare.reading.classes import BlankLabelsError, coded
from manyviews.compare.reading.columns import LABEL_NAMES, guess_id, ids_of
from manyviews.compare.reading.errors import DataError, wrong
from manyviews.compare.reading.files import TABLES, load_table, read_view_file
from manyviews.compare.reading.foreign import parsed
from manyviews.compare.reading.guess import guessed, read_views
from manyviews.compare.reading.join import as_graph, joined, labels_of, row_names
from manyviews.compare.reading.layouts import only_labels
from manyviews.compare.reading.mappings import Tree, read_ontology
from manyviews.compare.reading.opening import ending_of, stem_of
from manyviews.compare.reading.parts import Found, Given, Part
from manyviews.compare.reading.safe import encodable, printable, safe_label
from manyviews.compare.reading.spec import Spec, file_of, read_spec
from manyviews.compare.reading.texts import read_text_folder
from manyviews.views import Views

#: Rows below which no comparison makes sense.
FEWEST_ROWS = 20


@dataclass
class OwnData:
    """Rows seen through several views, some of them labelled.

    Attributes
    ----------
    name
        What the report calls it.
    views
        The views, with ids, column names and which row has which view.
    kinds, graphs
        Kind of every view (``text``, ``counts``, ``numbers``, ``categories``), and whether its
        columns are the rows themselves.
    codes, classes
        Class number of every row (-1: unlabelled), names of the classes.
    columns
        Column names of every view.
    ontology
        Class -> parents, or None.
    notes
        What was guessed and mended, one sentence each.
    task, label_share, clusters
        What the user asks for, or None.
    """

    name: str
    views: Views
    kinds: list[str]
    graphs: list[bool]
    codes: np.ndarray
    classes: list[str]
    columns: list[list[str]]
    ontology: Tree | None = None
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

    def digest(self) -> str:
        """Return a digest of everything the results depend on."""
        made = hashlib.sha256()

        def add(*values: Any) -> None:
            made.update(repr(values).encode())

        add(self.kinds, self.graphs, self.classes, self.ontology, self.ids)
        add(self.task, self.label_share, self.clusters, self.views.names)
        made.update(self.codes.tobytes() + self.views.observed.tobytes())
        for matrix in self.views.matrices:
            add(matrix.shape)
            csr = sp.csr_matrix(matrix)
            for array in (csr.data, csr.indices, csr.indptr):
                made.update(np.ascontiguousarray(array).tobytes())
        return made.hexdigest()


def read_own(path: str | Path, *, fewest: int = FEWEST_ROWS) -> OwnData:
    """Read own data.

    Parameters
    ----------
    path
        A ``data.yaml``, a folder (its ``data.yaml`` if it has one; else views, ids and labels
        are guessed), or one table or file of matrices.
    fewest
        Rows that are needed; a comparison needs some, a prediction one.

    Raises
    ------
    DataError
        One line that names file, place and mend.
    """
    read = read_files(path, classes=fewest >= FEWEST_ROWS)
    spec, notes = read.spec, read.notes
    if len(read) < fewest:
        raise DataError(
            f"{read.parts[0].source}: {len(read)} rows are too few; {fewest} are needed to compare"
        )
    codes, classes = np.full(len(read), -1), list[str]()
    if read.labels is not None and fewest >= FEWEST_ROWS:  # new rows may have any labels, or none
        codes, classes = _classes(read)
    ontology = None
    if spec.ontology is not None:
        tree = file_of(spec, spec.ontology)
        ontology, said = read_ontology(tree)
        notes.extend(said)
        for label in classes:
            if label not in ontology:
                raise wrong(tree, f"does not know the class {label!r}", "add a line for it")
    below = [repr(part.name) for part in read.parts if _lowest(part.matrix) < 0]
    if below:
        notes.append(
            f"negative values in {', '.join(below)}: methods for counts get their columns scaled "
            "to 0..1"
        )
    return OwnData(
        name=safe_label(spec.name, 80),
        views=read.views,
        kinds=[part.kind for part in read.parts],
        graphs=[part.graph for part in read.parts],
        codes=codes,
        classes=classes,
        columns=[part.columns for part in read.parts],
        ontology=ontology,
        notes=[printable(note) for note in notes],
        task=spec.task,
        label_share=spec.label_share,
        clusters=spec.clusters,
    )


@dataclass
class FilesRead:
    """Rows of all files side by side, with what was said about them.

    ``labels`` has a text a row, empty where there is none; it is None without classes.
    """

    spec: Spec
    parts: list[Part]
    views: Views
    labels: list[str] | None
    label_source: str
    notes: list[str]

    def __len__(self) -> int:
        return len(self.views)


def read_files(path: str | Path, *, classes: bool = True, **said: Any) -> FilesRead:
    """Read views, row names and classes as the files have them; see :func:`read_own`.

    Parameters
    ----------
    path
        A ``data.yaml``, a folder, or one file.
    classes
        Whether a column of a few words may be taken for the classes.
    **said
        What is known about the files, as fields of :class:`Spec`: ``label``, ``id``, ...
    """
    path, known = Path(path), {key: value for key, value in said.items() if value is not None}
    if not os.path.exists(path):  # unlike Path's own, it bears names of any length
        raise wrong(path, "there is no such file or folder", "check the path")
    path = path.resolve()  # a link that the user names is meant; one in somebody's folder is not
    folder = path if path.is_dir() else path.parent
    if path.is_dir() and (path / "data.yaml").is_file():
        path = path / "data.yaml"
    if path.suffix.lower() in (".yaml", ".yml"):
        spec = replace(read_spec(path), **known)
    else:
        spec = Spec(folder / "data.yaml", path.name if path.is_dir() else stem_of(path), **known)
    if spec.views:
        views = spec.views.values()
        found = [read_view_file(file_of(spec, view.file), view, spec) for view in views]
    elif path.is_dir() or path.suffix.lower() in (".yaml", ".yml"):
        found = guessed(folder, spec, classes=classes)
    else:
        found = read_views([path], spec, classes=classes)
    return joined_files(spec, found)


def joined_files(spec: Spec, found: Sequence[Found]) -> FilesRead:
    """Join what the files gave."""
    notes = list(dict.fromkeys(note for one in found for note in one.notes))
    parts = [part for one in found for part in one.parts]
    given = [label for one in found for label in one.labels]
    if spec.label_file is not None:
        given = [_label_file(spec, notes)]
    elif spec.label is not None and not given:
        raise wrong(
            spec.path, f"no file has the column {spec.label!r} of classes", "correct `labels`"
        )
    seen: dict[str, str] = {}
    for part in parts:
        part.name, part.columns = encodable([part.name])[0], encodable(part.columns)
        if part.name in seen:
            raise DataError(
                f"{part.source}: a view {part.name!r} is there already (from {seen[part.name]}); "
                "give the views names in a data.yaml"
            )
        seen[part.name] = part.source
    everything: list[Part | Given] = [*parts, *given]
    for named in everything:
        named.ids = None if named.ids is None else encodable(named.ids)
    ids = row_names(parts, notes)
    parts = [as_graph(part, ids, notes) for part in parts]
    labels = labels_of(given, ids, notes)
    return FilesRead(
        spec, parts, joined(parts, ids, notes), None if labels is None else encodable(labels),
        given[0].source if given else "", notes,
    )  # fmt: skip


def _lowest(matrix: Any) -> float:
    values = matrix.data if sp.issparse(matrix) else matrix
    return float(np.nanmin(values)) if np.size(values) else 0.0


def _classes(read: FilesRead) -> tuple[np.ndarray, list[str]]:
    """Return the classes; a column that was only guessed may turn out to hold none."""
    spec, labels = read.spec, read.labels or []
    asked = spec.label is not None or spec.label_file is not None or spec.cuts is not None
    try:
        codes, classes = coded(labels, read.label_source, spec.cuts, read.notes)
    except BlankLabelsError:
        if asked:
            raise
        read.notes.append(
            f"{read.label_source}: the column of classes is blank; the rows are clustered"
        )
        return np.full(len(labels), -1), []
    labelled, share = int((codes >= 0).sum()), spec.label_share
    if share is not None and labelled * (1 - share) < len(classes):
        raise wrong(
            spec.path, f"label_share {share} leaves fewer than {len(classes)} rows of {labelled} "
            "to predict, one a class", "show fewer labels",
        )  # fmt: skip
    return codes, classes


def _label_file(spec: Spec, notes: list[str]) -> Given:
    """Read a file of classes: a column beside an id, or the only column."""
    path = file_of(spec, spec.label_file or "")
    if path.is_dir():
        found = read_text_folder(path)
        if found.labels:
            return found.labels[0]
        raise wrong(path, "holds no classes", "name a table with a column of classes")
    if ending_of(path) in ("mat", "npz", "npy"):
        return only_labels(path, parsed(path, ending_of(path)), spec.label)
    if ending_of(path) not in TABLES:
        raise wrong(path, "is no table", "write classes as CSV, with a column of ids")
    table = load_table(path)
    notes.extend(table.notes)
    identity = spec.id if spec.id in table.columns else guess_id(table)
    ids = None if identity is None else ids_of(table, identity)
    rest = [name for name in table.columns if name != identity]
    label = spec.label
    if label is None:
        usual = [name for name in rest if name.lower() in LABEL_NAMES]
        label = (usual or rest or [table.columns[0]])[0]
        if len(rest) > 1 and not usual:
            notes.append(f"{path.name}: classes are column {label!r}")
    if label not in table.columns:
        raise wrong(
            path, f"has no column {label!r}; it has {', '.join(table.columns[:6])}",
            "correct `labels.column`",
        )  # fmt: skip
    return Given(table.column(label), path.name, ids)
