"""Classes of the rows: blanks are unlabelled, measurements refused or cut, tiny ones left out."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from manyviews.compare.reading.columns import as_numbers, is_blank
from manyviews.compare.reading.errors import DataError

#: Rows a class needs to be split into folds.
FEWEST = 5
#: Distinct numbers from which a column looks like a measurement.
_MEASURED = 20


class BlankLabelsError(DataError):
    """No row has a class."""


def coded(
    labels: Sequence[str], source: str, cuts: int | None, notes: list[str]
) -> tuple[np.ndarray, list[str]]:
    """Return class numbers, -1 where unlabelled, and the names of the classes.

    Parameters
    ----------
    labels
        One text a row.
    source
        File or column, for messages.
    cuts
        Number of equally large classes to cut a measurement into.
    notes
        What was mended is added here.
    """
    texts = ["" if is_blank(label) else label for label in labels]
    if not any(texts):
        raise BlankLabelsError(
            f"{source}: the column of classes is blank in all {len(texts)} rows; fill some of it, "
            "or leave `labels` out to cluster"
        )
    if cuts is not None:
        texts = _cut(texts, source, cuts)
    sizes = Counter(label for label in texts if label)
    _check(sizes, source)
    small = sorted(label for label, size in sizes.items() if size < FEWEST)
    if small:
        if len(sizes) - len(small) < 2:
            raise DataError(
                f"{source}: only {len(sizes) - len(small)} classes have {FEWEST} labelled rows "
                f"or more ({small[0]!r} has {sizes[small[0]]}); label more rows"
            )
        notes.append(
            f"{source}: {len(small)} classes with fewer than {FEWEST} rows are treated as "
            f"unlabelled ({', '.join(map(repr, small[:3]))}{', ...' if len(small) > 3 else ''})"
        )
    classes = sorted(sizes.keys() - small)
    numbers = as_numbers(classes)
    if numbers is not None:
        classes = [classes[i] for i in np.argsort(numbers, kind="stable")]
    place = {label: i for i, label in enumerate(classes)}
    return np.array([place.get(label, -1) for label in texts], dtype=np.int64), classes


def _check(sizes: Counter[str], source: str) -> None:
    """Refuse measurements, a single class, and names of rows."""
    total, distinct = sizes.total(), len(sizes)
    numbers = as_numbers(list(sizes))
    if numbers is not None and distinct > max(_MEASURED, 0.2 * total):
        raise DataError(
            f"{source}: has {distinct} different numbers in {total} rows, so it looks like a "
            "measurement; name another column, or write `cuts: 3` under labels in data.yaml"
        )
    if distinct == 1:
        raise DataError(
            f"{source}: all {total} labelled rows are {next(iter(sizes))!r}; at least two classes "
            "are needed, or leave `labels` out to cluster"
        )
    if numbers is None and distinct > 0.5 * total:
        raise DataError(
            f"{source}: has {distinct} classes in {total} rows; they look like names of rows, "
            "name another column"
        )


def _cut(labels: list[str], source: str, cuts: int) -> list[str]:
    values = as_numbers(labels)
    if values is None:
        bad = next(label for label in labels if label and as_numbers([label]) is None)
        raise DataError(f"{source}: {bad!r} is no number, so it cannot be cut; leave `cuts` out")
    known = ~np.isnan(values)
    edges = np.unique(np.quantile(values[known], np.linspace(0, 1, cuts + 1)[1:-1]))
    if edges.size < cuts - 1:
        raise DataError(f"{source}: {cuts} equally large classes cannot be cut; use fewer cuts")
    at = np.searchsorted(edges, values, side="left")
    bounds = ["-inf", *(f"{edge:g}" for edge in edges), "inf"]
    return [
        f"{i + 1}: {bounds[i]} to {bounds[i + 1]}" if here else ""
        for i, here in zip(at, known, strict=True)
    ]
