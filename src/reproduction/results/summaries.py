"""Rows made of rows, such as ranks and correlations; the shapes of all tables that rows have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from reproduction.results.cases import Plan
from reproduction.results.rows import Row
from reproduction.results.tables import Column, Table, Tables

if TYPE_CHECKING:
    import pandas as pd

#: Data set of what is made of the rows of several.
ALL = "all"


class Summary(NamedTuple):
    """Rows made at the end of a job of its own rows, or in a job after others of theirs."""

    job: str
    #: Tables its rows stand in -> the columns they have there.
    tables: Mapping[str, Sequence[Column]]
    make: Callable[[pd.DataFrame], Iterable[Row]]
    #: Places of the results it reads; nothing for the rows of its own job.
    after: tuple[str, ...]

    def rows(self, made: Sequence[Row], before: Mapping[str, pd.DataFrame]) -> list[Row]:
        """Hand the rows over as a frame, with a column for each setting."""
        import pandas as pd

        own = [pd.DataFrame([{**vars(row), **row.at} for row in made])]
        frames = [before[place] for place in self.after] or own
        return list(self.make(pd.concat(frames, ignore_index=True)))


def shapes(
    plans: Sequence[Plan], summaries: Sequence[Summary], unprinted: Mapping[str, tuple[str, ...]]
) -> Tables:
    """Return the shapes of all tables, with the methods that print has there without a number."""
    found: dict[str, list[Sequence[Column]]] = {}
    for plan in plans:
        found.setdefault(plan.name, []).append(plan.all_columns())
    for each in summaries:
        for name, columns in each.tables.items():
            found.setdefault(name, []).append(columns)
    timed = {plan.name for plan in plans if plan.timed}
    shown = {name: merged(several) for name, several in found.items()}
    return Tables(
        *(Table(name, shown[name], unprinted.get(name, ()), name in timed) for name in shown)
    )


def merged(several: Sequence[Sequence[Column]]) -> tuple[Column, ...]:
    """Return all columns of a table; those that only some of its plans have are optional."""
    found = {column.name: column for columns in several for column in columns}
    always = set.intersection(*({column.name for column in columns} for columns in several))
    return tuple(
        replace(column, optional=column.optional or name not in always)
        for name, column in found.items()
    )
