"""What paper pages have in common: the result in three sentences, pictures, data credits."""

import tomllib
from typing import Any
from urllib.parse import quote

import pandas as pd
from IPython.display import HTML, Markdown, display

from asprinted.base_rates import judged
from asprinted.words import INFERRED, OURS, PUBLISHED, TEXT
from reproduction.data.registry import load_registry
from reproduction.files import ROOT
from reproduction.pages import choices, results, why
from reproduction.pages.cells import agreement_said, choices_table
from reproduction.pages.claims import READINGS, claim_anchor, claims_table, reason
from reproduction.pages.figures import show_figure
from reproduction.pages.markup import render
from reproduction.pages.said import Said, load_front
from reproduction.pages.stamp import page_stamp
from reproduction.pages.tables import provenance_table
from reproduction.rooms import Paper, find_paper
from reproduction.verdicts.cells import records
from reproduction.verdicts.replication import counted_claims, tally

_SEARCH = "https://search.crossref.org/search/works?q="


def cells_said(ledger: pd.DataFrame, paper: str) -> Said:
    """How many of a paper's numbers come back, on its own data or on what data there is."""
    texts = (
        "None of its {all:d} printed numbers could be compared.",
        "None of its {all:d} printed numbers could be measured on exactly its data; on a part of "
        "it or with other features {agree:d} of {beside:d} come back.",
        "Of {cells:d} numbers printed for its own data the inferred reading brings back "
        "{inferred:d} (luck alone: {luck:.0f}) and {more:d} more within noise; the text reading "
        "brings back {text:d}.",
    )
    return agreement_said(ledger, paper, texts)


def claims_said(claims: pd.DataFrame) -> Said:
    """How many of the authors' sentences hold on the paper's own data."""
    own, sentences = counted_claims(claims), int((claims["origin"] == PUBLISHED).sum())
    if own.empty:
        text = "None of its {sentences:d} claims could be tested on exactly its data."
        return Said(text, {"sentences": sentences}) if sentences else Said("", {})
    found, letter = (tally(claims, reading) for reading in (INFERRED, TEXT))
    numbers = {"claims": len(own), "holds": found.holds, "refuted": found.refuted}
    numbers |= {"text": letter.holds, "text_refuted": letter.refuted}
    text = (
        "Of {claims:d} claims tested there the inferred reading upholds {holds:d} and refutes "
        "{refuted:d}; the text reading upholds {text:d} and refutes {text_refuted:d}."
    )
    return Said(text, numbers)


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
    card, claims, ledger = find_paper(paper), results.load_claims(paper), results.load_ledger(paper)
    # findings are about the papers' settings: a run at others states none
    findings = load_front(paper).findings if len(judged(ledger)) else ()
    return render(
        "opening.html",
        card=card,
        findings=findings[:1],
        sentences=[cells_said(ledger, paper), claims_said(claims)],
        main=main_claims(card, claims),
        OURS=OURS,
    )


def show_opening(paper: str) -> None:
    """Show the top of a paper's page."""
    display(HTML(opening_html(paper)))


def show_box(paper: str) -> None:
    """Show how to cite, rerun and reply."""
    card = find_paper(paper)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    made = render(
        "cite.html",
        card=card,
        # a paper without an identifier can be looked for
        address=card.address or _SEARCH + quote(card.title),
        cited=page_stamp("")["Reproduction"],
        command=results.snakemake_command(paper),
        home=project.get("urls", {}).get("Repository", ""),
    )
    display(HTML(made))


_CHOICES = (
    "Left: how far each alternative moves our means (line: lowest to highest cell). Right: whether "
    "they end closer to print. Open marks: the reading our tables take."
)


def show_why(paper: str) -> None:
    """Show why numbers are not equivalent, and the picture of the open choices."""
    ledger, shifts = results.load_ledger(paper), choices.shifts_frame(paper)
    found = why.reasons(ledger, shifts, results.load_results(paper))
    if len(found):
        display(Markdown(f"{why.why_said(found).plain()} {why.largest_said(found)}"))
        display(HTML(why.why_table(paper, found).__html__()))
    unit = "".join(judged(ledger)["unit"].mode().head(1))
    table, taken = choices.moves(shifts[shifts["unit"] == unit]), choices.taken_reading(paper)
    if table.empty:
        display(Markdown("This run has no other reading of a cell on the paper's data."))
        return
    words = choices.choices_words(table, unit, len(taken))
    display(Markdown(words))
    drawn = choices.choices_figure(table, taken, unit)
    show_figure(drawn, "open-choices", words, _CHOICES, table)


def show_data(paper: str) -> None:
    """Show, folded, where the data came from, how it differs, and whom to credit."""
    registry = load_registry()
    named: dict[tuple[str, str, str], list[str]] = {}
    for entry in (registry[key] for key in results.load_provenance(paper) if key in registry):
        cited = (entry.citation[:1].upper() + entry.citation[1:]).rstrip(".")
        credit = (cited, entry.licence, next(iter(entry.homepage), ""))
        named.setdefault(credit, []).append(entry.name)
    display(HTML(render("data.html", named=named, table=provenance_table(paper))))


def show_end(paper: str) -> None:
    """Show what every appendix ends with: all sentences, explanations tried, choices."""
    display(Markdown("### Every sentence that was tested"))
    claims_table(paper)
    why.show_tried(paper)
    display(Markdown("### Every open choice"))
    choices_table(paper)
