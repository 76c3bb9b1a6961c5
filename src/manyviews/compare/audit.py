"""Faults of multi-view data: wrong joins, views that repeat each other, duplicates, leaks."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import TruncatedSVD
from sklearn.preprocessing import StandardScaler, normalize
from threadpoolctl import threadpool_limits

from manyviews.compare.diagnose import RANK, alignment
from manyviews.compare.prepare import dense
from manyviews.compare.reading.guard import DataError
from manyviews.compare.reading.own import OwnData, read_files, read_own

#: Permutations of a test, their seed, and the p above which rows may be joined at random.
PERMUTATIONS, SEED, ALPHA = 499, 0, 0.01
#: Rows and classes that the test needs, and rows that it looks at.
FEWEST_ROWS, FEWEST_CLASSES, MOST_ROWS = 100, 6, 2000
#: Share of equal columns, and alignment, from which a view repeats another.
REPEATED, SAME = 0.1, 0.99
#: Rows that tell a column of whole numbers from others: those of fewer may be equal by chance.
TELLING = 5
#: Share of repeated rows from which they are a fault.
COPIES = 0.01


@dataclass(frozen=True)
class Finding:
    """One line of an audit; a fault makes results mislead, a note is worth knowing."""

    kind: str
    text: str
    fault: bool = True

    def __str__(self) -> str:
        return f"{'fault' if self.fault else 'note'}: {self.text}"


def audit_file(path: str, split: str | None = None) -> tuple[OwnData, list[Finding]]:
    """Read what ``manyviews compare`` reads and audit it; ``split`` is a column or an array."""
    data, sides = read_own(path, [split] if split else []), None
    if split is not None:
        sides = read_files(path, label=split).labels
        if sides is None or len(sides) != len(data):
            raise DataError(f"{path}: {split!r} does not say of every row on which side it is")
    return data, audit(data, sides)


def audit(data: OwnData, split: Sequence[str] | None = None) -> list[Finding]:
    """Return what is wrong with the data, faults first, the same in every run."""
    with threadpool_limits(1):  # many small products
        found = [*_pairs(data), *_duplicates(data, split), *_leaks(data), *_empty(data)]
    return sorted(found, key=lambda one: not one.fault)


def _pairs(data: OwnData) -> Iterator[Finding]:
    """Compare views two by two: do they share columns, do their rows belong together?"""
    matrices, filled = data.views.matrices, _filled(data)
    tables, keys = [_table(X) for X in matrices], [_column_keys(X) for X in matrices]
    for a, b in combinations(range(len(tables)), 2):
        names = f"{data.views.names[a]} and {data.views.names[b]}"
        rows = np.flatnonzero(filled[:, [a, b]].all(axis=1))
        if rows.size < 3:
            continue
        equal, narrow = len(keys[a] & keys[b]), min(matrices[a].shape[1], matrices[b].shape[1])
        same = alignment(tables[a][rows], tables[b][rows])
        if equal >= REPEATED * narrow or same >= SAME:
            text = f"{names} repeat each other: {equal:,} of {narrow:,} columns are equal "
            yield Finding("repeated view", f"{text}(alignment {same:.2f})")
        labelled = rows[data.codes[rows] >= 0]
        by_class = labelled.size >= FEWEST_ROWS
        rng = np.random.default_rng(SEED)
        rows = np.sort(rng.permutation(labelled if by_class else rows)[:MOST_ROWS])
        if rows.size >= FEWEST_ROWS:
            codes = data.codes[rows] if by_class else np.zeros(rows.size, dtype=int)
            chances = joined_by_chance(tables[a][rows], tables[b][rows], codes, rng)
            if min(chances.values()) > ALPHA:
                said = ", ".join(f"{what} p = {p:.3f}" for what, p in chances.items())
                text = f"rows of {names} fit no better than rows joined at random ({said})"
                yield Finding("wrong join", text)


def _table(X: Any) -> np.ndarray:
    """Return a view in 50 directions: words as cosines see them, numbers as standard scores."""
    X = sp.csr_matrix(X)
    X = X[:, np.flatnonzero(X.getnnz(axis=0))]
    words = X.count_nonzero() < np.prod(X.shape) / 2  # mostly zeros
    X = normalize(X) if words else StandardScaler().fit_transform(X.toarray())
    reduced = TruncatedSVD(RANK, n_iter=2, random_state=SEED)
    return np.asarray(reduced.fit_transform(X) if min(X.shape) > RANK else dense(X))


def joined_by_chance(
    A: np.ndarray, B: np.ndarray, codes: np.ndarray, rng: np.random.Generator
) -> dict[str, float]:
    """Return the share of random joins that align two tables as well as theirs, by kind of join.

    Within classes, rows of the second table change places with others of their class (with any row
    if there is one class); between classes, the mean rows of the classes do.
    """
    _, group, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    means = [np.array([np.bincount(group, x) for x in T.T]).T / sizes[:, None] for T in (A, B)]
    order = np.argsort(group, kind="stable")  # class by class, as the drawn ones come
    rows = [(T - mean[group])[order] for T, mean in zip((A, B), means, strict=True)]
    ways: dict[str, tuple[list[np.ndarray], Callable[[], np.ndarray]]] = {
        "within classes" if len(sizes) > 1 else "any rows":
            (rows, lambda: np.lexsort((rng.random(len(group)), group[order])))
    }  # fmt: skip
    if len(sizes) >= FEWEST_CLASSES:
        centred = [mean - mean.mean(axis=0) for mean in means]
        ways["between classes"] = (centred, lambda: rng.permutation(len(sizes)))
    found = {}
    for name, ((one, two), draw) in ways.items():
        own = np.linalg.norm(one.T @ two) * (1 - 1e-12)
        beaten = sum(np.linalg.norm(one.T @ two[draw()]) >= own for _ in range(PERMUTATIONS))
        found[name] = float((1 + beaten) / (1 + PERMUTATIONS))
    return found


def _keys(X: Any) -> list[tuple[bytes, bytes]]:
    """Return what a row holds, as a key; rows are equal if six digits of their values are."""
    X = sp.csr_matrix(X, copy=True)
    X.eliminate_zeros()
    X.sort_indices()
    scale = 10.0 ** (5 - np.floor(np.log10(np.abs(X.data))))
    values, cuts = np.round(X.data * scale) / scale, zip(X.indptr[:-1], X.indptr[1:], strict=True)
    return [(X.indices[i:j].tobytes(), values[i:j].tobytes()) for i, j in cuts]


def _column_keys(X: Any) -> set[tuple[bytes, bytes]]:
    """Return the different columns that have enough values to be told from others."""
    X = sp.csc_matrix(X)
    broken = sp.csc_matrix((X.data % 1 != 0, X.indices, X.indptr), X.shape).sum(axis=0)
    telling = (X.getnnz(axis=0) >= TELLING) | (np.asarray(broken).ravel() > 0)
    return set(_keys(X[:, np.flatnonzero(telling)].T))


def _duplicates(data: OwnData, split: Sequence[str] | None) -> Iterator[Finding]:
    """Count rows that repeat an earlier row in all views, and those on two sides of a split."""
    keys = _keys(sp.hstack([sp.csr_matrix(X) for X in data.views.matrices]))
    places: dict[Any, list[int]] = {}
    for i, key in enumerate(keys):
        places.setdefault(key, []).append(i)
    groups = [rows for key, rows in places.items() if key[0] and len(rows) > 1]
    again, codes = sum(len(rows) - 1 for rows in groups), data.codes
    other = sum(int((codes[rows] != codes[rows[0]]).sum()) for rows in groups)
    text = "rows repeat an earlier row in all views"
    text += f", {other:,} with another class" if data.classes else ""
    yield from _counted("repeated rows", again, len(data), text, again >= COPIES * len(data))
    across = sum(len(rows) for rows in groups if split and len({split[i] for i in rows}) > 1)
    text = "rows have a copy on the other side of the split"
    yield from _counted("copies across the split", across, len(data), text)


def _leaks(data: OwnData) -> Iterator[Finding]:
    """Find columns that give the class away: they mark one class, or have a class a value."""
    rows = np.flatnonzero(data.codes >= 0)
    codes, count = data.codes[rows], len(data.classes)
    hot = sp.csr_matrix((np.ones(rows.size), (codes, np.arange(rows.size))), (count, rows.size))
    named = zip(data.views.names, data.views.matrices, data.columns, strict=True)
    for name, X, columns in named if count else ():
        X = sp.csc_matrix(sp.csr_matrix(X)[rows])
        filled = (hot @ (X != 0)).toarray()  # rows of a class that have a value in a column
        full, some = filled == np.bincount(codes, minlength=count)[:, None], filled > 0
        leaks = (some.sum(axis=0) == 1) & ((some & full).sum(axis=0) == 1)
        for j in np.flatnonzero((~full).sum(axis=0) <= 1):  # zeros, if any, are of one class
            values = np.unique(X[:, [j]].toarray().ravel(), return_inverse=True)[1]
            pairs = np.unique(np.column_stack([values, codes]), axis=0)
            leaks[j] |= len(pairs) == values.max() + 1 <= rows.size / 10
        which = ", ".join(repr(columns[j]) for j in np.flatnonzero(leaks)[:3])
        text = f"columns of {name} give the class away ({which})"
        yield from _counted("leaked class", int(leaks.sum()), len(leaks), text)


def _filled(data: OwnData) -> np.ndarray:
    """Tell which rows (lines) have a value in which view."""
    return np.array([sp.csr_matrix(X).count_nonzero(axis=1) > 0 for X in data.views.matrices]).T


def _empty(data: OwnData) -> Iterator[Finding]:
    """Count columns of one value and rows without any."""
    filled, observed, n = _filled(data), data.views.observed, len(data)
    for v, (name, X) in enumerate(zip(data.views.names, data.views.matrices, strict=True)):
        here = sp.csc_matrix(sp.csr_matrix(X)[observed[:, v]])
        same = X.shape[1] - int((here.min(axis=0) != here.max(axis=0)).toarray().sum())
        text = f"columns of {name} are constant"
        yield from _counted("constant columns", same, X.shape[1], text, False)
        rows = int((observed & ~filled)[:, v].sum())
        yield from _counted("empty rows", rows, n, f"rows of {name} are empty", False)
    void = int((~filled.any(axis=1)).sum())
    yield from _counted("empty rows", void, n, "rows are empty in all views")


def _counted(kind: str, count: int, of: int, text: str, fault: bool = True) -> list[Finding]:
    """Return a finding that counts, if there is anything to count."""
    return [Finding(kind, f"{count:,} of {of:,} {text}", fault)] if count else []
