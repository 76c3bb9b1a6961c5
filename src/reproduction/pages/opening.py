"""What paper pages have in common: the result in three sentences, pictures, data credits."""

from typing import Any
from urllib.parse import quote

import pandas as pd
from IPython.display import HTML, Markdown, display

from asprinted.base_rates import count, counted, judged
from asprinted.words import COMPATIBLE, EQUIVALENT, INFERRED, OURS, PUBLISHED, TEXT
from reproduction.data.registry import load_registry
from reproduction.pages import choices
from reproduction.pages.claims import READINGS, claim_anchor, reason
from reproduction.pages.figures import show_figure
from reproduction.pages.markup import render
from reproduction.pages.results import load_claims, load_ledger, load_provenance, load_results
from reproduction.pages.said import Front, Said
from reproduction.pages.tables import provenance_table, show_table
from reproduction.rooms import Paper, find_paper, open_module, room
from reproduction.verdicts.cells import records
from reproduction.verdicts.replication import counted_claims, tally

_SEARCH = "https://search.crossref.org/search/works?q="


def cells_said(ledger: pd.DataFrame, paper: str) -> Said:
    """How many of a paper's numbers agree, by both readings or on what data there is."""
    beside = judged(ledger)
    if beside.empty:
        said = "None of its {all:d} printed numbers could be compared."
        return Said(said, {"all": len(ledger)})
    if counted(ledger).empty:
        agree = int(beside["agreement"].isin((EQUIVALENT, COMPATIBLE)).sum())
        return Said(
            "None of its {all:d} printed numbers could be measured on exactly its data; on a part "
            "of it or with other features {agree:d} of {beside:d} agree with print.",
            {"all": len(ledger), "beside": len(beside), "agree": agree},
        )
    text, inferred = (count(ledger, paper, name)[1] for name in (TEXT, INFERRED))
    numbers = {"cells": inferred.cells, "text": text.agree, "inferred": inferred.agree}
    return Said(
        "Of {cells:d} printed numbers that we measured on the paper's own data, {text:d} agree "
        "with print when its words are followed and {inferred:d} when we do what the evidence "
        "says the authors did; a wrong ledger would have {chance:.0f}.",
        {**numbers, "chance": inferred.chance},
    )


def claims_said(claims: pd.DataFrame) -> Said:
    """How many of the authors' sentences hold on the paper's own data."""
    own, sentences = counted_claims(claims), int((claims["origin"] == PUBLISHED).sum())
    if not sentences:
        return Said("No sentence of its authors is put to the test.", {})
    if own.empty:
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


def main_claims(card: Paper, claims: pd.DataFrame) -> list[dict[str, Any]]:
    """What the paper stands for: its main claims, each word with the reason of the same reading."""
    found = []
    for row in records(claims[claims["id"].isin([f"{card.key}.{n}" for n in card.main_claims])]):
        told = {name: (row[name], reason(row, name).rstrip(".")) for name in (TEXT, INFERRED)}
        answers = [(f"By the {READINGS[name]} reading:", *each) for name, each in told.items()]
        if told[TEXT] == told[INFERRED]:
            answers = [("By both readings:", *told[TEXT])]
        answers = [("In its own tables:", row["in_print"], ""), *answers]
        found.append({**row, "anchor": claim_anchor(row["id"]), "answers": answers})
    return found


def opening_html(paper: str) -> str:
    """Citation, main claims with their words and reasons, and the result in numbers."""
    card, claims, ledger = find_paper(paper), load_claims(paper), load_ledger(paper)
    sentences = [cells_said(ledger, paper), claims_said(claims)]
    if (room(paper) / "front.py").is_file():
        front: Front = open_module(paper, "front").front(load_results(paper)).known()
        sentences = [*([front.sentence] if front.sentence else []), *sentences]
    return render(
        "opening.html",
        card=card,
        # a paper without an identifier can be looked for
        address=card.address or _SEARCH + quote(card.title),
        sentences=sentences,
        main=main_claims(card, claims),
        OURS=OURS,
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
    names = {"shift": "mean shift", "low": "lowest cell", "high": "highest cell"}
    names["closer"] = "distance to print, change"
    table = choices.moves(choices.shifts_frame(paper)).rename(columns=names)
    show_table(table, "choice-shifts", "Every alternative against the reading the tables take")


def show_data(paper: str) -> None:
    """Show where the data came from, how it differs from the paper's, and whom to credit."""
    provenance_table(paper)
    registry = load_registry()
    named: dict[tuple[str, str, str], list[str]] = {}
    for entry in (registry[key] for key in load_provenance(paper) if key in registry):
        cited = (entry.citation[:1].upper() + entry.citation[1:]).rstrip(".")
        credit = (cited, entry.licence, next(iter(entry.homepage), ""))
        named.setdefault(credit, []).append(entry.name)
    display(HTML(render("credits.html", named=named)))
