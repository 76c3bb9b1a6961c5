"""How far each open choice of a paper moves its result: one picture, one row a choice.

Every alternative that was run is held against the reading the tables take, cell by cell and on the
runs both have. Rows of other readings are found as the verdicts find them.
"""

import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from asprinted.agreement import WORDS, figure_of, judge
from asprinted.agreement import Figure as Printed
from asprinted.base_rates import judged
from asprinted.margins import load_margins
from asprinted.parts import lines
from asprinted.words import CONVENTION, INFERRED, TEXT, UNTESTABLE
from reproduction.pages.claims import claim_anchor
from reproduction.pages.figures import INK, PALETTE, new_figure
from reproduction.pages.markup import render
from reproduction.pages.results import load_claim_parts, load_claims, load_ledger, load_results
from reproduction.pages.wording import setting_words
from reproduction.results.published import load_published
from reproduction.results.summary import decimals
from reproduction.rooms import RoomError, find_paper, open_module, tables_of
from reproduction.verdicts.cells import records
from reproduction.verdicts.claim_scores import answer, checked, load_claims_file
from reproduction.verdicts.readings import Choice, Found, Option, RowFinder, load_readings, touching

#: The row in which every choice follows the paper's words at once.
ALL_TEXT = "All choices as the text says"
TRIED = "tried"

#: Unit of the cells -> what an axis calls a step of it.
UNITS = {"percentage": "points"}

_MARKS = {
    TEXT: ("s", PALETTE[1], "text reading"),
    INFERRED: ("o", PALETTE[0], "inferred reading"),
    TRIED: ("^", PALETTE[2], "also tried"),
}
_COLUMNS = [
    "question", "reading", "alternative", "shift", "closer", "mean", "cell", "unit", "metric",
    "ours", "runs", "agreement",
]  # fmt: skip


def _status(option: Option) -> str:
    return TEXT if option.status == CONVENTION else option.status


def _decided(choice: Choice) -> bool:
    """Whether the inferred reading takes another option than the text."""
    return choice.option(TEXT) != choice.option(INFERRED)


def _alternatives(
    finder: RowFinder,
    cell: Mapping[str, Any],
    choices: list[Choice],
    together: set[str],
    whole: bool,
) -> Iterator[tuple[str, str, str, Found]]:
    """Yield question, reading, name and rows of everything run besides; ``whole`` text, too."""
    # a table of one choice may have rows under the readings of another
    elsewhere = {(o.where or {}).get("reading", INFERRED) for c in choices for o in c.options}
    for choice in choices:
        seen = set()
        for option in choice.options:
            if not option.where or str(option.where) in together:
                continue
            for found in finder.find(cell, option.where):
                table, _, reading = found.place
                mixed = "reading" not in option.where and reading in elsewhere - {INFERRED}
                if found.place in seen or mixed:
                    continue
                seen.add(found.place)
                name = option.name
                if option.status == TRIED:  # called by its settings beyond the cell's own
                    other = {key: v for key, v in found.at.items() if cell.get(key) != v}
                    named = "" if reading == INFERRED else reading
                    told = setting_words(finder.tables[table], other) or named
                    name = told.replace("_", " ") or name
                yield choice.question, _status(option), name, found
    text = finder.under(cell, choices, TEXT) if whole and any(map(_decided, choices)) else None
    if text is not None:
        yield ALL_TEXT, TEXT, "everything as the text says", text


def _compared(
    paper: str, rows: pd.DataFrame, cells: pd.DataFrame
) -> Iterator[tuple[dict[str, Any], list[Choice], Found, list[tuple[str, str, str, Found]]]]:
    """Yield every cell with its choices, its compared rows, and what was run besides.

    Where rows are found, their ``sources`` are their places in ``rows``.
    """
    tables = tables_of(paper)
    choices = load_readings(paper, load_published(paper), tables)
    finder = RowFinder(rows.assign(source=rows.index), tables)
    # an option that several choices share was run with all of them at once
    places = Counter(str(o.where) for choice in choices for o in choice.options if o.where)
    together = {place for place, number in places.items() if number > 1}
    whole = sum(map(_decided, choices)) > 1  # of one choice it is its text option
    for cell in records(cells.assign(dataset=cells["data_key"])):
        own = touching(choices, cell)
        if (compared := finder.under(cell, own, INFERRED)) is not None:
            yield cell, own, compared, list(_alternatives(finder, cell, own, together, whole))


def _mean(found: Found, shared: np.ndarray) -> float:
    """Mean over the runs that two readings share, or over its own where they share none."""
    return float(found.values[np.isin(found.runs, shared) | (not shared.size)].mean())


def shifts_frame(paper: str) -> pd.DataFrame:
    """One row per cell and alternative: the shift, and how much closer to print (less than 0).

    Shift and ``mean`` are over the runs that both have; ``ours``, ``runs`` and ``agreement`` over
    all of the alternative. Cells are those on real data. An alternative that changes no cell is the
    reading the tables take, and left out.
    """
    cells, margins = judged(load_ledger(paper)), load_margins()
    shifts = []
    for cell, _, compared, others in _compared(paper, load_results(paper), cells):
        printed = Printed(*(cell[f"published{part}"] for part in ("", "_std", "_runs")))
        for question, reading, name, found in others:
            shared = np.intersect1d(found.runs, compared.runs)
            there, here = _mean(found, shared), _mean(compared, shared)
            closer = abs(there - cell["published"]) - abs(here - cell["published"])
            ours = figure_of(found.values)
            word = judge(printed, ours, margins.unit(cell["metric"])).word
            where = cell["cell"], cell["unit"], cell["metric"]
            measured = there - here, closer, there, *where, ours.mean, ours.runs, word
            shifts.append((question, reading, name, *measured))
    frame = pd.DataFrame(shifts, columns=_COLUMNS)
    moved = frame["shift"].abs().groupby([frame[name] for name in _COLUMNS[:3]]).transform("max")
    return frame[moved > 1e-9]


def moves(shifts: pd.DataFrame) -> pd.DataFrame:
    """One row per alternative: mean shift over its cells with the ends, and closeness to print.

    What moves most comes first; the row of the whole text reading before all.
    """
    table = shifts.groupby(_COLUMNS[:3], sort=False, as_index=False).agg(
        cells=("shift", "size"),
        shift=("shift", "mean"),
        low=("shift", "min"),
        high=("shift", "max"),
        closer=("closer", "mean"),
    )
    reach = table["shift"].abs().groupby(table["question"]).transform("max")
    table = table.assign(first=table["question"] != ALL_TEXT, reach=-reach)
    order = ["first", "reach", "question", "shift"]
    table = table.sort_values(order, kind="stable", ignore_index=True)
    return table.drop(columns=["first", "reach"])


def taken_reading(paper: str) -> dict[str, str]:
    """Return for each question whether the tables take the text reading or the inferred one."""
    found = load_readings(paper, load_published(paper), tables_of(paper))
    return {each.question: _status(each.option(INFERRED)) for each in found}


def turned_claims(paper: str) -> dict[tuple[Any, ...], dict[str, str]]:
    """Return the words of the claims under each alternative of one choice, by question and name.

    The alternative's runs stand in the place of the compared ones, in every cell that the choice
    bears on. A claim has a word where as many of its parts are tested as in the tables' reading.
    """
    rows, parts = load_results(paper).reset_index(drop=True), load_claim_parts(paper)
    # checks ask for the columns of all tables, whether or not this run has rows of each
    rows = rows.reindex(columns=list(dict.fromkeys([*rows, *tables_of(paper).columns])))
    own = parts[(parts["reading"] == INFERRED) & (parts["state"] != UNTESTABLE)]
    known = own.groupby("id").size()
    replaced, turned = defaultdict[str, list[int]](list), defaultdict[Any, list[Any]](list)
    for _, touched, compared, others in _compared(paper, rows, judged(load_ledger(paper))):
        for each in touched:
            replaced[each.question] += list(compared.sources)
        for question, _, name, found in others:
            like = rows.loc[[compared.sources[0]] * len(found.runs)]
            turned[question, name].append(like.assign(run=found.runs, value=found.values))
    claims, checks = load_claims_file(paper), open_module(paper, "claims")
    words: dict[tuple[Any, ...], dict[str, str]] = {}
    for (question, name), frames in turned.items():
        if question != ALL_TEXT:  # the text reading, which every claim says anyway
            frame = pd.concat([rows.drop(index=replaced[question]), *frames], ignore_index=True)
            for claim in (each for each in claims if each.key in known):
                params = {**claim.params, **(claim.inferred or {})}
                try:
                    part = answer(checked(claim, checks), frame, params)
                except RoomError as error:
                    # it asks for as many runs of every cell; this reading has fewer
                    if not isinstance(error.__cause__, ValueError):
                        raise
                    continue
                tested = sum(one.state != UNTESTABLE for _, _, one in lines(part))
                if tested == known[claim.key]:
                    words.setdefault((question, name), {})[claim_anchor(claim.key)] = part.word
    return words


def switch(paper: str) -> str:
    """Return the box that shows all tables of a page under another reading; none without one."""
    names, readings, turned, ledger = [], [], turned_claims(paper), load_ledger(paper)
    repeats = ledger[ledger["repeats"] != ""].set_index("cell")["repeats"].to_dict()
    # the whole text reading stands in the ledger and the claims already
    own = ["ours", "runs", "agreement"]
    whole = ledger.drop(columns=own).rename(columns={f"text_{name}": name for name in own})
    whole = whole[whole["agreement"].isin(WORDS)]
    for name, found in shifts_frame(paper).groupby(["question", "alternative"], sort=False):
        cells, claims = {}, turned.get(name, {})
        if name[0] == ALL_TEXT:
            found, text = whole, load_claims(paper).set_index("id")[TEXT]
            claims = {claim_anchor(str(key)): word for key, word in text.items()}
        for row in records(found):
            told = f"{row['ours']:.{decimals(row['metric'])}f}"
            cells[row["cell"]] = [told, row["agreement"], f"{told} over {row['runs']:.0f} runs"]
        cells |= {cell: cells[first] for cell, first in repeats.items() if first in cells}
        names.append(name)
        readings.append({"cells": cells, "claims": claims})
    main = [claim_anchor(f"{paper}.{claim}") for claim in find_paper(paper).main_claims]
    return render("switch.html", names=names, readings=readings, main=main) if names else ""


def choices_figure(table: pd.DataFrame, taken: Mapping[str, str], unit: str) -> Figure:
    """Draw one row per choice: left the shift of our means, right the distance to print."""
    questions = list(dict.fromkeys(table["question"]))
    height = 1.3 + 0.5 * len(questions)
    figure, (left, right) = new_figure(1, 2, width=9.2, height=height, sharey=True)
    for place, question in enumerate(questions):
        part = table[table["question"] == question]
        marker, colour, name = _MARKS[taken.get(question, INFERRED)]
        for axes in (left, right):  # which reading the tables take stands on the line of nothing
            look = {"marker": marker, "color": colour, "ls": "", "markerfacecolor": "none"}
            axes.plot([0], [place], label=f"taken in the tables: {name}", **look)
        offsets = np.linspace(-0.28, 0.28, len(part)) if len(part) > 1 else [0.0]
        for offset, row in zip(offsets, records(part), strict=True):
            (marker, colour, _), at = _MARKS[row["reading"]], place + float(offset)
            left.hlines(at, row["low"], row["high"], color=colour, lw=0.9, alpha=0.6)
            for axes, measure in ((left, "shift"), (right, "closer")):
                look = {"marker": marker, "color": colour, "ls": "", "label": row["alternative"]}
                axes.plot([row[measure]], [at], **look)
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
