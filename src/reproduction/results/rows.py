"""Rows of results: one measured value each, with a column for every setting.

pandas is imported where it is needed: the workflow reads this module in every call.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reproduction.results.metrics import range_problem
from reproduction.results.tables import ROLES, Tables

if TYPE_CHECKING:
    import pandas as pd

#: Reading of a row that is compared with the published cell.
INFERRED = "inferred"

_HEAD = ("paper", "dataset", "table")
_TAIL = ("method", "role", "metric", "reading", "run")

_NUMBERS = (
    "run", "value", "published", "published_std", "published_runs", "ours",
    "ours_std", "runs", "difference", "margin", "se", "low", "high", "prediction_low",
    "prediction_high", "stable", "text_ours", "text_std", "text_runs", "text_stable",
    "readings_low", "readings_high", "n_readings", "effect", "p_holds", "p_refuted", "n", "mean",
    "std", "readings_run", "readings_hold",
    *(f"{reading}_{name}" for reading in ("text", "inferred")
      for name in ("effect", "low", "high", "p_holds", "p_refuted", "n", "runs_needed")),
)  # fmt: skip


class RowError(ValueError):
    """A job's rows are not sound; the text names the job and the row."""


@dataclass
class Row:
    """One measured value of a declared table, at settings by column: ``{"rate": 0.01, "view": 3}``.

    The reading ``"inferred"`` is compared with print; ``run`` is the number of the repetition. Who
    stands behind the method is its ``role``, one of ``ROLES``: claims and tables see published
    methods unless they ask for more.
    """

    table: str
    at: Mapping[str, Any]
    method: str
    metric: str
    value: float
    reading: str = INFERRED
    run: int = 0
    role: str = "published"


@dataclass
class Result:
    """Rows of a job and free-form details (JSON-able) beside them."""

    rows: list[Row]
    details: dict[str, Any] = field(default_factory=dict)


def read_table(path: Path | str, numbers: Collection[str] = ()) -> pd.DataFrame:
    """Read a CSV of this project: names stay text ("3" is a table), empty numbers are NaN."""
    import pandas as pd

    with Path(path).open(encoding="utf-8", newline="") as lines:
        columns = next(csv.reader(lines), [])
    numeric = {*_NUMBERS, *numbers}
    text = {name: "str" for name in columns if name not in numeric}
    empty = {name: ["", "nan", "NaN"] for name in columns if name in numeric}
    return pd.read_csv(path, dtype=text, keep_default_na=False, na_values=empty)


def read_rows(path: Path | str, tables: Tables) -> pd.DataFrame:
    """Read a file with setting columns and add ``setting``, their text for grouping and display."""
    frame = read_table(path, tables.numbers)
    frame["setting"] = tables.written(frame)
    return frame


def table_text(frame: pd.DataFrame) -> str:
    """CSV text of a table: twelve significant digits, Unix line ends."""
    return str(frame.to_csv(index=False, lineterminator="\n", float_format="%.12g"))


def result_frames(
    paper: str,
    dataset: str,
    rows: Iterable[Row],
    tables: Tables,
    printed: Mapping[str, Collection[str]],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the sorted result rows of a job, and apart from them those of timed tables.

    Undeclared tables and settings, holes, repeats, unknown roles, and methods that pose as
    published (``printed``: table -> methods with printed cells) are errors.
    """
    import pandas as pd

    made = list(rows)
    if not made:
        raise RowError("no rows were produced")
    for row in made:
        _check(row, tables, printed)
    used = {name for row in made for name in row.at}
    settings = [name for name in tables.columns if name in used]
    keys = [*_HEAD, *settings, *_TAIL]
    frame = pd.DataFrame(
        [
            {
                "paper": paper,
                "dataset": dataset,
                "setting": tables[row.table].write(row.at),
                **{name: row.at.get(name) for name in settings},
                **{name: value for name, value in vars(row).items() if name != "at"},
            }
            for row in made
        ]
    )
    order = [*_HEAD, "setting", "method", "metric", "reading", "run", "role"]
    frame = frame.sort_values(order, kind="stable", ignore_index=True)
    repeated = frame.duplicated([*_HEAD, "setting", *_TAIL])
    if repeated.any():
        raise RowError(f"two rows for {_named(frame.loc[repeated].iloc[0], keys)}")
    empty = frame["value"].isna()
    if empty.any():
        raise RowError(f"no number (NaN) for {_named(frame.loc[empty].iloc[0], keys)}")
    for row in made:
        problem = range_problem(row.metric, row.value)
        if problem:
            raise RowError(f"table {row.table!r}, method {row.method!r}: {problem}")
    timed = frame["table"].map(lambda name: tables[name].timed).astype(bool)
    values, timings = (frame.loc[rows, [*keys, "value"]] for rows in (~timed, timed))
    return values.reset_index(drop=True), timings.reset_index(drop=True)


def _named(row: pd.Series, keys: list[str]) -> dict[str, Any]:
    return {key: row[key] for key in keys if row[key] == row[key] and row[key] != ""}


def _check(row: Row, tables: Tables, printed: Mapping[str, Collection[str]]) -> None:
    """Check a row at the door."""
    place = f"table {row.table!r}, method {row.method!r}"
    if row.table not in tables:
        raise RowError(f"{place}: the table is not declared; declare it in paper.py")
    problem = tables[row.table].problem(row.at)
    if problem:
        raise RowError(f"{place}: {problem}; mend the row or paper.py")
    if row.role not in ROLES:
        raise RowError(f"{place}: role {row.role!r} is none of {', '.join(ROLES)}")
    known = {*printed.get(row.table, ()), *tables[row.table].methods}
    if row.role == "published" and known and row.method not in known:
        raise RowError(
            f"{place}: the paper prints no such method there; give the row the role 'ours' (or "
            "'control'), or list the method in the table if the paper shows it without a number"
        )
