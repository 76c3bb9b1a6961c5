"""Claims as cards: sentence, its three words, reasons and numbers of each reading folded."""

from __future__ import annotations

import html
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from reproduction.pages.markup import MARKS, badge, rerun_html
from reproduction.pages.wording import in_words, number, numbers, readable
from reproduction.verdicts.parts import TESTED
from reproduction.verdicts.words import INFERRED, OPEN, OURS, PUBLISHED, TEXT

#: A row of a table, by column.
_Row = Mapping[Any, Any]

_WIDTH, _HEIGHT, _SIDE = 220, 34, 14

#: Where a sentence is judged: column of the claims -> what readers see.
READINGS = {"in_print": "in print", TEXT: "text", INFERRED: "inferred"}

#: What tells the answers of two readings apart.
_ANSWER = ("reason", "effect", "low", "high", "p_holds", "p_refuted", "n")

#: What a sentence speaks of, in words for readers.
SCOPES = {
    "universal": "each part counts",
    "average": "on average",
    "existence": "at least once",
}


def claim_anchor(claim: str) -> str:
    """Anchor of a claim's card on its paper's page: ``claim-best`` for ``mvplsa.best``."""
    return "claim-" + claim.partition(".")[2]


def claim_link(claim: str) -> str:
    """Address of a claim's card, seen from any page of the report."""
    return f"{claim.partition('.')[0]}.html#{claim_anchor(claim)}"


def _text(value: Any) -> str:
    return "" if value is None or pd.isna(value) else str(value)


def _value(row: _Row, name: str) -> float:
    value = row.get(name, math.nan)
    return math.nan if value is None or value == "" else float(value)


def interval_svg(effect: float, low: float, high: float) -> str:
    """Small picture of an effect and its 95 % interval beside zero; empty without an effect."""
    if not math.isfinite(effect):
        return ""
    ends = [value for value in (low, high) if math.isfinite(value)]
    reach = max(abs(value) for value in (effect, *ends))
    if reach == 0:
        return ""
    middle, half = _WIDTH / 2, _WIDTH / 2 - _SIDE

    def x(value: float) -> str:
        return f"{middle + half * value / reach:.1f}"

    told = f"effect {number(effect)}"
    line = ""
    if len(ends) == 2:
        told += f", 95 % interval {number(low)} to {number(high)}"
        line = f'<path class="whisker" d="M{x(low)},12H{x(high)}"/>'
    return (
        f'<svg class="interval" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" role="img" aria-label="{told}"><title>{told}</title>'
        f'<rect class="claimed" x="{middle}" y="2" width="{half + _SIDE}" height="20"/>'
        f'<path class="zero" d="M{middle},2V22"/>{line}'
        f'<circle class="effect" cx="{x(effect)}" cy="12" r="4.5"/>'
        f'<text x="{middle}" y="32">0</text>'
        f'<text x="{_WIDTH - 2}" y="32" text-anchor="end">as claimed →</text></svg>'
    )


def _units(row: _Row, reading: str) -> str:
    count, unit = _value(row, f"{reading}_n"), _text(row[f"{reading}_unit"])
    if not count or math.isnan(count):
        return ""
    return f"{count:g}" + (f" ({unit})" if unit not in ("", "none") else "")


def decided_by(row: _Row, reading: str) -> str:
    """What would decide a claim that is open; empty for any other."""
    if row[reading] != OPEN:
        return ""
    runs = _value(row, f"{reading}_runs_needed")
    if math.isnan(runs):
        return "; more runs cannot decide it"
    return f"; about {runs:,.0f} runs would decide it"


def over_readings(row: _Row) -> str:
    """In how many of the readings run a claim holds; empty where none was."""
    run, hold = (_value(row, f"readings_{name}") for name in ("run", "hold"))
    return f"holds in {hold:.0f} of {run:.0f} readings run" if run else ""


def _in_full(row: _Row, reading: str, title: str, parts: Sequence[_Row]) -> str:
    """Reason, picture and numbers of a claim under one reading."""
    effect, low, high = (_value(row, f"{reading}_{name}") for name in ("effect", "low", "high"))
    shown = {"effect": number(effect)}
    if math.isfinite(low):
        shown["95 % interval"] = f"{number(low)} to {number(high)}"
        for word in ("holds", "refuted"):
            shown[f"p, {word}"] = number(_value(row, f"{reading}_p_{word}"))
    shown["units"] = _units(row, reading)
    items = "".join(
        f"<div><dt>{term}</dt><dd>{html.escape(value)}</dd></div>"
        for term, value in shown.items()
        if value
    )
    reason = readable(_text(row[f"{reading}_reason"]) + decided_by(row, reading))
    return (
        f"<p><b>{title}</b> {badge(str(row[reading])).markup}</p>"
        f'<p class="reason">{html.escape(reason)}</p>{interval_svg(effect, low, high)}'
        + (f"<dl>{items}</dl>" if items else "")
        + _parts_table(parts)
    )


def _parts_table(parts: Sequence[_Row]) -> str:
    """Parts of a claim under one reading, a row each; one part is the claim itself."""
    if len(parts) < 2:
        return ""
    # a test that all parts share is named once, in the head
    tests = {_text(part["test"]) for part in parts if part["state"] == TESTED}
    shared = f" ({min(tests)})" if len(tests) == 1 else ""
    rows, last = [], ""
    chances = numbers([_value(part, "p_holds") for part in parts], 2)
    for part, chance in zip(parts, chances, strict=True):
        # parts of one group stand together, below its name
        group, name = _text(part["group"]), _text(part["part"])
        what = readable(f"{group}: {name}: " if group != last and group else f"{name}: ")
        last = group
        cells = [what.removesuffix(": "), f"{MARKS[part['word']]} {part['word']}"]
        if part["state"] == TESTED:
            effect, low, high = (_value(part, key) for key in ("effect", "low", "high"))
            test = "" if shared else f"{part['test']} "
            cells += [
                in_words(f"{effect:+.3g}"), in_words(f"{low:.3g} to {high:.3g}"), f"{part['n']:g}",
                test + chance,
            ]  # fmt: skip
            rows.append("<tr>" + "".join(f"<td>{html.escape(cell)}" for cell in cells))
        else:
            cells.append(readable(_text(part["reason"])))
            told = [html.escape(cell) for cell in cells]
            rows.append(f"<tr><td>{told[0]}<td>{told[1]}<td colspan=4>{told[2]}")
    names = ("part", "word", "effect", "95 % interval", "n", f"p{shared}")
    head = "".join(f"<th>{name}" for name in names)
    # closing tags of rows and cells may be left out, and a page has a thousand of them
    return (
        '<div class="parts"><table aria-label="Parts of this claim">'
        f"<thead><tr>{head}</thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def three_words(row: _Row) -> str:
    """Words of a claim side by side: in print, text, inferred."""
    tested = _text(row["in_print_tested"])
    below = {"in_print": f"by its own deviations: {tested}" if tested else ""}
    below |= {name: decided_by(row, name).removeprefix("; ") for name in (TEXT, INFERRED)}
    cells = (
        f"<div><dt>{title}</dt><dd>{badge(str(row[name])).markup}"
        + (f'<small class="soft">{html.escape(below[name])}</small>' if below[name] else "")
        + "</dd></div>"
        for name, title in READINGS.items()
    )
    return f'<dl class="three">{"".join(cells)}</dl>'


def claim_card(row: _Row, parts: Mapping[str, Sequence[_Row]]) -> str:
    """Card of one claim, with its parts under each reading."""
    name = claim_anchor(str(row["id"]))
    said = (row["where"], SCOPES.get(row["scope"], row["scope"]), f"about {row['about']}")
    data = f"{row['data']} data" if row["data"] else ""
    counts = "" if row["counts"] == "yes" else "not counted"
    note = " · ".join(filter(None, (*map(_text, said), data, counts)))
    # where both readings are the same rows, their answer is told once
    same = all(_text(row[f"{TEXT}_{key}"]) == _text(row[f"{INFERRED}_{key}"]) for key in _ANSWER)
    titles = {TEXT: "text and inferred"} if same else {k: READINGS[k] for k in (TEXT, INFERRED)}
    full = "".join(_in_full(row, key, title, parts.get(key, ())) for key, title in titles.items())
    told = over_readings(row)
    strip = f'<p class="note">{told}</p>' if told else ""
    check = f"Test: “{_text(row['check']).replace('_', ' ')}” in this reproduction's claims.py"
    return (
        f'<li class="claim" id="{name}"><p class="claim-head">'
        f'<span class="statement">{html.escape(in_words(_text(row["statement"])))}</span> '
        f'<a class="here" href="#{name}" aria-label="Link to this claim">#</a></p>'
        f"{three_words(row)}{strip}"
        f"<details><summary>Reasons and numbers</summary>{full}"
        f'<p class="note">{html.escape(note)}. {html.escape(check)}</p></details></li>'
    )


_TITLES = {
    PUBLISHED: "Sentences of the authors",
    OURS: "Our own tests, never counted",
}


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]


def claim_cards(claims: pd.DataFrame, parts: pd.DataFrame, commands: Sequence[str] = ()) -> str:
    """Cards of a paper's claims: the authors' sentences, then our own tests.

    ``parts`` has a row for each part of a claim, as scoring wrote them.
    """
    rows = _rows(claims)
    made_of: dict[str, dict[str, list[_Row]]] = defaultdict(lambda: defaultdict(list))
    for part in _rows(parts):
        made_of[part["id"]][part["reading"]].append(part)
    shown = []
    for origin, title in _TITLES.items():
        own = [row for row in rows if row["origin"] == origin]
        if own:
            cards = "\n".join(claim_card(row, made_of[row["id"]]) for row in own)
            shown.append(
                f'<h3 id="claims-{origin}">{title}</h3>\n<ul class="claim-cards">{cards}</ul>'
            )
    shown.append(rerun_html("Rerun these verdicts", commands))
    return f'<section class="claims">{"".join(shown)}</section>'
