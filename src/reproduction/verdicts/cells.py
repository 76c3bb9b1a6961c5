"""Published cells: their names, the figure printed in them, which cells print one number twice.

Also how lists that a paper makes about its cells are read: claims, open choices, hypotheses.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd
from pydantic import ValidationError

from reproduction.files import read_yaml
from reproduction.results.tables import Tables
from reproduction.rooms import Paper, SecondName
from reproduction.verdicts.agreement import Figure

#: What names a cell; after ``setting`` a ledger has a column for each setting of the paper.
CELL_KEYS = ("paper", "table", "dataset", "setting", "method", "metric")

Entry = TypeVar("Entry")


def load_entries(
    source: Path, what: str, error: type[ValueError], make: Callable[[dict[str, Any]], Entry]
) -> list[Entry]:
    """Read a list of entries, each with an id; an ``error`` names file, entry and field."""
    content = read_yaml(source)
    if not isinstance(content, list):
        raise error(f"{source}: holds no list of {what}s; begin each with a dash")
    made: dict[str, Entry] = {}
    for entry in content:
        if not isinstance(entry, dict) or "id" not in entry:
            raise error(f"{source}: {entry!r} is no {what}; give it an id")
        name = str(entry["id"])
        if name in made:
            raise error(f"{source}: {what} {name} is there twice; ids must be unique")
        try:
            made[name] = make(entry)
        except ValidationError as wrong:
            first = wrong.errors()[0]
            place = ".".join(map(str, first["loc"]))
            text = first["msg"].removeprefix("Value error, ")
            raise error(f"{source}: {what} {name}: {place + ': ' * bool(place)}{text}") from None
    return list(made.values())


def check_cells(
    cells: Mapping[str, Any], published: pd.DataFrame, what: str, error: type[ValueError]
) -> None:
    """Refuse columns and values that no published cell has."""
    unknown = [name for name in cells if name not in published.columns]
    if unknown:
        raise error(f"{what}: published cells have no column {unknown[0]!r}")
    if not any(touches(cells, cell) for cell in records(published)):
        raise error(f"{what} touches no published cell")


def touches(cells: Mapping[str, Any], cell: Mapping[str, Any]) -> bool:
    """Whether a cell is among those that columns and their values name."""
    return all(cell.get(name) in values for name, values in cells.items())


def cell_id(cell: Mapping[str, Any]) -> str:
    """Name of a cell that a shell takes without quotes: ``mvplsa/3/Cornell/r=0.01/...``."""
    parts = (re.sub(r"[^A-Za-z0-9=.%+-]+", "_", str(cell[key])).strip("_") for key in CELL_KEYS)
    return "/".join(part for part in parts if part)


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
    return {
        "cell": cell_id(shown),
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
        method, spent = str(cell["method"]), set()
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
