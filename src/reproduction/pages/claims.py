"""Claims for readers: counts, three words each, sentences apart from our own tests."""

from __future__ import annotations

import pandas as pd

from reproduction.pages.claim_cards import (
    READINGS,
    TITLES,
    claim_cards,
    decided_by,
    over_readings,
)
from reproduction.pages.markup import markdown_table
from reproduction.pages.results import (
    load_claim_parts,
    load_claims,
    result_target,
    snakemake_command,
)
from reproduction.verdicts.headline import Tally, counted_claims, tally
from reproduction.verdicts.replication import mission
from reproduction.verdicts.statistics import ALPHA
from reproduction.verdicts.words import HOLDS, INFERRED, OPEN, PUBLISHED, REFUTED, TEXT, TIE


def false_words(claims: pd.DataFrame) -> str:
    """How many words to expect to be wrong: sentences are tested one by one."""
    found = [tally(mission(claims), reading) for reading in (TEXT, INFERRED)]
    wrong = " and ".join(f"{each.expected_false:.1f} of {each.tested}" for each in found)
    return (
        f"Each sentence is tested for itself, at {100 * ALPHA:.0f} % in each direction. So at most "
        f"{wrong} sentences (text, inferred) are expected to hold by chance, and as many to be "
        "refuted by chance."
    )


def _told(found: Tally) -> str:
    counts = {HOLDS: found.holds, TIE: found.ties, OPEN: found.open, REFUTED: found.refuted}
    return ", ".join(f"{n} {word}" for word, n in counts.items() if n) or "none tested"


def claims_headline(claims: pd.DataFrame) -> str:
    """What became of the authors' sentences; our own tests and other data are never counted."""
    published = claims[claims["origin"] == PUBLISHED]
    if published.empty:
        return "No sentence of the authors is tested; our own tests are not counted."
    own = len(counted_claims(claims))
    without = int((published["data"] == "").sum())
    first = (
        f"Of {len(published)} claims in the authors' sentences, {own} could be tested on the "
        f"paper's own data; {len(published) - own - without} rest on other data, {without} cannot "
        "be tested."
    )
    if not own:
        return first
    told = "; ".join(f"{title}: {_told(tally(claims, name))}" for name, title in READINGS.items())
    return f"{first} {told[0].upper()}{told[1:]}. {false_words(claims)}"


def claims_markdown(claims: pd.DataFrame) -> list[str]:
    """Claims as two Markdown tables: the words of each, with the reason of the same reading."""
    lines = ["Only sentences of the authors that were tested on the paper's own data count."]
    for origin, title in TITLES.items():
        rows = [
            [
                row["id"], row["where"], row["statement"], row["in_print"],
                *(
                    f"**{row[name]}**: {row[f'{name}_reason']}{decided_by(row, name)}"
                    for name in (TEXT, INFERRED)
                ),
                over_readings(row),
            ]
            for row in claims[claims["origin"] == origin].to_dict("records")
        ]  # fmt: skip
        header = ["id", "stands in", "claim", *READINGS.values(), "over readings"]
        if rows:
            lines += ["", f"### {title}", "", *markdown_table(header, rows)]
    return lines


def claims_table(paper: str) -> None:
    """Show the claims of a paper as cards: first the authors' sentences, then our own tests."""
    from IPython.display import HTML, Markdown, display

    command = snakemake_command(result_target(paper, "claims.csv"))
    claims = load_claims(paper)
    if len(counted_claims(claims)):
        display(Markdown(false_words(claims)))
    display(HTML(claim_cards(claims, load_claim_parts(paper), [command])))
