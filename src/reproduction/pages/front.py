"""The front page: what became of each paper, what holds across them, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from markupsafe import Markup

from reproduction.pages.cells import ALL, cells_headline, paper_cell, part_of, percent
from reproduction.pages.claim_cards import claim_link
from reproduction.pages.claims import claims_headline, text_verdicts
from reproduction.pages.claims import counted as tested
from reproduction.pages.explorer import NAME as EXPLORER
from reproduction.pages.markup import Table, badge, csv_text, plain, render
from reproduction.pages.results import snakemake_command
from reproduction.pages.said import THEMES, Front, Said
from reproduction.rooms import Paper, find_papers
from reproduction.verdicts.base_rates import count, counted, judged
from reproduction.verdicts.words import (
    AGREEMENT,
    CLAIM,
    HOLDS,
    INFERRED,
    NOT_COMPARABLE,
    NOT_RUN,
    PUBLISHED,
    SURROGATE,
    TEXT,
    UNTESTABLE,
)

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
        "held": int((published["verdict"] == HOLDS).sum()),
    }


def _findings(fronts: Mapping[str, Front]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the findings of all papers by theme; the theme with most of them first."""
    papers = find_papers()
    grouped: dict[str, list[dict[str, Any]]] = {theme: [] for theme in THEMES}
    for key, front in fronts.items():
        for each in front.findings:
            link = f"{each.page or key}.html{f'#{each.anchor}' if each.anchor else ''}"
            grouped[each.theme].append(
                {"short": papers[key].short, "link": link, "said": each.said}
            )
    return sorted(((t, f) for t, f in grouped.items() if f), key=lambda item: -len(item[1]))


def readings_said(ledger: pd.DataFrame) -> Said:
    """How many cells agree by the paper's words, and how many by what the authors likely did."""
    text, inferred = (count(ledger, ALL, name)[1] for name in (TEXT, INFERRED))
    missing = int((counted(ledger)["text_agreement"] == NOT_RUN).sum())
    return Said(
        "Of {cells:d} numbers that could be measured on the papers' own data, {text:d} agree with "
        "print (equivalent or compatible) when the papers' words are followed"
        + (" ({missing:d} have no run of that reading)" if missing else "")
        + ", {inferred:d} when we do what the evidence says the authors did. With methods shuffled "
        "at random {chance_text:.0f} and {chance_inferred:.0f} would agree in the same sense.",
        {
            "cells": text.cells,
            "text": text.agree,
            **({"missing": missing} if missing else {}),
            "inferred": inferred.agree,
            "chance_text": text.shuffled,
            "chance_inferred": inferred.shuffled,
        },
    )


def main_said(claims: pd.DataFrame) -> Said:
    """How many papers' main sentences hold, of those whose sentences could be tested."""
    papers = find_papers()
    ids = {f"{key}.{name}" for key, card in papers.items() for name in card.main_claims}
    own = claims[(claims["origin"] == PUBLISHED) & (claims["verdict"] != UNTESTABLE)]
    main = own[own["id"].isin(ids)]
    held = [(part["verdict"] == HOLDS).all() for _, part in main.groupby("paper")]
    silent = [card.short for key, card in papers.items() if key not in set(main["paper"])]
    apart = (
        f"; from {' and '.join(silent)} we have no main sentence of the authors that can be tested"
        if silent
        else ""
    )
    return Said(
        "{papers:d} papers, {claims:d} sentences of their authors put to the test. The main "
        f"sentences hold as written in {{held:d}} of {{told:d}} papers{apart}.",
        {
            "papers": len(papers),
            "claims": len(own),
            "held": sum(map(bool, held)),
            "told": len(held),
        },
    )


def counts_table(ledger: pd.DataFrame, claims: pd.DataFrame) -> Table:
    """Agreement of each paper beside what chance scores, few columns and one row a paper."""
    records: list[list[Any]] = []
    for key in (*find_papers(), ALL):
        part, said = part_of(ledger, key), tested(part_of(claims, key))
        text, inferred = (count(part, key, name)[1] for name in (TEXT, INFERRED))
        agree = [f"{f.agree} ({percent(f.share)})" if f.cells else "–" for f in (text, inferred)]
        chance = f"{inferred.shuffled:.0f}" if inferred.cells else "–"
        beyond = percent(inferred.beyond_chance) or "–"
        held = int((text_verdicts(said) == HOLDS).sum())
        records.append([key, inferred.cells, *agree, chance, beyond, f"{held} of {len(said)}"])
    header = [
        "paper", "cells compared", "agree, text reading", "agree, inferred reading",
        "agree by chance", "beyond chance", "claims that hold",
    ]  # fmt: skip
    return Table(
        name="papers",
        caption="Cells on the papers' own data that agree with print, and claims that hold",
        header=header,
        rows=[[paper_cell(key), *map(plain, numbers)] for key, *numbers in records],
        csv=csv_text(pd.DataFrame(records, columns=header)),
        notes=[
            "<em>Agree</em>: equivalent or compatible. <em>By chance</em>: methods shuffled within "
            "their columns, inferred reading. <em>Beyond chance</em>: the share less that of "
            "chance, divided by what is left to gain. Claims count when they are sentences of the "
            'authors, tested on the paper\'s own data. <a href="reading.html">More on the '
            "words</a>."
        ],
        commands=[snakemake_command("")],
    )


def _by_word(name: str, caption: str, words: Sequence[str], *readings: pd.Series) -> Table:
    """Return how often each word was given, by both readings."""
    cells: list[list[Any]] = [
        [word, *(int((found == word).sum()) for found in readings)] for word in words
    ]
    header = ["word", "text reading", "inferred reading"]
    rows = [[badge(word), *map(plain, counts)] for word, *counts in cells]
    return Table(name, caption, header, rows, csv_text(pd.DataFrame(cells, columns=header)))


def words_table(ledger: pd.DataFrame) -> Table:
    """Every word's count under both readings: what the pictures show."""
    own = counted(ledger)
    caption = f"{len(own)} cells on the papers' own data, each number once, by word"
    words = [word for word in AGREEMENT if word != NOT_COMPARABLE]
    return _by_word("words", caption, words, own["text_agreement"], own["agreement"])


def claim_words(claims: pd.DataFrame) -> Table:
    """Counted claims by word under both readings."""
    own = tested(claims)
    caption = f"{len(own)} claims that count, by word; “not run”: not tested by that reading"
    readings = (text_verdicts(own), own["verdict_inferred"])
    return _by_word("claim-words", caption, [*CLAIM, NOT_RUN], *readings)


def front_body(
    ledger: pd.DataFrame,
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
        main=main_said(claims),
        readings=readings_said(ledger),
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
        headline=f"{cells_headline(ledger)} {claims_headline(claims)}",
        more=len(judged(ledger)) - len(counted(ledger)),
        tables=[counts_table(ledger, claims), words_table(ledger), claim_words(claims)],
        picture=Markup(picture),
        surrogates=surrogates,
        surrogate_cells=int((ledger["data"] == SURROGATE).sum()),
    )
