"""Published cells: their names, the figure printed in them, which cells print one number twice.

Also how lists that a paper makes about its cells are read: claims, open choices, hypotheses.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from asprinted.agreement import Figure
from reproduction.files import read_yaml
from reproduction.results.tables import Tables
from reproduction.rooms import Paper, RoomError, SecondName

#: What names a cell; after ``setting`` a ledger has a column for each setting of the paper.
CELL_KEYS = ("paper", "table", "dataset", "setting", "method", "metric")


class Fixed(BaseModel):
    """A part of a list that people write: it has its own fields alone, and keeps them."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Entry(Fixed):
    """An entry of a list in a paper's room: a claim, an open choice, a hypothesis."""

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")


class OnCells(Entry):
    """An entry that bears on some published cells."""

    cells: dict[str, list[str | float]] = Field(
        default={}, description="Cells it touches, by column; a column left out means all."
    )

    def touches(self, cell: Mapping[str, Any]) -> bool:
        """Whether it bears on a cell."""
        return all(cell.get(name) in values for name, values in self.cells.items())


Kind = TypeVar("Kind", bound=Entry)


def load_list(kind: type[Kind], source: Path, published: pd.DataFrame | None = None) -> list[Kind]:
    """Read a list; entries that say why they were ``dropped`` are left out.

    Entries on cells must touch a ``published`` one. An error names file, entry and field.
    """
    what, content = kind.__name__.lower(), read_yaml(source)
    cells = [] if published is None else records(published)
    found: dict[str, Kind | None] = {}
    for entry in content if isinstance(content, list) else [content]:
        if not isinstance(entry, dict) or "id" not in entry:
            raise RoomError(f"{source}: {entry!r} is no {what}; list entries, each with an id")
        name = f"{source}: {what} {entry['id']}"
        if name in found:
            raise RoomError(f"{name} is there twice; ids must be unique")
        try:
            made = found[name] = None if "dropped" in entry else kind.model_validate(entry)
        except ValidationError as wrong:
            first = wrong.errors()[0]
            place = ".".join(map(str, first["loc"]))
            text = first["msg"].removeprefix("Value error, ")
            raise RoomError(": ".join(filter(None, (name, place, text)))) from None
        if isinstance(made, OnCells) and not any(map(made.touches, cells)):
            raise RoomError(f"{name} touches no published cell; see its columns and values")
    return [made for made in found.values() if made is not None]


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a table as dictionaries."""
    return [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]


def cell_head(cell: Mapping[str, Any], names: Mapping[str, str], tables: Tables) -> dict[str, Any]:
    """What a ledger's row takes over from the published cell; ``names`` are those of data sets."""
    table = tables[cell["table"]]
    name = names.get(cell["dataset"], cell["dataset"])
    shown = {
        **cell,
        "dataset": f"{name} {table.write(cell, part=True)}".rstrip(),
        "setting": table.write(cell, part=False),
    }
    settings = [column for column in tables.columns if column in cell]
    # a shell takes the name without quotes: mvplsa/3/Cornell/r=0.01/...
    parts = (re.sub(r"[^A-Za-z0-9=.%+-]+", "_", str(shown[key])).strip("_") for key in CELL_KEYS)
    return {
        "cell": "/".join(filter(None, parts)),
        **{key: shown[key] for key in (*CELL_KEYS, *settings, "seen")},
        "published": float(cell["mean"]),
        "published_std": float(cell["std"]),
    }


def printed_figure(card: Paper, head: Mapping[str, Any], runs: float) -> Figure:
    """What is printed; where the text gives no number of runs, print has ours."""
    number = card.printed_runs(str(head["table"])) or runs
    if not math.isnan(head["published_std"]):
        number = max(number, 2)
    return Figure(head["published"], head["published_std"], number)


def given(value: Any) -> bool:
    """Whether a setting has a value."""
    return not (value is None or value == "" or (isinstance(value, float) and math.isnan(value)))


def find_repeats(
    cells: Iterable[Mapping[str, Any]], tables: Tables, names: Sequence[SecondName] = ()
) -> dict[int, int]:
    """Return place of a repeated cell -> place of the cell it repeats, in the order of print.

    Two cells are one number when data set, method, metric and printed mean are the same, and
    neither their deviations nor their settings contradict each other: what one of them does not
    give contradicts nothing. ``names`` are methods that a table prints under another name.
    """
    found: dict[int, int] = {}
    firsts: dict[tuple[Any, ...], list[tuple[int, dict[str, Any], str]]] = {}
    for place, cell in enumerate(cells):
        method, spent = str(cell["method"]), set[str]()
        for alias in names:
            here = (cell["table"], cell["method"]) == (alias.table, alias.method)
            if here and all(cell.get(key) == value for key, value in alias.at.items()):
                method, spent = alias.same_as, set(alias.at)
                break
        facts = {
            name: cell[name]
            for name in (*tables.columns, "std")
            if name in cell and name not in spent and given(cell[name])
        }
        key = (cell["dataset"], method, cell["metric"], float(cell["mean"]))
        for first, known, table in firsts.setdefault(key, []):
            shared = known.keys() & facts.keys()
            if table != cell["table"] and all(known[name] == facts[name] for name in shared):
                found[place] = first
                break
        else:
            firsts[key].append((place, facts, str(cell["table"])))
    return found
