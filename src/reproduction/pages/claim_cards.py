"""Claims as cards: sentence, verdict, a plain reason, a small picture, the numbers folded."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from reproduction.pages.markup import badge, rerun_html
from reproduction.pages.wording import in_words, number, numbers, readable
from reproduction.verdicts.words import OURS, PUBLISHED

_WIDTH, _HEIGHT, _SIDE = 220, 34, 14

#: A part of a claim as the tests write it: ``V1: +5.39 [3.28, 7.51], n 10, t-test p 0.00013``.
_PART = re.compile(
    r"(?P<what>.+): (?P<effect>[-+][\d.e+-]+) \[(?P<ends>[^]]+)\], n (?P<n>\d+), "
    r"(?P<test>.+) p (?P<p>\S+)$"
)
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


def _value(row: Mapping[str, Any], name: str) -> float:
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


def _numbers(row: Mapping[str, Any]) -> str:
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
    table = _detail_table(_text(row["detail"]))
    if not table:
        shown["in full"] = readable(_text(row["detail"]))
    items = "".join(
        f"<div><dt>{term}</dt><dd>{html.escape(value)}</dd></div>"
        for term, value in shown.items()
        if value
    )
    return f"<details><summary>Numbers</summary><dl>{items}</dl>{table}</details>"


def _units(row: Mapping[str, Any]) -> str:
    count, unit = _value(row, "n"), _text(row["unit"])
    if not count or math.isnan(count):
        return ""
    return f"{count:g}" + (f" ({unit})" if unit not in ("", "none") else "")


def _detail_table(detail: str) -> str:
    """Parts of a claim as a table, a row each; empty where they are few or told in sentences."""
    parts = detail.split("; ")
    found = [(part, _PART.match(part)) for part in parts]
    known = [match for _, match in found if match]
    if len(known) < _FEW or 2 * len(known) < len(parts):
        return ""
    # a test that all parts share is named once, in the head
    tests = {match["test"] for match in known}
    shared = f" ({tests.pop()})" if len(tests) == 1 else ""
    chances = iter(numbers([float(match["p"]) for match in known], 2))
    rows = []
    for part, match in found:
        if match:
            test = "" if shared else f"{match['test']} "
            what = readable(f"{match['what']}: ").removesuffix(": ")
            values = (what, match["effect"], match["ends"].replace(", ", " to "), match["n"],
                      test + next(chances))  # fmt: skip
            rows.append("<tr>" + "".join(f"<td>{html.escape(in_words(v))}" for v in values))
        else:
            name, _, told = readable(part).partition(": ")
            rows.append(f"<tr><td>{html.escape(name)}<td colspan=4>{html.escape(told)}")
    head = "".join(f"<th>{name}" for name in ("part", "effect", "95 % interval", "n", f"p{shared}"))
    # closing tags of rows and cells may be left out, and a page has a thousand of them
    return (
        '<div class="parts"><table aria-label="Parts of this claim">'
        f"<thead><tr>{head}</thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def claim_card(row: Mapping[str, Any]) -> str:
    """Card of one claim."""
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
        f"{_numbers(row)}</li>"
    )


_TITLES = {
    PUBLISHED: "Sentences of the authors",
    OURS: "Our own tests, never counted",
}


def claim_cards(claims: pd.DataFrame, commands: Sequence[str] = ()) -> str:
    """Cards of a paper's claims: the authors' sentences, then our own tests."""
    rows = [{str(key): value for key, value in row.items()} for row in claims.to_dict("records")]
    parts = []
    for origin, title in _TITLES.items():
        own = [row for row in rows if row["origin"] == origin]
        if own:
            cards = "\n".join(claim_card(row) for row in own)
            parts.append(
                f'<h3 id="claims-{origin}">{title}</h3>\n<ul class="claim-cards">{cards}</ul>'
            )
    parts.append(rerun_html("Rerun these verdicts", commands))
    return f'<section class="claims">{"".join(parts)}</section>'
