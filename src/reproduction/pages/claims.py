"""Claims for readers: counts, three words each, sentences apart from our own tests."""

import IPython.display as notebook
import pandas as pd

from reproduction.pages.claim_cards import READINGS, TITLES, claim_cards, over_readings, reason
from reproduction.pages.markup import markdown_table
from reproduction.pages.results import (
    load_claim_parts,
    load_claims,
    result_target,
    snakemake_command,
)
from reproduction.verdicts.base_rates import mission
from reproduction.verdicts.cells import records
from reproduction.verdicts.headline import counted_claims, tally
from reproduction.verdicts.statistics import ALPHA
from reproduction.verdicts.words import INFERRED, TEXT


def false_words(claims: pd.DataFrame) -> str:
    """How many words to expect to be wrong: sentences are tested one by one."""
    found = [tally(mission(claims), reading) for reading in (TEXT, INFERRED)]
    wrong = " and ".join(f"{each.expected_false:.1f} of {each.tested}" for each in found)
    return (
        f"Each sentence is tested for itself, at {100 * ALPHA:.0f} % in each direction. So at most "
        f"{wrong} sentences (text, inferred) are expected to hold by chance, and as many to be "
        "refuted by chance."
    )


def claims_markdown(claims: pd.DataFrame) -> str:
    """Claims as two Markdown tables: the words of each, with the reason of the same reading."""
    parts = ["Only sentences of the authors that were tested on the paper's own data count."]
    header = ["id", "stands in", "claim", *READINGS.values(), "over readings"]
    for origin, title in TITLES.items():
        rows = [
            [
                *(row[name] for name in ("id", "where", "statement", "in_print")),
                *(f"**{row[name]}**: {reason(row, name)}" for name in (TEXT, INFERRED)),
                over_readings(row),
            ]
            for row in records(claims[claims["origin"] == origin])
        ]
        parts += [f"### {title}", markdown_table(header, rows)] if rows else []
    return "\n\n".join(parts)


def claims_table(paper: str) -> None:
    """Show the claims of a paper as cards: first the authors' sentences, then our own tests."""
    claims, command = load_claims(paper), snakemake_command(result_target(paper, "claims.csv"))
    if len(counted_claims(claims)):
        notebook.display(notebook.Markdown(false_words(claims)))
    notebook.display(notebook.HTML(claim_cards(claims, load_claim_parts(paper), [command])))
