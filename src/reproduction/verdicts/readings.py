"""The protocol axis: what a paper leaves open, how it was read, and the rows of every reading.

A paper lists its open choices in ``readings.yaml``. A choice has options; one of them belongs to
the *text* reading (the paper's words, or the field's default where they are silent), at most one to
the *inferred* reading (what the evidence says the authors did). An option says where its rows lie:
which columns of a cell's own place it changes. Rows of a cell under another ``reading`` are found
without being listed.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
from pydantic import Field, model_validator

from asprinted.words import CONVENTION, INFERRED, PROTOCOL, TEXT, worst
from reproduction.results.tables import Tables
from reproduction.rooms import RoomError, room
from reproduction.verdicts.cells import Fixed, OnCells, given, load_list

READINGS_FILE = "readings.yaml"

_CELL = ("table", "dataset", "method", "metric")


class Option(Fixed):
    """One way to read what a paper leaves open.

    ``where`` holds the columns of a cell's place that differ for its rows; nothing differs for the
    option that the tables take, and an option that was never run has no ``where``.
    """

    name: str = Field(min_length=1)
    status: Literal["text", "convention", "inferred", "tried"]
    where: dict[str, str | float] | None = None
    source: str = ""


class Made(Fixed):
    """When a choice was made."""

    commit: str = Field(min_length=7, description="Commit that brought it in.")
    numbers_seen: bool = Field(description="Whether results had been held against print before.")


class Choice(OnCells):
    """One open choice of a paper."""

    question: str = Field(min_length=1)
    says: str = Field(min_length=1, description="What the paper says, in our words, or that not.")
    place: str = Field(description="Where it says so, or where it should.")
    made: Made
    tried: int = Field(ge=1, description="Readings that were tried before one was taken.")
    evidence: str = Field(default="", description="Why the inferred option was taken.")
    options: tuple[Option, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _has_its_options(self) -> "Choice":
        statuses: list[str] = [option.status for option in self.options]
        if sum(status in (TEXT, CONVENTION) for status in statuses) != 1:
            raise ValueError("needs exactly one option with the status text or convention")
        if statuses.count(INFERRED) > 1:
            raise ValueError("has two options with the status inferred; one may have it")
        if INFERRED in statuses and not self.evidence.strip():
            raise ValueError("has an inferred option without its evidence")
        if sum(option.where == {} for option in self.options) > 1:
            raise ValueError("has two options that take the rows as they are")
        return self

    def option(self, headline: str) -> Option:
        """Return the option of a headline: the text reading, or the inferred one."""
        named = {option.status: option for option in self.options}
        text: Option = named.get("text") or named["convention"]
        return named.get("inferred", text) if headline == INFERRED else text


def load_readings(
    paper: str, published: pd.DataFrame, tables: Tables, path: Path | str | None = None
) -> tuple[Choice, ...]:
    """Read and check a paper's open choices (or those of another file).

    Every choice must touch a published cell, an option's rows lie in a declared table.
    """
    source = Path(path or room(paper) / READINGS_FILE)
    choices = load_list(Choice, source, published)
    known = {"table", "reading", "method", *tables.columns}
    for name, option in ((choice.id, option) for choice in choices for option in choice.options):
        where, what = option.where or {}, f"{source}: choice {name}: {option.name!r}"
        if unknown := sorted({*where} - known):
            raise RoomError(f"{what} changes no column {unknown[0]!r}")
        if "table" in where and where["table"] not in tables:
            raise RoomError(f"{what}: no table {where['table']!r} declared")
    return tuple(choices)


def touching(choices: Iterable[Choice], cell: Mapping[str, Any]) -> list[Choice]:
    """Return the choices that bear on a cell."""
    return [choice for choice in choices if choice.touches(cell)]


def protocol(choices: Iterable[Choice], headline: str) -> str:
    """Return the protocol word of a cell under a headline: the worst of its choices."""
    return worst((choice.option(headline).status for choice in choices), PROTOCOL)


@dataclass(frozen=True)
class Found:
    """Runs of a cell under one reading, in order, with their place and its settings."""

    place: tuple[str, str, str]
    runs: np.ndarray
    values: np.ndarray
    sources: np.ndarray
    at: Mapping[str, Any] = field(default_factory=dict)


class RowFinder:
    """Rows of a paper's published methods, found by the place of a cell under a reading."""

    def __init__(self, rows: pd.DataFrame, tables: Tables) -> None:
        self.tables = tables
        self._groups: dict[tuple[Any, ...], list[Found]] = {}
        own = rows[rows["role"] == "published"].sort_values("run", kind="stable")
        keys = [*_CELL, "setting", "reading"]
        settings = [name for name in tables.columns if name in own.columns]
        runs, sources = own["run"].to_numpy(), own["source"].to_numpy()
        values = own["value"].to_numpy(dtype=float)
        # frames of a few rows would take most of the time: groups are places in the arrays
        places: Any = own.groupby(keys).indices
        groups = [at for _, at in sorted(places.items())]
        heads = own.iloc[[at[0] for at in groups]][[*keys, *settings]].to_dict("records")
        for head, at in zip(heads, groups, strict=True):
            place = (str(head["table"]), str(head["setting"]), str(head["reading"]))
            known = {name: head[name] for name in settings if given(head[name])}
            group = Found(place, runs[at], values[at], sources[at], known)
            self._groups.setdefault(tuple(head[name] for name in _CELL), []).append(group)

    def find(self, cell: Mapping[str, Any], where: Mapping[str, Any]) -> list[Found]:
        """Return the rows of a cell with some columns of its place changed, one group a place.

        In the cell's own table the reading is the compared one unless it is given. In another
        table settings that are neither the cell's nor given are free; optional ones are empty.
        """
        target = {**{name: cell[name] for name in _CELL}, **where}
        elsewhere = target["table"] != cell["table"]
        wanted: dict[str, Any] = {}
        for column in self.tables[str(target["table"])].columns:
            value = where.get(column.name, cell.get(column.name))
            if given(value):
                wanted[column.name] = value
            elif column.optional or not elsewhere:
                wanted[column.name] = None
        reading = where.get("reading", None if elsewhere else INFERRED)
        return [
            group
            for group in self._groups.get(tuple(target[name] for name in _CELL), ())
            if reading in (None, group.place[2])
            and all(group.at.get(name) == value for name, value in wanted.items())
        ]

    def under(
        self, cell: Mapping[str, Any], choices: Iterable[Choice], headline: str
    ) -> Found | None:
        """Return the rows of a cell under a headline; None where they were not run together."""
        where: dict[str, Any] = {}
        for choice in choices:
            option = choice.option(headline)
            if option.where is None:
                return None
            for name, value in option.where.items():
                if where.setdefault(name, value) != value:
                    return None
        found = self.find(cell, where)
        if len(found) > 1 and "reading" not in where:  # the compared one, where nobody says more
            found = [each for each in found if each.place[2] == INFERRED] or found
        if len(found) > 1:
            places = " and ".join(" ".join(each.place) for each in found[:2])
            raise RoomError(
                f"the {headline} reading of {cell['table']} {cell['method']} names more than one "
                f"place ({places}); say in {READINGS_FILE} which"
            )
        return found[0] if found else None

    def others(
        self, cell: Mapping[str, Any], choices: Iterable[Choice], compared: Found
    ) -> Iterator[Found]:
        """Yield the rows of a cell under every other reading that was run, each place once.

        A table of choices often repeats the compared choice on some of the same runs; rows that
        give the same values there are no other reading.
        """
        seen = {compared.place}
        own = self._groups.get(tuple(cell[name] for name in _CELL), ())
        readings = sorted({group.place[2] for group in own})
        ways: list[dict[str, Any]] = [{"reading": reading} for reading in readings]
        ways += [dict(o.where) for choice in choices for o in choice.options if o.where]
        for where in ways:
            for found in self.find(cell, where):
                if found.place not in seen and not _repeats(found, compared):
                    seen.add(found.place)
                    yield found


def _repeats(found: Found, compared: Found) -> bool:
    """Whether rows have the values of the compared ones on the runs they share."""
    known = dict(zip(compared.runs, compared.values, strict=True))
    return all(
        run in known and math.isclose(known[run], value, rel_tol=1e-9, abs_tol=1e-12)
        for run, value in zip(found.runs, found.values, strict=True)
    )
