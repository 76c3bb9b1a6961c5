"""Cells that print one number twice: they count once, where they stand first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from reproduction.results.tables import Tables
from reproduction.rooms import SecondName


def _given(value: Any) -> bool:
    return not (value is None or value == "" or (isinstance(value, float) and math.isnan(value)))


def _named(cell: Mapping[str, Any], names: Iterable[SecondName]) -> tuple[str, frozenset[str]]:
    """Return the method's first name, and the settings that its second name stands for."""
    for name in names:
        here = (cell["table"], cell["method"]) == (name.table, name.method)
        if here and all(cell.get(key) == value for key, value in name.at.items()):
            return name.same_as, frozenset(name.at)
    return str(cell["method"]), frozenset()


def find_repeats(
    cells: Iterable[Mapping[str, Any]], tables: Tables, names: Iterable[SecondName] = ()
) -> dict[int, int]:
    """Return place of a repeated cell -> place of the cell it repeats, in the order of print.

    Two cells are one number when data set, method, metric and printed mean are the same, and
    neither their deviations nor their settings contradict each other: what one of them does not
    give contradicts nothing.

    ``names`` are methods that a table prints under another name.
    """
    aliases = tuple(names)
    found: dict[int, int] = {}
    firsts: dict[tuple[Any, ...], list[tuple[int, dict[str, Any], str]]] = {}
    for place, cell in enumerate(cells):
        method, spent = _named(cell, aliases)
        facts = {
            name: cell[name]
            for name in (*tables.columns, "std")
            if name in cell and name not in spent and _given(cell[name])
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
