"""Claims for readers: cards with three words each, and how many of these may be wrong."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import IPython.display as notebook
import pandas as pd

from asprinted.parts import TESTED
from asprinted.statistics import ALPHA
from asprinted.words import CLAIM, INFERRED, OPEN, OURS, PUBLISHED, TEXT
from reproduction.pages import results
from reproduction.pages.markup import render
from reproduction.verdicts.cells import records
from reproduction.verdicts.replication import counted_claims, mission, tally

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


def decided_by(row: _Row, reading: str) -> str:
    """What would decide a claim that is open; empty for any other."""
    if row[reading] != OPEN:
        return ""
    runs = row[f"{reading}_runs_needed"]
    return f"about {runs:,.0f} runs would decide it" if runs > 0 else "more runs cannot decide it"


def reason(row: _Row, reading: str) -> str:
    """Why a claim got its word under a reading, and what would decide it."""
    return "; ".join(filter(None, (row[f"{reading}_reason"], decided_by(row, reading))))


def _answer(row: _Row, reading: str, title: str, parts: Sequence[_Row]) -> dict[str, Any]:
    """Word, reason, numbers and parts of a claim under one reading."""
    tests = sorted({part["test"] for part in parts if part["state"] == TESTED})
    return {
        **{key: row[f"{reading}_{key}"] for key in (*_ANSWER, "unit")},
        "title": title,
        "word": row[reading],
        "reason": reason(row, reading),
        "parts": parts if len(parts) > 1 else [],  # one part is the claim itself
        "test": " or ".join(tests),
    }


def _card(row: _Row, parts: Mapping[str, Sequence[_Row]]) -> dict[str, Any]:
    """What the card of one claim shows, with its parts under each reading."""
    tested = row["in_print_tested"]
    below = {"in_print": f"by its own deviations: {tested}" if tested else ""}
    below |= {name: decided_by(row, name) for name in (TEXT, INFERRED)}
    # where both readings are the same rows, their answer is told once
    answers = [[str(row[f"{name}_{key}"]) for key in _ANSWER] for name in (TEXT, INFERRED)]
    titles = {name: READINGS[name] for name in (TEXT, INFERRED)}
    if answers[0] == answers[1]:
        titles = {TEXT: "text and inferred"}
    return {
        **row,
        "anchor": claim_anchor(row["id"]),
        "words": [(title, row[name], below[name]) for name, title in READINGS.items()],
        "answers": [_answer(row, name, t, parts.get(name, ())) for name, t in titles.items()],
        "scope": SCOPES[row["scope"]],
    }


def claim_cards(claims: pd.DataFrame, parts: pd.DataFrame, commands: Sequence[str] = ()) -> str:
    """Cards of a paper's claims: the authors' sentences, then our own tests."""
    made_of: dict[str, dict[str, list[_Row]]] = defaultdict(lambda: defaultdict(list))
    for part in records(parts):
        made_of[part["id"]][part["reading"]].append(part)
    cards = [
        (origin, title, [_card(row, made_of[row["id"]]) for row in records(own)])
        for origin, title in TITLES.items()
        if len(own := claims[claims["origin"] == origin])
    ]
    return render("claims.html", cards=cards, commands=commands, TESTED=TESTED, CLAIM=CLAIM)


def false_words(claims: pd.DataFrame) -> str:
    """How many words to expect to be wrong: sentences are tested one by one."""
    found = [tally(mission(claims), reading) for reading in (TEXT, INFERRED)]
    wrong = " and ".join(f"{each.expected_false:.1f} of {each.tested}" for each in found)
    return (
        f"Each sentence is tested for itself, at {100 * ALPHA:.0f} % in each direction. So at most "
        f"{wrong} sentences (text, inferred) are expected to hold by chance, and as many to be "
        "refuted by chance."
    )


def claims_table(paper: str) -> None:
    """Show the claims of a paper as cards: first the authors' sentences, then our own tests."""
    claims, parts = results.load_claims(paper), results.load_claim_parts(paper)
    command = results.snakemake_command(results.result_target(paper, "claims.csv"))
    if len(counted_claims(claims)):
        notebook.display(notebook.Markdown(false_words(claims)))
    notebook.display(notebook.HTML(claim_cards(claims, parts, [command])))
