"""Fingerprints: counts that the papers print of their data, held against the views built here.

A count (documents, features, classes) identifies a construction without a look at any score.
``counts.csv`` in a paper's room has one printed count a row:

``dataset``, ``view``
    View file and the view in it; counts of the whole data set have no view.
``what``, ``printed``
    One of :data:`MEASURES`, or ``in <class>``; the count as in print (``49.2K`` is rounded).
``place``, ``note``
    Where it stands, and what is known of a count that is missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path

import numpy as np
import pandas as pd

from reproduction.data.format import MultiViewData
from reproduction.rooms import paper_keys, room

COUNTS_FILE = "counts.csv"
COLUMNS = ("dataset", "what", "view", "printed", "place", "note")
MET, MISSED, SURROGATE, NOT_BUILT = "met", "missed", "surrogate", "not built"

_UNITS = {"K": 1000, "M": 1_000_000}


class CountError(ValueError):
    """A list of printed counts is wrong; the text names file, row and mend."""


def _values(data: MultiViewData, view: str) -> int:
    """Cells of a view, zeros included, without the rows that lack it."""
    present = data.rows.get(f"{view}_present", np.ones(data.n_rows, dtype=bool))
    return int(present.astype(bool).sum()) * data.views[view].shape[1]


#: What is counted -> how, from the data set and the view's name.
MEASURES: Mapping[str, Callable[[MultiViewData, str], int]] = {
    "documents": lambda data, _: data.n_rows,
    "classes": lambda data, _: len(data.class_names),
    "smallest class": lambda data, _: int(np.bincount(data.labels).min()),
    "training": lambda data, _: int((~data.rows["is_test"].astype(bool)).sum()),
    "test": lambda data, _: int(data.rows["is_test"].astype(bool).sum()),
    "features": lambda data, view: data.views[view].shape[1],
    "pairs": lambda data, view: data.views[view].nnz,
    "values": _values,
}


def printed_range(printed: str) -> tuple[float, float]:
    """Return the smallest and the largest count that print as this: 49.2K is 49150 to 49250."""
    unit = _UNITS.get(printed[-1:], 1)
    number = Decimal(printed.rstrip("KM"))
    half = Decimal(1).scaleb(int(number.as_tuple().exponent)) / 2 if unit > 1 else Decimal(0)
    return float((number - half) * unit), float((number + half) * unit)


def load_counts(paper: str, path: Path | None = None) -> pd.DataFrame:
    """Read and check a paper's printed counts; a paper without the file has none."""
    source = path or room(paper) / COUNTS_FILE
    if not source.is_file():
        return pd.DataFrame(columns=list(COLUMNS))
    counts = pd.read_csv(source, dtype=str, keep_default_na=False)
    if tuple(counts.columns) != COLUMNS:
        raise CountError(f"{source}: its columns must be {', '.join(COLUMNS)}")
    for line, row in enumerate(counts.to_dict("records"), start=2):
        where = f"{source}, line {line}"
        if row["what"] not in MEASURES and not row["what"].startswith("in "):
            known = ", ".join(MEASURES)
            raise CountError(f"{where}: {row['what']!r} is not counted; take {known}, in <class>")
        try:
            printed_range(row["printed"])
        except InvalidOperation:
            told = f"{row['printed']!r} is no count; write it like 2708, 49.2K or 2.1M"
            raise CountError(f"{where}: {told}") from None
    return counts


def measure(data: MultiViewData, what: str, view: str) -> int:
    """Return our count."""
    if what.startswith("in "):
        return int((data.labels == data.class_names.index(what.removeprefix("in "))).sum())
    return MEASURES[what](data, view)


def fingerprints(views: Path, papers: Iterable[str] | None = None) -> pd.DataFrame:
    """Hold every printed count against the view files of a folder.

    Returns
    -------
    DataFrame
        One count a row: paper, data set, what, view, printed, ours, met, off, place, note. ``met``
        is one of :data:`MET`, :data:`MISSED`, :data:`SURROGATE` (made from these very counts) and
        :data:`NOT_BUILT`; ``off`` says by how much a count is missed, ours minus print.
    """
    loaded: dict[str, MultiViewData | None] = {}
    found = []
    for paper in papers or paper_keys():
        for row in load_counts(paper).to_dict("records"):
            key, (low, high) = row["dataset"], printed_range(row["printed"])
            if key not in loaded:
                file = views / f"{key}.npz"
                loaded[key] = MultiViewData.load(file) if file.is_file() else None
            data = loaded[key]
            if data is None or data.provenance.get("source") == "surrogate":
                word = NOT_BUILT if data is None else SURROGATE
                found.append({"paper": paper, **row, "met": word})
                continue
            ours = measure(data, row["what"], row["view"])
            word = MET if low <= ours <= high else MISSED
            off = ours - round((low + high) / 2) if word == MISSED else 0
            found.append({"paper": paper, **row, "ours": ours, "met": word, "off": off})
    order = ["paper", *COLUMNS[:4], "ours", "met", "off", *COLUMNS[4:]]
    return pd.DataFrame(found).reindex(columns=order)
