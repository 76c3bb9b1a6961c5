"""EM on rows that do not fit into memory: in blocks, from disk, on as many processes as there are.

Rows come in blocks: folders that :func:`save_blocks` wrote and that are mapped into memory, calls
that make a block (from Parquet, say) or delayed objects of Dask. Every E-step is a map over the
blocks, whose sums are added in the order of the blocks. So the bits depend on how the rows are cut
and never on who works on which block; they differ from those of ``fit`` in the last places.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, repeat
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.base import check_views
from manyviews.kernels.plsa import add_documents
from manyviews.models.dplsa import DPLSA
from manyviews.models.mvplsa import MVPLSA
from manyviews.models.plsa import PLSA, check_topic_model
from manyviews.preprocessing.sparse import hstack_csr

__all__ = ["fit_blocks", "save_blocks"]

_ARRAYS = ("data", "indices", "indptr")


def save_blocks(folder: Any, blocks: Iterable[Any]) -> list[Path]:
    """Write every block, a matrix or a list of views, to a folder of its own; return these.

    ``blocks`` may be a generator: one block at a time is in memory.
    """
    paths = []
    for number, block in enumerate(blocks):
        path = Path(folder) / f"{number:06d}"
        path.mkdir(parents=True)
        for v, X in enumerate(_checked(block)):
            for name in _ARRAYS:
                np.save(path / f"{v}.{name}.npy", getattr(X, name))
            np.save(path / f"{v}.shape.npy", X.shape)
        paths.append(path)
    return paths


def _checked(block: Any) -> list[sp.csr_matrix]:
    return check_views(block if isinstance(block, list | tuple) else [block], nonnegative=True)


def _mapped(path: Path, v: int) -> sp.csr_matrix:
    # copy-on-write, not read-only: for the compiled loops these are arrays as any other
    arrays = [np.asarray(np.load(path / f"{v}.{a}.npy", mmap_mode="c")) for a in _ARRAYS]
    return sp.csr_matrix(tuple(arrays), shape=tuple(np.load(path / f"{v}.shape.npy").tolist()))


def _views(block: Any) -> list[sp.csr_matrix]:
    """Return the views of a block."""
    if isinstance(block, str | PathLike):
        path = Path(block)
        count = len(list(path.glob("*.shape.npy")))
        if not count:
            raise ValueError(f"{path} holds no block; save_blocks writes them")
        return [_mapped(path, v) for v in range(count)]
    if hasattr(block, "compute"):
        return _checked(block.compute(scheduler="synchronous"))
    return _checked(block() if callable(block) else block)


def _measured(block: Any) -> tuple[int, list[int], list[float]]:
    """Return rows, columns and the total of every view of a block."""
    views = _views(block)
    for X in views:
        X.check_format(full_check=True)  # compiled loops would read beyond broken arrays
    return views[0].shape[0], [X.shape[1] for X in views], [float(X.data.sum()) for X in views]


def _expected(
    block: Any, h: np.ndarray, w: np.ndarray, *, view: int | None, weight: float, impossible: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the sums of the E-step over one block, and its log-likelihood."""
    views = _views(block)
    X = hstack_csr(views) if view is None else views[view]
    if X.shape != (len(h), len(w)):
        raise ValueError(f"a block of shape {(len(h), len(w))} now has {X.shape}")
    q, m = np.zeros_like(h), np.zeros_like(w)
    data = X.data if weight == 1.0 else X.data * weight
    value = add_documents(X.indptr, X.indices, data, h, w, q, m, 0, len(h), impossible)
    return q, m, value


@dataclass(frozen=True)
class _Rows:
    """One view of all blocks (``None``: all side by side), as far as EM and its starts need it."""

    blocks: Sequence[Any]
    cuts: np.ndarray
    view: int | None
    n_columns: int
    total: float
    client: Any
    weight: float = 1.0
    impossible: float = 0.0

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.cuts[-1]), self.n_columns

    def sum(self) -> float:
        return self.total

    def weighted(self, weight: float) -> "_Rows":
        """Return the view with its counts multiplied, as MVPLSA counts."""
        return replace(self, weight=weight, impossible=-np.inf)

    def _parts(self) -> Iterator[tuple[slice, sp.csr_matrix]]:
        for block, (first, last) in zip(self.blocks, pairwise(self.cuts), strict=True):
            yield slice(first, last), _views(block)[self.view or 0]

    def __matmul__(self, other: np.ndarray) -> np.ndarray:
        return np.concatenate([X @ other for _, X in self._parts()])

    def __rmatmul__(self, other: sp.csr_matrix) -> sp.csr_matrix:
        total = sp.csr_matrix((other.shape[0], self.n_columns))
        for rows, X in self._parts():
            total = total + other[:, rows] @ X
        return total

    def _sums(self, h: Iterable[np.ndarray], w: np.ndarray) -> Iterator[Any]:
        """Yield the sums of every block, in order."""
        how = {"view": self.view, "weight": self.weight, "impossible": self.impossible}
        call = partial(_expected, **how)  # type: ignore[arg-type]
        if self.client is None:
            yield from map(call, self.blocks, h, repeat(w))
            return
        everywhere = self.client.scatter(w, broadcast=True, hash=False)
        parts = self.client.scatter(list(h), hash=False)
        tasks = self.client.map(call, self.blocks, parts, [everywhere] * len(parts), pure=False)
        while tasks:
            yield tasks.pop(0).result()  # which frees it in the worker

    def add(self, h: np.ndarray, w: np.ndarray, q: np.ndarray, m: np.ndarray) -> float:
        """Do what :meth:`manyviews.parts.blocks.BlockedCounts.add` does."""
        m[:] = 0.0
        value = 0.0
        pairs = [slice(first, last) for first, last in pairwise(self.cuts)]
        for rows, found in zip(pairs, self._sums((h[rows] for rows in pairs), w), strict=True):
            q[rows] += found[0]
            m += found[1]
            value += found[2]
        return value


def fit_blocks(estimator: Any, blocks: Sequence[Any], y: Any = None, *, client: Any = None) -> Any:
    """Fit PLSA, MVPLSA or DPLSA to rows in blocks; return the estimator.

    It is the objective of ``fit``, from the same start, up to rounding.

    Parameters
    ----------
    estimator
        What to fit. Without labels MVPLSA needs ``init="random"``, ``"uniform"`` or probabilities:
        the clustering that it starts from otherwise needs all rows at once.
    blocks
        Folders of :func:`save_blocks`, or calls or Dask's delayed objects that return a matrix or a
        list of views. These make their block anew for every view and iteration.
    y
        Labels of all rows, in the order of the blocks, as ``fit`` takes them.
    client
        A ``dask.distributed.Client`` whose workers see the folders; ``None``: this process. The
        number of workers does not change a bit.

    Examples
    --------
    >>> import numpy as np
    >>> from manyviews.models import PLSA
    >>> X = np.array([[3, 1, 0, 0], [2, 2, 0, 0], [0, 0, 1, 3]])
    >>> fit_blocks(PLSA(2, random_state=0), [lambda: X[:2], lambda: X[2:]]).doc_topic_.round(2)
    array([[1., 0.],
           [1., 0.],
           [0., 1.]])
    """
    if type(estimator) not in (PLSA, MVPLSA, DPLSA):
        raise TypeError(f"fit_blocks fits PLSA, MVPLSA and DPLSA, not {type(estimator).__name__}")
    if client is None:
        found = [_measured(block) for block in blocks]
    else:
        found = client.gather(client.map(_measured, list(blocks), pure=False))
    if not found:
        raise ValueError("there is no block")
    widths = found[0][1]
    for number, (_, columns, _) in enumerate(found):
        if columns != widths:
            raise ValueError(
                f"block {number} has views of {columns} columns, block 0 of {widths}; "
                "give all blocks the same features in the same order"
            )
    cuts = np.cumsum([0, *(rows for rows, _, _ in found)])
    totals = np.sum([sums for _, _, sums in found], axis=0).tolist()
    views = [
        _Rows(blocks, cuts, v, width, total, client)
        for v, (width, total) in enumerate(zip(widths, totals, strict=True))
    ]
    if isinstance(estimator, PLSA):
        if len(views) != 1:
            raise ValueError(f"PLSA takes one matrix, the blocks hold {len(views)} views")
        check_topic_model(estimator)
        if hasattr(estimator, "feature_names_in_"):  # of an earlier fit
            del estimator.feature_names_in_
        estimator.n_features_in_ = widths[0]
        estimator._learn(views[0])
        return estimator
    labels, classes = estimator._labels(y, int(cuts[-1]))
    if isinstance(estimator.init, str) and estimator.init in ("mvc", "auto" if y is None else ""):
        raise ValueError('the start by clustering needs all rows at once; set init="random"')
    rng = np.random.default_rng(estimator.random_state)
    start = estimator._start(views, labels, len(classes), rng)
    if isinstance(estimator, DPLSA):
        views = [_Rows(blocks, cuts, None, sum(widths), sum(totals), client)]
    factors = estimator._weights(views)
    estimator._note_views([], widths, None)
    state = estimator._em(views, start, labels, factors, rng)
    return estimator._keep(state, labels, classes, factors)
