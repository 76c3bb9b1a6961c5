"""Views from files and from annotated data, as ``manyviews compare`` reads them."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from manyviews.compare.reading.guard import printable
from manyviews.compare.reading.layouts import annotated
from manyviews.compare.reading.own import FilesRead, joined_files, read_files
from manyviews.compare.reading.parsers import merged
from manyviews.compare.reading.spec import Spec
from manyviews.views import Views

__all__ = ["FileViews", "from_anndata", "read_views"]

_WHOLE = re.compile(r"[+-]?\d{1,18}")


@dataclass(frozen=True)
class FileViews:
    """What was read.

    Attributes
    ----------
    views
        The views, with row ids and which row has which view.
    labels
        Class of every row: whole numbers if all classes are, else names; None in the place of a
        row without class. None if there are no classes.
    columns
        View -> names of its columns.
    notes
        What was guessed and mended, one sentence each, with how to say otherwise.
    """

    views: Views
    labels: np.ndarray | None
    columns: dict[str, list[str]] = field(repr=False)
    notes: list[str] = field(repr=False)

    @property
    def ids(self) -> list[str]:
        """Names of the rows; their numbers where no file names them."""
        return [] if self.views.ids is None else [str(key) for key in self.views.ids]


def read_views(path: str | Path, *, labels: str | None = None) -> FileViews:
    """Read views, row ids and classes from a folder, a ``data.yaml`` or one file.

    Reads CSV, TSV, Parquet, npy, npz, MATLAB, HDF5, svmlight, Matrix Market, AnnData, MuData
    and folders of texts; some need a package more, and the error names it. Foreign formats are
    parsed in a process apart, so a damaged file is an error and never a crash.

    Parameters
    ----------
    path
        What to read. Without a ``data.yaml``, views, ids and classes are guessed, as the notes say.
    labels
        Column or array of the classes.

    Raises
    ------
    ValueError
        One line that names file, place and mend.

    Examples
    --------
    >>> import tempfile
    >>> import scipy.io
    >>> file = Path(tempfile.mkdtemp()) / "toy.mat"
    >>> X = np.arange(24.0).reshape(6, 4)
    >>> views = np.empty((1, 2), dtype=object)
    >>> views[0, 0], views[0, 1] = X.T, X[:, :3].T
    >>> scipy.io.savemat(file, {"X": views, "gt": [1, 2, 1, 2, 1, 2]})
    >>> found = read_views(file)
    >>> found.views, found.labels
    (Views(6 rows: X1 4, X2 3), array([1, 2, 1, 2, 1, 2]))
    >>> print(found.notes[0])
    toy.mat: classes are array 'gt'; `labels` in a data.yaml names another
    """
    return _offered(read_files(path, label=labels))


def from_anndata(data: Any) -> FileViews:
    """Return AnnData as one view, and the modalities of MuData as views.

    Parameters
    ----------
    data
        ``X`` is the view, ``obs_names`` the ids; a column of ``obs`` that is called like classes
        (``label``, ``cell_type``, ...) holds the classes.
    """
    modalities = dict(getattr(data, "mod", {"X": data}))
    values = {**merged(modalities.values()), "names": list(modalities)}
    place = Path(type(data).__name__)
    return _offered(joined_files(Spec(place, place.name), [annotated(place, values, "X")]))


def _offered(read: FilesRead) -> FileViews:
    labels = None
    if read.labels is not None:
        whole = all(_WHOLE.fullmatch(label) for label in read.labels if label)
        named = [(int(label) if whole else label) if label else None for label in read.labels]
        labels = np.array(named, dtype=None if whole and all(read.labels) else object)
    columns = {part.name: part.columns for part in read.parts}
    return FileViews(read.views, labels, columns, [printable(note) for note in read.notes])
