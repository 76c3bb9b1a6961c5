"""A container for several views of the same rows that scikit-learn can split.

A plain list of matrices is enough for every estimator. :class:`Views` adds what a list does not
have: names, row ids, and which rows each view knows. Its length is the number of rows and its
index picks rows, so scikit-learn's splitters, searches and pipelines work on it.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Self

import numpy as np
import scipy.sparse as sp

from manyviews.alignment import aligned_frames, id_vector, in_row_order, is_frame
from manyviews.validation import check_structure, refuse_texts

__all__ = ["Views"]


class Views:
    """Several views of the same rows, with names, ids and an observed mask.

    Parameters
    ----------
    data : mapping, list or Views
        Name to matrix, or matrices alone; dense, sparse, or data frames. Data frames are aligned
        by their index, not by position: the rows are the union of all indexes, in the order in
        which ids first appear, and a row that a frame lacks is not observed in that view. Frames
        without a common id are refused, as are frames of different lengths that only count their
        rows.
    names : sequence of str, optional
        Names of the views of a list; ``"view0"``, ``"view1"``, ... by default.
    ids : sequence, optional
        One id per row; the index of data frames, else None.
    observed : array of bool (rows, views), optional
        False where a row lacks a view, whatever the matrix holds there. By default a row is
        observed unless a dense view holds nothing but NaN in it.

    Attributes
    ----------
    names : tuple of str
    matrices : list of ndarray or csr_matrix
        The views; rows that are not observed are zero.
    ids : ndarray or None
    observed : ndarray of bool (rows, views)
    feature_names : list of (ndarray or None)
        Column names of data frames.
    shape : tuple of int
        Rows, and columns of all views together.

    Notes
    -----
    A zero row carries no information in any of the models here: it adds nothing to a likelihood,
    has cosine 0 with every centroid and leaves an online classifier alone. So a row that lacks a
    view and a row of zeros are treated alike.

    Examples
    --------
    >>> import numpy as np
    >>> views = Views({"words": np.eye(4), "links": np.ones((4, 2))}, ids=list("abcd"))
    >>> views
    Views(4 rows: words 4, links 2)
    >>> len(views), views[1:3].ids.tolist()
    (4, ['b', 'c'])
    """

    names: tuple[str, ...]
    matrices: list[Any]
    observed: np.ndarray
    ids: np.ndarray | None
    feature_names: list[Any]
    #: Whether the caller named the views (else they are called by their position).
    named: bool = True
    #: Whether answers about these rows carry the ids. Not those about rows that scikit-learn has
    #: picked: its scorers and meta-estimators compute with arrays.
    indexed: bool = True
    #: Whether frames were brought into another order, or had other rows.
    moved: bool = False

    def __init__(
        self,
        data: Any,
        *,
        names: Sequence[str] | None = None,
        ids: Any = None,
        observed: Any = None,
    ) -> None:
        if isinstance(data, Views):
            names = data.names if names is None else names
            ids = data.ids if ids is None else ids
            observed = data.observed if observed is None else observed
            parts, labels = data.matrices, data.feature_names
        else:
            parts, names = _parts(data, names)
            labels = [np.asarray(X.columns) if is_frame(X) else None for X in parts]
        self.names = _names(names, len(parts))
        self.feature_names = list(labels)
        known: list[Any] = [True] * len(parts)
        if any(is_frame(X) for X in parts):
            parts, ids, known, self.moved = aligned_frames(parts, self.names, ids)
        tables = [_table(X, name) for X, name in zip(parts, self.names, strict=True)]
        n_rows = tables[0][0].shape[0]
        for name, (matrix, _) in zip(self.names, tables, strict=True):
            if matrix.shape[0] != n_rows:
                raise ValueError(
                    f"views must describe the same rows: {self.names[0]!r} has {n_rows}, "
                    f"{name!r} has {matrix.shape[0]}"
                )
        here = np.column_stack([filled & k for (_, filled), k in zip(tables, known, strict=True)])
        if observed is not None:
            mask = np.asarray(observed)
            if mask.dtype != bool or mask.shape != here.shape:
                raise ValueError(
                    f"observed must be boolean with a column per view, {here.shape}; got "
                    f"{mask.dtype} of shape {mask.shape}"
                )
            here &= mask
        self.observed = here
        self.matrices = [_hidden(table[0], here[:, v]) for v, table in enumerate(tables)]
        self.ids = None if ids is None else id_vector(ids)
        if self.ids is not None and self.ids.shape != (n_rows,):
            raise ValueError(f"ids must name each of the {n_rows} rows, got {self.ids.shape}")

    @classmethod
    def from_columns(cls, X: Any, columns: Mapping[str, Any], **options: Any) -> Self:
        """Return views that are groups of columns of one matrix or data frame.

        Parameters
        ----------
        X
            Matrix, dense or sparse, or a data frame.
        columns
            View name to its columns: positions, a slice, a boolean mask or, of a data frame,
            column names.
        **options
            ``ids`` and ``observed`` of :class:`Views`.

        Examples
        --------
        >>> import numpy as np
        >>> Views.from_columns(np.ones((3, 5)), {"left": slice(0, 2), "right": [2, 3, 4]})
        Views(3 rows: left 2, right 3)
        """
        if is_frame(X):
            parts = {name: X.loc[:, _frame_columns(X, key)] for name, key in columns.items()}
        else:
            table = X.tocsc() if sp.issparse(X) else np.asarray(X)
            if table.ndim != 2:
                raise ValueError(f"X must be a 2-D matrix, got {table.ndim} dimension(s)")
            parts = {name: table[:, key] for name, key in columns.items()}
        return cls(parts, **options)

    @property
    def n_views(self) -> int:
        """Number of views."""
        return len(self.matrices)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows, and columns of all views together."""
        return len(self.observed), sum(X.shape[1] for X in self.matrices)

    def __len__(self) -> int:
        return len(self.observed)

    def __getitem__(self, rows: Any) -> Self:
        """Return the views of some rows: a slice, positions or a boolean mask."""
        indexed = self.indexed
        if isinstance(rows, tuple):  # scikit-learn writes [rows, ...]
            rows, *rest = rows
            indexed = False
            if any(part is not Ellipsis and part != slice(None) for part in rest):
                raise IndexError("Views are indexed by rows; use select() for views")
        if isinstance(rows, int | np.integer):
            rows = [rows]
        if isinstance(rows, str):
            raise IndexError(f"Views are indexed by rows; use view({rows!r}) for one matrix")
        picked = np.arange(len(self))[rows]
        return self._like(
            matrices=[X[picked] for X in self.matrices],
            observed=self.observed[picked],
            ids=None if self.ids is None else self.ids[picked],
            indexed=indexed,
        )

    __iter__ = None  # rows or views? Ask for one of them: .matrices, or rows by position

    def view(self, name: str) -> Any:
        """Return the matrix of one view."""
        return self.matrices[self._position(name)]

    def select(self, names: Sequence[str]) -> Self:
        """Return some of the views, in the order given."""
        at = [self._position(name) for name in names]
        if not at:
            raise ValueError("select() needs at least one view")
        return self._like(
            names=tuple(names),
            matrices=[self.matrices[v] for v in at],
            observed=self.observed[:, at],
            feature_names=[self.feature_names[v] for v in at],
        )

    def replace(self, changed: Mapping[str, Any], feature_names: Any = None) -> Self:
        """Return the same rows with other matrices for some views.

        ``feature_names`` maps names of changed views to their new column names, if they have any.
        """
        matrices, columns = list(self.matrices), list(self.feature_names)
        for name, X in changed.items():
            v = self._position(name)
            if X.shape[0] != len(self):
                raise ValueError(
                    f"view {name!r} has {len(self)} rows, its replacement {X.shape[0]}"
                )
            matrices[v] = _hidden(_table(X, name)[0], self.observed[:, v])
            columns[v] = (feature_names or {}).get(name)
        return self._like(matrices=matrices, feature_names=columns)

    def align(self, values: Any, name: str = "y") -> Any:
        """Return labels, weights or groups that are given by id in the order of the rows.

        Parameters
        ----------
        values
            A Series, a data frame of one column or a mapping from ids; other values are returned
            as they are. Rows that it lacks hold None.
        name
            What errors call it.

        Examples
        --------
        >>> views = Views([np.eye(3)], ids=["a", "b", "c"])
        >>> views.align({"c": "spam", "a": "ham"})
        array(['ham', None, 'spam'], dtype=object)
        """
        return in_row_order(values, self.ids, name)

    def without_ids(self) -> Self:
        """Return the same rows known by position alone."""
        return self._like(ids=None)

    def unnamed(self) -> Self:
        """Return the same views known by position alone."""
        return self._like(named=False)

    def padded(self, widths: Mapping[str, int]) -> Self:
        """Return the views with those names; one that is not here has no row."""
        empty = np.zeros(len(self), dtype=bool)
        at = [self.names.index(name) if name in self.names else None for name in widths]
        return self._like(
            names=tuple(widths),
            matrices=[
                sp.csr_matrix((len(self), width)) if v is None else self.matrices[v]
                for v, width in zip(at, widths.values(), strict=True)
            ],
            observed=np.column_stack([empty if v is None else self.observed[:, v] for v in at]),
            feature_names=[None if v is None else self.feature_names[v] for v in at],
        )

    def _position(self, name: str) -> int:
        if name not in self.names:
            raise KeyError(f"there is no view {name!r}; the views are {', '.join(self.names)}")
        return self.names.index(name)

    def _like(self, **changed: Any) -> Self:
        """Return the same views but for some attributes, which are sound already."""
        views = copy(self)
        vars(views).update(changed)
        return views

    def __repr__(self) -> str:
        widths = ", ".join(
            f"{n} {X.shape[1]}" for n, X in zip(self.names, self.matrices, strict=True)
        )
        lacking = int((~self.observed).sum())
        return f"Views({len(self)} rows: {widths}{f'; {lacking} missing' if lacking else ''})"


def _parts(data: Any, names: Sequence[str] | None) -> tuple[list[Any], Sequence[str] | None]:
    """Return the matrices of a mapping or a list, and their names if they have any."""
    if isinstance(data, Mapping):
        if names is not None:
            raise ValueError("a mapping names its views already; leave names out")
        data, names = list(data.values()), list(data)
    if sp.issparse(data) or is_frame(data) or not isinstance(data, list | tuple):
        raise ValueError(
            f"Views need a mapping or a list of matrices, got {type(data).__name__}; "
            "use Views.from_columns for the columns of one matrix"
        )
    if not data:
        raise ValueError("Views need at least one view")
    return list(data), names


def _names(names: Sequence[str] | None, count: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"view{v}" for v in range(count))
    found = tuple(str(name) for name in names)
    if len(found) != count:
        raise ValueError(f"{count} views need {count} names, got {len(found)}")
    if len(set(found)) != count:
        raise ValueError(f"view names must differ, got {', '.join(found)}")
    return found


def _frame_columns(X: Any, key: Any) -> Any:
    """Return column labels for labels, positions, a mask or a slice of positions."""
    if isinstance(key, slice):
        return X.columns[key]
    picked = np.asarray(key)
    return X.columns[picked] if picked.dtype.kind in "iub" else list(key)


def _table(X: Any, name: str) -> tuple[Any, Any]:
    """Return a matrix as CSR or 2-D array, and which rows hold anything but NaN."""
    if sp.issparse(X):
        check_structure(X, f"view {name!r}")
        return sp.csr_matrix(X), np.ones(X.shape[0], dtype=bool)
    refuse_texts(X, f"view {name!r}")
    table = np.asarray(X)
    if table.ndim != 2:
        raise ValueError(f"view {name!r} must be a 2-D matrix, got {table.ndim} dimension(s)")
    if table.dtype.kind == "O":
        try:
            table = table.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"view {name!r} holds values that are not numbers: {error}") from error
    if table.dtype.kind != "f" or not table.shape[1]:
        return table, np.ones(len(table), dtype=bool)
    return table, ~np.isnan(table).all(axis=1)


def _hidden(X: Any, here: np.ndarray) -> Any:
    """Return a matrix with zero rows where it is not observed."""
    if here.all():
        return X
    if sp.issparse(X):
        kept = X.copy()
        kept.data[np.repeat(~here, np.diff(kept.indptr))] = 0
        kept.eliminate_zeros()
        return kept
    return np.where(here[:, None], X, np.zeros((), dtype=X.dtype))
