"""What paper pages have in common: the result in three sentences, pictures, data credits."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pandas as pd
from IPython.display import HTML, Markdown, display

from reproduction.data.registry import load_registry
from reproduction.pages import choices
from reproduction.pages.cells import cells_headline
from reproduction.pages.claim_cards import READINGS, claim_anchor, decided_by
from reproduction.pages.claims import claims_headline
from reproduction.pages.figures import show_figure
from reproduction.pages.markup import render
from reproduction.pages.results import load_claims, load_ledger, load_provenance, load_results
from reproduction.pages.said import Front, Said
from reproduction.pages.tables import provenance_table, show_table
from reproduction.rooms import Paper, find_paper, open_module, room
from reproduction.verdicts.base_rates import count, counted, judged
from reproduction.verdicts.cells import records
from reproduction.verdicts.headline import counted_claims, tally
from reproduction.verdicts.words import COMPATIBLE, EQUIVALENT, INFERRED, OURS, PUBLISHED, TEXT

_SEARCH = "https://search.crossref.org/search/works?q="


def cells_said(ledger: pd.DataFrame, paper: str) -> Said:
    """How many of a paper's numbers agree, by both readings or on what data there is."""
    if counted(ledger).empty:
        beside = judged(ledger)
        agree = int(beside["agreement"].isin((EQUIVALENT, COMPATIBLE)).sum())
        if beside.empty:
            return Said(
                "None of its {all:d} printed numbers could be compared.", {"all": len(ledger)}
            )
        return Said(
            "None of its {all:d} printed numbers could be measured on exactly its data; on a part "
            "of it or with other features {agree:d} of {beside:d} agree with print.",
            {"all": len(ledger), "beside": len(beside), "agree": agree},
        )
    text, inferred = (count(ledger, paper, name)[1] for name in (TEXT, INFERRED))
    return Said(
        "Of {cells:d} printed numbers that we measured on the paper's own data, {text:d} agree "
        "with print when its words are followed and {inferred:d} when we do what the evidence "
        "says the authors did; a wrong ledger would have {chance:.0f}.",
        {
            "cells": inferred.cells,
            "text": text.agree,
            "inferred": inferred.agree,
            "chance": inferred.chance,
        },
    )


def claims_said(claims: pd.DataFrame) -> Said:
    """How many of the authors' sentences hold on the paper's own data."""
    own = counted_claims(claims)
    if own.empty:
        sentences = int((claims["origin"] == PUBLISHED).sum())
        if not sentences:
            return Said("No sentence of its authors is put to the test.", {})
        return Said(
            "None of the {sentences:d} sentences of its authors that we looked at could be tested "
            "on exactly its data.",
            {"sentences": sentences},
        )
    found = {name: tally(claims, name) for name in ("in_print", TEXT, INFERRED)}
    return Said(
        "Of {claims:d} sentences of its authors that could be tested there, {in_print:d} hold of "
        "its own tables, {text:d} when its words are followed and {inferred:d} when we do what the "
        "evidence says the authors did; {refuted_text:d} and {refuted_inferred:d} are refuted.",
        {
            "claims": len(own),
            **{name: each.holds for name, each in found.items()},
            **{f"refuted_{name}": found[name].refuted for name in (TEXT, INFERRED)},
        },
    )


def sentences(paper: str) -> list[Said]:
    """Return the result of a paper in at most three sentences, as far as this run has it."""
    found: list[Said] = []
    if (room(paper) / "front.py").is_file():
        front: Front = open_module(paper, "front").front(load_results(paper))
        said = front.known().sentence
        found += [said] if said is not None else []
    return [*found, cells_said(load_ledger(paper), paper), claims_said(load_claims(paper))]


def main_claims(card: Paper, claims: pd.DataFrame) -> list[dict[str, Any]]:
    """What the paper stands for: its main claims, each word with the reason of the same reading."""
    found = []
    for row in records(claims[claims["id"].isin([f"{card.key}.{n}" for n in card.main_claims])]):
        told = {
            name: (row[name], f"{row[f'{name}_reason']}{decided_by(row, name)}".rstrip("."))
            for name in (TEXT, INFERRED)
        }
        answers = [(f"By the {READINGS[name]} reading:", *each) for name, each in told.items()]
        if told[TEXT] == told[INFERRED]:
            answers = [("By both readings:", *told[TEXT])]
        answers = [("In its own tables:", row["in_print"], ""), *answers]
        found.append({**row, "anchor": claim_anchor(row["id"]), "answers": answers})
    return found


def opening_html(paper: str) -> str:
    """Citation, main claims with their words and reasons, the result, and all counts folded."""
    card, claims = find_paper(paper), load_claims(paper)
    return render(
        "opening.html",
        card=card,
        # a paper without an identifier can be looked for
        address=card.address or _SEARCH + quote(card.title),
        sentences=sentences(paper),
        main=main_claims(card, claims),
        OURS=OURS,
        counts=f"{cells_headline(load_ledger(paper), paper)} {claims_headline(claims)}",
    )


def show_opening(paper: str) -> None:
    """Show the top of a paper's page."""
    display(HTML(opening_html(paper)))


_CHOICES = (
    "How far each open choice moves our means (left, line: lowest and highest cell) and how much "
    "closer to print or farther from it they end (right). A mark is an alternative, averaged over "
    "the cells it was run on; the open mark on the line at zero is the reading our tables take. "
    "Choices far from zero decide the comparison."
)


def show_choices(paper: str) -> None:
    """Show the picture of a paper's open choices, and what it says in words."""
    table, taken = choices.moves(choices.shifts_frame(paper)), choices.taken_reading(paper)
    if table.empty:
        display(Markdown("This run has no other reading of a cell on the paper's data."))
        return
    unit = str(judged(load_ledger(paper))["unit"].mode().iloc[0])
    words = choices.choices_words(table, unit, len(taken))
    display(Markdown(words))
    show_figure(choices.choices_figure(table, taken, unit), "open-choices", words, _CHOICES)


def show_shifts(paper: str) -> None:
    """Show the numbers behind that picture."""
    names = {
        "shift": "mean shift",
        "low": "lowest cell",
        "high": "highest cell",
        "closer": "distance to print, change",
    }
    show_table(
        choices.moves(choices.shifts_frame(paper)).rename(columns=names),
        "choice-shifts",
        "Every alternative against the reading the tables take",
    )


def credits_html(paper: str) -> str:
    """Whose data the page shows: what to cite, the terms, and where it is published."""
    registry = load_registry()
    named: dict[tuple[str, str, str], list[str]] = {}
    for key in load_provenance(paper):
        if key in registry:
            entry = registry[key]
            cited = entry.citation[:1].upper() + entry.citation[1:]
            credit = (cited.rstrip("."), entry.licence, next(iter(entry.homepage), ""))
            named.setdefault(credit, []).append(entry.name)
    return render("credits.html", named=named)


def show_data(paper: str) -> None:
    """Show where the data came from, how it differs from the paper's, and whom to credit."""
    provenance_table(paper)
    display(HTML(credits_html(paper)))
