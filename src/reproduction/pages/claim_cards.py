"""Claims as cards: sentence, verdict, a plain reason, a small picture, the numbers folded."""

from __future__ import annotations

import html
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from reproduction.pages.markup import badge, rerun_html
from reproduction.pages.wording import in_words, number, numbers, readable
from reproduction.verdicts.parts import TESTED
from reproduction.verdicts.statistics import Outcome
from reproduction.verdicts.words import OURS, PUBLISHED

#: A row of a table, by column.
_Row = Mapping[str, Any]

_WIDTH, _HEIGHT, _SIDE = 220, 34, 14

#: Fewer tested parts than this are told in a sentence.
_FEW = 3

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


def _numbers(row: _Row, parts: Sequence[_Row]) -> str:
    low, high = _value(row, "low"), _value(row, "high")
    interval = f"{number(low)} to {number(high)}" if math.isfinite(low) else ""
    shown = {
        "effect": number(_value(row, "effect")),
        "95 % interval": interval,
        "p-value": number(_value(row, "p_value")),
        "p-value, Holm": number(_value(row, "p_holm")),
        "units": _units(row),
        "test": f"“{_text(row['check']).replace('_', ' ')}” in this reproduction's claims.py",
    }
    table = _parts_table(parts)
    if not table:
        shown["in full"] = readable(_text(row["detail"]))
    items = "".join(
        f"<div><dt>{term}</dt><dd>{html.escape(value)}</dd></div>"
        for term, value in shown.items()
        if value
    )
    return f"<details><summary>Numbers</summary><dl>{items}</dl>{table}</details>"


def _units(row: _Row) -> str:
    count, unit = _value(row, "n"), _text(row["unit"])
    if not count or math.isnan(count):
        return ""
    return f"{count:g}" + (f" ({unit})" if unit not in ("", "none") else "")


def _outcome(part: _Row) -> Outcome:
    """What the test of a part found."""
    effect, low, high, p_value = (_value(part, key) for key in ("effect", "low", "high", "p_value"))
    return Outcome(int(part["n"]), effect, low, high, p_value, _text(part["test"]))


def _parts_table(parts: Sequence[_Row]) -> str:
    """Parts of a claim as a table, a row each; empty where few were tested."""
    tested = [_outcome(part) for part in parts if part["state"] == TESTED]
    if len(tested) < _FEW or 2 * len(tested) < len(parts):
        return ""
    # a test that all parts share is named once, in the head
    tests = {outcome.name for outcome in tested}
    shared = f" ({tests.pop()})" if len(tests) == 1 else ""
    chances = numbers([float(outcome.texts()[-1]) for outcome in tested], 2)
    answers = iter(zip(tested, chances, strict=True))
    rows, last = [], ""
    for part in parts:
        # parts of one group stand together, below its name
        group, name = _text(part["group"]), _text(part["part"])
        what = f"{group}: {name}" if group != last and group else name
        last = group
        cells = [readable(f"{what}: ").removesuffix(": ")]
        if part["state"] == TESTED:
            outcome, chance = next(answers)
            effect, low, high, _ = outcome.texts()
            test = "" if shared else f"{outcome.name} "
            cells += map(in_words, (effect, f"{low} to {high}", str(outcome.n), test + chance))
            rows.append("<tr>" + "".join(f"<td>{html.escape(cell)}" for cell in cells))
        else:
            told = readable(_text(part["reason"]))
            rows.append(f"<tr><td>{html.escape(cells[0])}<td colspan=4>{html.escape(told)}")
    head = "".join(f"<th>{name}" for name in ("part", "effect", "95 % interval", "n", f"p{shared}"))
    # closing tags of rows and cells may be left out, and a page has a thousand of them
    return (
        '<div class="parts"><table aria-label="Parts of this claim">'
        f"<thead><tr>{head}</thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def claim_card(row: _Row, parts: Sequence[_Row] = ()) -> str:
    """Card of one claim, with its parts."""
    name = claim_anchor(str(row["id"]))
    verdict, inferred = str(row["verdict"]), _text(row["verdict_inferred"])
    axes = " · ".join(filter(None, (_text(row["data"]), _text(row["protocol"]))))
    counts = "" if row["counts"] == "yes" else " · not counted"
    other = (
        f'<p class="other">By the inferred reading: {badge(inferred).markup}</p>'
        if inferred and inferred != verdict
        else ""
    )
    scope = SCOPES.get(_text(row["scope"]), _text(row["scope"]))
    picture = interval_svg(_value(row, "effect"), _value(row, "low"), _value(row, "high"))
    return (
        f'<li class="claim" id="{name}"><p class="claim-head">{badge(verdict).markup} '
        f'<span class="c-axes">{html.escape(axes)}{counts}</span> '
        f'<a class="here" href="#{name}" aria-label="Link to this claim">#</a></p>'
        f'<p class="statement">{html.escape(in_words(_text(row["statement"])))}</p>'
        f'<p class="note">{html.escape(_text(row["where"]))}; {html.escape(scope)}</p>'
        f'<p class="reason">{html.escape(readable(_text(row["reason"])))}</p>{other}{picture}'
        f"{_numbers(row, parts)}</li>"
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
    made_of: dict[str, list[_Row]] = defaultdict(list)
    for part in _rows(parts):
        made_of[part["id"]].append(part)
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
