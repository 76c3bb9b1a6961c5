"""The front page: what became of each paper, what holds across them, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from markupsafe import Markup

from asprinted.base_rates import counted, judged
from asprinted.words import HOLDS, NOT_COMPARABLE, NOT_RUN, PUBLISHED, SURROGATE
from reproduction.pages.cells import COUNTED, paper_cell, paper_counts, part_of
from reproduction.pages.claims import READINGS, claim_link, false_words
from reproduction.pages.explorer import NAME as EXPLORER
from reproduction.pages.markup import Table, csv_text, plain, render
from reproduction.pages.results import snakemake_command
from reproduction.pages.said import THEMES, Front
from reproduction.rooms import Paper, find_papers
from reproduction.verdicts.replication import headline

_SIZE, _EDGE = 150, 8


def _marks(ledger: pd.DataFrame) -> list[tuple[str, float, float]]:
    """Return word and place of every cell in a paper's small picture, by shares of the range."""
    shown = ledger[~ledger["agreement"].isin([NOT_COMPARABLE, NOT_RUN]) & (ledger["repeats"] == "")]
    shown = shown.sort_values("unit", kind="stable")
    values = shown[["published", "ours"]].astype(float)
    by_unit = values.groupby(shown["unit"])
    low = by_unit.transform("min").min(axis=1)
    span = (by_unit.transform("max").max(axis=1) - low).replace(0.0, 1.0)
    at = _EDGE + values.sub(low, axis=0).div(span, axis=0) * (_SIZE - 2 * _EDGE)
    return list(zip(shown["agreement"], at["published"], at["ours"], strict=True))


def _paper(card: Paper, front: Front, ledger: pd.DataFrame, claims: pd.DataFrame) -> dict[str, Any]:
    """Return what the card of one paper shows."""
    claims = claims.assign(link=claims["id"].map(claim_link))
    main = [claims[claims["id"] == f"{card.key}.{name}"] for name in card.main_claims]
    published = claims[claims["origin"] == PUBLISHED]
    return {
        "card": card,
        "sentence": front.sentence,
        "cells": len(ledger),
        "marks": _marks(ledger),
        "main": [row for part in main for row in part.to_dict("records")],
        "claims": published.to_dict("records"),
        "held": {name: int((published[name] == HOLDS).sum()) for name in READINGS},
    }


def _findings(fronts: Mapping[str, Front]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the findings of all papers by theme; the theme with most of them first."""
    papers = find_papers()
    grouped: dict[str, list[dict[str, Any]]] = {theme: [] for theme in THEMES}
    for key, front in fronts.items():
        for each in front.findings:
            link = f"{key}.html{f'#{each.anchor}' if each.anchor else ''}"
            grouped[each.theme].append(
                {"short": papers[key].short, "link": link, "said": each.said}
            )
    return sorted(((t, f) for t, f in grouped.items() if f), key=lambda item: -len(item[1]))


def counts_table(ledger: pd.DataFrame, claims: pd.DataFrame) -> Table:
    """Agreement of each paper beside what a wrong ledger has; one row a paper."""
    found = paper_counts(ledger, claims)
    header = ["paper", *COUNTED]
    return Table(
        name="papers",
        caption="Cells on the papers' own data that agree with print, and sentences that hold",
        header=header,
        rows=[[paper_cell(key), *map(plain, numbers)] for key, numbers in found.items()],
        csv=csv_text(pd.DataFrame([[key, *n] for key, n in found.items()], columns=header)),
        notes=[
            "<em>Wrong ledger</em>: the strictest of three that are wrong on purpose. Sentences "
            "count when they are the authors', tested on the paper's own data. "
            '<a href="reading.html">More on the words</a>.'
        ],
        commands=[snakemake_command("")],
    )


def front_body(
    ledger: pd.DataFrame,
    gaps: pd.DataFrame,
    claims: pd.DataFrame,
    fronts: Mapping[str, Front],
    *,
    picture: str = "",
    surrogates: Sequence[str] = (),
    beside: Mapping[str, str] | None = None,
) -> str:
    """Body of the overview; ``beside`` are pages with targets of their own, by their labels."""
    return render(
        "front.html",
        headline=headline(ledger, gaps, claims),
        false_words=false_words(claims),
        readings=READINGS,
        explorer=EXPLORER,
        size=_SIZE,
        edge=_EDGE,
        cells=len(ledger),
        beside=beside or {},
        papers=[
            _paper(card, fronts[key], part_of(ledger, key), part_of(claims, key))
            for key, card in find_papers().items()
        ],
        findings=_findings(fronts),
        more=len(judged(ledger)) - len(counted(ledger)),
        table=counts_table(ledger, claims),
        picture=Markup(picture),
        surrogates=surrogates,
        surrogate_cells=int((ledger["data"] == SURROGATE).sum()),
    )
