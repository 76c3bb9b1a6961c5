"""Claims for readers: counts, one plain reason each, sentences apart from our own tests."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from reproduction.pages.claim_cards import claim_cards
from reproduction.pages.markup import markdown_table
from reproduction.pages.results import (
    load_claim_parts,
    load_claims,
    result_target,
    snakemake_command,
)
from reproduction.verdicts.words import CLAIM, HOLDS, INFERRED, NOT_RUN, OURS, PUBLISHED, SAME


def counted(claims: pd.DataFrame) -> pd.DataFrame:
    """Claims that count: sentences of the authors, tested on the paper's own data."""
    return claims[claims["counts"] == "yes"]


def text_verdicts(claims: pd.DataFrame) -> pd.Series:
    """Verdicts by the text reading; ``not run`` where only the inferred one was."""
    return claims["verdict"].where(claims["protocol"] != INFERRED, NOT_RUN)


def _told(verdicts: pd.Series) -> str:
    found = Counter(verdicts)
    rest = [f"{found[word]} {word}" for word in CLAIM if word != HOLDS and found[word]]
    first = f"**{found[HOLDS]} {'holds' if found[HOLDS] == 1 else 'hold'}**"
    return ", ".join([first, *rest])


def claims_headline(claims: pd.DataFrame) -> str:
    """What became of the authors' sentences; our own tests and other data are never counted."""
    published = claims[claims["origin"] == PUBLISHED]
    if published.empty:
        return "No sentence of the authors is tested; our own tests are not counted."
    own = counted(claims)
    text = text_verdicts(own)
    text = text[text != NOT_RUN]
    other = int(((published["data"] != SAME) & (published["data"] != "")).sum())
    without = int((published["data"] == "").sum())
    first = (
        f"Of {len(published)} claims in the authors' sentences, {len(own)} could be tested on the "
        f"paper's own data; {other} rest on other data, {without} cannot be tested."
    )
    if own.empty:
        return first
    return (
        f"{first} By the text reading ({len(text)} run): {_told(text)}. "
        f"By the inferred reading: {_told(own['verdict_inferred'])}."
    )


def claims_markdown(claims: pd.DataFrame) -> list[str]:
    """Claims as two Markdown tables, each row with verdict, data, protocol and one plain reason."""
    lines = [
        "Only sentences of the authors that were tested on the paper's own data count. A second "
        "verdict is that of the inferred reading, where it is another one.",
    ]
    titles = {PUBLISHED: "Sentences of the authors", OURS: "Our own tests, never counted"}
    for origin, title in titles.items():
        rows = []
        for _, row in claims[claims["origin"] == origin].iterrows():
            other = row["verdict_inferred"]
            verdict = f"**{row['verdict']}**" + (f" / {other}" if other != row["verdict"] else "")
            axes = " / ".join(word for word in (row["data"], row["protocol"]) if word)
            rows.append([row["id"], row["where"], row["statement"], verdict, axes, row["reason"]])
        header = ["id", "stands in", "claim", "verdict", "data / protocol", "what was found"]
        if rows:
            lines += ["", f"### {title}", "", *markdown_table(header, rows)]
    return lines


def claims_table(paper: str) -> None:
    """Show the claims of a paper as cards: first the authors' sentences, then our own tests."""
    from IPython.display import HTML, display

    command = snakemake_command(result_target(paper, "claims.csv"))
    display(HTML(claim_cards(load_claims(paper), load_claim_parts(paper), [command])))
