"""How far each open choice of a paper moves its result: one picture, one row a choice.

Every alternative that was run is held against the reading the tables take, cell by cell and on the
runs both have. Rows of other readings are found as the verdicts find them.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reproduction.pages.figures import INK, PALETTE, new_figure
from reproduction.pages.markup import render
from reproduction.pages.results import load_ledger, load_results
from reproduction.pages.wording import setting_words
from reproduction.results.published import load_published
from reproduction.results.tables import Tables
from reproduction.rooms import tables_of
from reproduction.verdicts.cells import records
from reproduction.verdicts.readings import (
    Choice,
    Found,
    Option,
    RowFinder,
    load_readings,
    touching,
)
from reproduction.verdicts.words import CONVENTION, INFERRED, JUDGED, NOT_RUN, TEXT

#: The row in which every choice follows the paper's words at once.
ALL_TEXT = "All choices as the text says"
TRIED = "tried"

#: Unit of the cells -> what an axis calls a step of it.
UNITS = {"percentage": "points"}

_MARKS = {
    TEXT: ("s", PALETTE[0], "text reading"),
    INFERRED: ("D", PALETTE[1], "inferred reading"),
    TRIED: ("o", PALETTE[8], "also tried"),
}
_COLUMNS = ["question", "reading", "alternative", "shift", "closer"]


def _status(option: Option) -> str:
    return TEXT if option.status == CONVENTION else option.status


def _cells(ledger: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the cells on real data in the unit most of them have, as the finder reads them."""
    own = ledger[ledger["data"].isin(JUDGED) & ledger["agreement"].ne(NOT_RUN)]
    own = own[own["repeats"] == ""]
    if own.empty:
        return []
    own = own[own["unit"] == own["unit"].mode().iloc[0]]
    return records(own.assign(dataset=own["data_key"]))


def _means(found: Found, compared: Found) -> tuple[float, float]:
    """Return the means of two readings on the runs both have, or on their own where none is."""
    shared = np.intersect1d(found.runs, compared.runs)
    if not shared.size:
        return float(found.values.mean()), float(compared.values.mean())
    first, second = (
        float(each.values[np.isin(each.runs, shared)].mean()) for each in (found, compared)
    )
    return first, second


def _named(found: Found, option: Option, cell: Mapping[str, Any], tables: Tables) -> str:
    """Return what an alternative is called: its settings beyond the cell's own, or its option."""
    if option.status != TRIED:
        return option.name
    other = {name: value for name, value in found.at.items() if cell.get(name) != value}
    reading = found.place[2] if found.place[2] != INFERRED else ""
    told = setting_words(tables[found.place[0]], other) or reading
    return told.replace("_", " ") or option.name


def _alternatives(
    finder: RowFinder, cell: Mapping[str, Any], choices: list[Choice], together: set[str]
) -> Iterator[tuple[str, str, str, Found]]:
    """Yield question, reading, name and rows of everything that was run besides."""
    # a table of one choice may have rows under the readings of another
    elsewhere = {(o.where or {}).get("reading", INFERRED) for c in choices for o in c.options} - {
        INFERRED
    }
    for choice in choices:
        seen = set()
        for option in choice.options:
            if not option.where or str(option.where) in together:
                continue
            for found in finder.find(cell, option.where):
                mixed = "reading" not in option.where and found.place[2] in elsewhere
                if found.place not in seen and not mixed:
                    seen.add(found.place)
                    name = _named(found, option, cell, finder.tables)
                    yield choice.question, _status(option), name, found
    apart = [choice for choice in choices if choice.option(TEXT) != choice.option(INFERRED)]
    text = finder.under(cell, choices, TEXT) if len(apart) > 1 else None
    if text is not None:
        yield ALL_TEXT, TEXT, "everything as the text says", text


def shifts_frame(paper: str) -> pd.DataFrame:
    """One row per cell and alternative: the shift, and how much closer to print (less than 0).

    An alternative that changes no cell is the reading the tables take, and left out.
    """
    tables = tables_of(paper)
    choices = load_readings(paper, load_published(paper), tables)
    finder = RowFinder(load_results(paper).assign(source=""), tables)
    # an option that several choices share was run with all of them at once
    places = Counter(str(o.where) for choice in choices for o in choice.options if o.where)
    together = {place for place, number in places.items() if number > 1}
    found_shifts = []
    for cell in _cells(load_ledger(paper)):
        own = touching(choices, cell)
        compared = finder.under(cell, own, INFERRED)
        if compared is None:
            continue
        for question, reading, name, found in _alternatives(finder, cell, own, together):
            there, here = _means(found, compared)
            closer = abs(there - cell["published"]) - abs(here - cell["published"])
            found_shifts.append((question, reading, name, there - here, closer))
    frame = pd.DataFrame(found_shifts, columns=_COLUMNS)
    moved = frame.groupby(_COLUMNS[:3])["shift"].transform(lambda part: part.abs().max())
    return frame[moved > 1e-9] if len(frame) else frame


def moves(shifts: pd.DataFrame) -> pd.DataFrame:
    """One row per alternative: mean shift over its cells with the ends, and closeness to print.

    What moves most comes first; the row of the whole text reading before all.
    """
    grouped = shifts.groupby(_COLUMNS[:3], sort=False)
    table = grouped.agg(
        cells=("shift", "size"),
        shift=("shift", "mean"),
        low=("shift", "min"),
        high=("shift", "max"),
        closer=("closer", "mean"),
    ).reset_index()
    reach = table["shift"].abs().groupby(table["question"]).transform("max")
    table = table.assign(first=table["question"] != ALL_TEXT, reach=-reach)
    order = ["first", "reach", "question", "shift"]
    return table.sort_values(order, kind="stable", ignore_index=True).drop(
        columns=["first", "reach"]
    )


def taken_reading(paper: str) -> dict[str, str]:
    """Return for each question whether the tables take the text reading or the inferred one."""
    found = load_readings(paper, load_published(paper), tables_of(paper))
    return {each.question: _status(each.option(INFERRED)) for each in found}


def choices_figure(table: pd.DataFrame, taken: Mapping[str, str], unit: str) -> Figure:
    """Draw one row per choice: left the shift of our means, right the distance to print."""
    questions = list(dict.fromkeys(table["question"]))
    height = 1.3 + 0.5 * len(questions)
    figure, (left, right) = new_figure(1, 2, width=9.2, height=height, sharey=True)
    for place, question in enumerate(questions):
        part = table[table["question"] == question]
        _taken_mark((left, right), place, taken.get(question, INFERRED))
        offsets = np.linspace(-0.28, 0.28, len(part)) if len(part) > 1 else [0.0]
        for offset, row in zip(offsets, part.to_dict("records"), strict=True):
            marker, colour, _ = _MARKS[str(row["reading"])]
            label, at = str(row["alternative"]), place + float(offset)
            left.hlines(at, row["low"], row["high"], color=colour, lw=0.9, alpha=0.6)
            for axes, name in ((left, "shift"), (right, "closer")):
                axes.plot([row[name]], [at], marker=marker, color=colour, ls="", label=label)
    step = UNITS.get(unit, unit.replace("_", " "))
    left.set_xlabel(f"shift of our means, {step}")
    right.set_xlabel(f"distance to print, change in {step}\n← closer    farther →")
    wrapped = [textwrap.fill(question, 34) for question in questions]
    left.set_yticks(range(len(questions)), wrapped)
    left.set_ylim(len(questions) - 0.5, -0.5)
    for axes in (left, right):
        axes.axvline(0, color=INK, lw=0.8)
        axes.grid(visible=False, axis="y")
        axes.tick_params(axis="y", length=0)
    handles = [
        Line2D([], [], marker=marker, color=colour, ls="", label=name)
        for marker, colour, name in _MARKS.values()
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))
    return figure


def _taken_mark(panels: tuple[Any, Any], place: int, reading: str) -> None:
    """Mark on the line of nothing which reading the tables take."""
    marker, colour, name = _MARKS[reading]
    for axes in panels:
        options = {"marker": marker, "ls": "", "color": colour, "markerfacecolor": "none"}
        axes.plot([0], [place], label=f"taken in the tables: {name}", **options)


def choices_words(table: pd.DataFrame, unit: str, asked: int) -> str:
    """Say which choice moves most, and how many of those asked hardly move anything."""
    alone = table["question"] != ALL_TEXT
    single, whole = table[alone], table[~alone]
    sizes = single["shift"].abs()
    reach = sizes.groupby(single["question"]).max()
    small = 1.0 if unit == "percentage" else 0.01
    text = render(
        "choices.md",
        asked=asked,
        varied=len(reach),
        quiet=int((reach < small).sum()),
        small=small,
        step=UNITS.get(unit, unit.replace("_", " ")),
        most=single.iloc[int(sizes.to_numpy().argmax())].to_dict() if len(single) else None,
        whole=whole.iloc[0].to_dict() if len(whole) else None,
    )
    return text.strip()
