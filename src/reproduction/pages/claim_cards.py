"""Claims as cards: sentence, its three words, reasons and numbers of each reading folded."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from reproduction.pages.markup import render
from reproduction.pages.wording import number, numbers
from reproduction.verdicts.cells import records
from reproduction.verdicts.parts import TESTED
from reproduction.verdicts.words import INFERRED, OPEN, OURS, PUBLISHED, TEXT

#: A row of a table, by column.
_Row = Mapping[Any, Any]

#: Where a sentence is judged: column of the claims -> what readers see.
READINGS = {"in_print": "in print", TEXT: "text", INFERRED: "inferred"}

#: What tells the answers of two readings apart.
_ANSWER = ("reason", "effect", "low", "high", "p_holds", "p_refuted", "n")

#: What a sentence speaks of, in words for readers.
SCOPES = {"universal": "each part counts", "average": "on average", "existence": "at least once"}
TITLES = {PUBLISHED: "Sentences of the authors", OURS: "Our own tests, never counted"}


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


def _in_full(row: _Row, reading: str, title: str, parts: Sequence[_Row]) -> dict[str, Any]:
    """Reason and numbers of a claim under one reading."""
    answer = {key: row[f"{reading}_{key}"] for key in (*_ANSWER, "unit")}
    low, high = (_value(answer, name) for name in ("low", "high"))
    shown = {"effect": number(_value(answer, "effect"))}
    if math.isfinite(low):
        shown["95 % interval"] = f"{number(low)} to {number(high)}"
        shown |= {f"p, {w}": number(_value(answer, f"p_{w}")) for w in ("holds", "refuted")}
    count, unit = _value(answer, "n"), _text(answer["unit"])
    if count and not math.isnan(count):
        shown["units"] = f"{count:g}" + (f" ({unit})" if unit not in ("", "none") else "")
    return {
        "title": title,
        "word": row[reading],
        "reason": _text(answer["reason"]) + decided_by(row, reading),
        "shown": {term: value for term, value in shown.items() if value},
        # one part is the claim itself
        "parts": _parts(parts) if len(parts) > 1 else [],
        "test": " or ".join(sorted({_text(p["test"]) for p in parts if p["state"] == TESTED})),
    }


def _parts(parts: Sequence[_Row]) -> list[dict[str, Any]]:
    """Parts of a claim under one reading; those of one group stand together, below its name."""
    rows, last = [], ""
    chances = numbers([_value(part, "p_holds") for part in parts], 2)
    for part, chance in zip(parts, chances, strict=True):
        group, name, cells = _text(part["group"]), _text(part["part"]), []
        if part["state"] == TESTED:
            effect, low, high = (number(_value(part, key)) for key in ("effect", "low", "high"))
            signed = effect if part["effect"] < 0 else f"+{effect}"
            cells = [signed, f"{low} to {high}", f"{part['n']:g}", chance]
        shown = f"{group}: {name}" if group not in ("", last) else name
        rows.append({**part, "name": shown, "cells": cells})
        last = group
    return rows


def _card(row: _Row, parts: Mapping[str, Sequence[_Row]]) -> dict[str, Any]:
    """What the card of one claim shows, with its parts under each reading."""
    said = (row["where"], SCOPES.get(row["scope"], row["scope"]), f"about {row['about']}")
    data = f"{row['data']} data" if row["data"] else ""
    counts = "" if row["counts"] == "yes" else "not counted"
    tested = _text(row["in_print_tested"])
    below = {"in_print": f"by its own deviations: {tested}" if tested else ""}
    below |= {name: decided_by(row, name).removeprefix("; ") for name in (TEXT, INFERRED)}
    # where both readings are the same rows, their answer is told once
    same = all(_text(row[f"{TEXT}_{key}"]) == _text(row[f"{INFERRED}_{key}"]) for key in _ANSWER)
    titles = {TEXT: "text and inferred"} if same else {k: READINGS[k] for k in (TEXT, INFERRED)}
    return {
        "anchor": claim_anchor(str(row["id"])),
        "statement": _text(row["statement"]),
        "words": [(title, row[name], below[name]) for name, title in READINGS.items()],
        "over": over_readings(row),
        "answers": [_in_full(row, key, t, parts.get(key, ())) for key, t in titles.items()],
        "note": " · ".join(filter(None, (*map(_text, said), data, counts))),
        "check": _text(row["check"]).replace("_", " "),
    }


def claim_cards(claims: pd.DataFrame, parts: pd.DataFrame, commands: Sequence[str] = ()) -> str:
    """Cards of a paper's claims: the authors' sentences, then our own tests.

    ``parts`` has a row for each part of a claim, as scoring wrote them.
    """
    made_of: dict[str, dict[str, list[_Row]]] = defaultdict(lambda: defaultdict(list))
    for part in records(parts):
        made_of[part["id"]][part["reading"]].append(part)
    cards = [
        (origin, title, [_card(row, made_of[row["id"]]) for row in records(own)])
        for origin, title in TITLES.items()
        if len(own := claims[claims["origin"] == origin])
    ]
    return render("claims.html", cards=cards, commands=commands)
