"""What the authors printed: ``published.csv`` in a paper's room, one cell a row."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from reproduction.results.rows import read_rows
from reproduction.rooms import RoomError, room, tables_of

if TYPE_CHECKING:
    import pandas as pd

#: How sure a published figure is: read in the paper, confirmed by others, or quoted unseen.
SEEN = ("printed", "confirmed", "quoted")

_NEEDED = ("table", "dataset", "method", "metric", "mean", "std")


@cache
def _read(paper: str) -> pd.DataFrame:
    path = room(paper) / "published.csv"
    if not path.is_file():
        raise RoomError(f"{path} is missing; it holds the paper's printed cells")
    tables = tables_of(paper)
    frame = read_rows(path, tables)
    frame.insert(0, "paper", paper)
    known = {*_NEEDED, *tables.columns, "paper", "setting", "seen"}
    wrong = [name for name in _NEEDED if name not in frame.columns]
    wrong += [name for name in frame.columns if name not in known]
    if wrong:
        raise RoomError(
            f"{path}: column {wrong[0]!r} is missing or unknown; it needs {', '.join(_NEEDED)}, "
            "may have 'seen', and has the columns declared in paper.py"
        )
    if "seen" not in frame.columns:
        frame["seen"] = SEEN[0]
    if not frame["seen"].isin(SEEN).all():
        raise RoomError(f"{path}: column 'seen' holds something else than {', '.join(SEEN)}")
    if frame["mean"].isna().any():
        raise RoomError(f"{path}: row {int(frame['mean'].isna().argmax()) + 2} has no mean")
    return frame


def load_published(paper: str) -> pd.DataFrame:
    """Return the printed cells of a paper, with typed settings and their text ``setting``."""
    return _read(paper).copy()


def printed_methods(paper: str) -> Mapping[str, frozenset[str]]:
    """Return table -> methods with printed cells."""
    cells = _read(paper)
    return {str(table): frozenset(part["method"]) for table, part in cells.groupby("table")}
