"""The headline: three sentences, made once, for README, front page and summary."""

from typing import NamedTuple

import pandas as pd

from reproduction.verdicts.base_rates import count, counted
from reproduction.verdicts.replication import mission, replication_table
from reproduction.verdicts.statistics import ALPHA
from reproduction.verdicts.words import HOLDS, INFERRED, OPEN, REFUTED, TEXT, TIE, UNTESTABLE


class Tally(NamedTuple):
    """Words of the counted claims under one reading."""

    tested: int
    holds: int
    ties: int
    refuted: int
    open: int

    @property
    def expected_false(self) -> float:
        """False words to expect in each direction."""
        return ALPHA * self.tested


def counted_claims(claims: pd.DataFrame) -> pd.DataFrame:
    """Sentences of the authors that were tested on the paper's own data."""
    return claims[claims["counts"] == "yes"]


def tally(claims: pd.DataFrame, reading: str) -> Tally:
    """Count the words of the counted claims under a reading."""
    words = list(counted_claims(claims)[reading])
    found = (words.count(word) for word in (HOLDS, TIE, REFUTED, OPEN))
    return Tally(len(words) - words.count(UNTESTABLE), *found)


def headline(ledger: pd.DataFrame, gaps: pd.DataFrame, claims: pd.DataFrame) -> tuple[str, ...]:
    """Return the three sentences: direction of differences, sentences, numbers.

    All are about the papers' own data sets, as the text says first and as inferred second.
    """
    ledger, gaps, claims = mission(ledger), mission(gaps), mission(claims)
    field = replication_table(ledger, gaps)
    text, inferred = (
        field[(field["paper"] == "all") & (field["reading"] == reading)].iloc[0].to_dict()
        for reading in (TEXT, INFERRED)
    )
    said = {reading: tally(claims, reading) for reading in (TEXT, INFERRED)}
    cells = {reading: count(ledger, "all", reading)[0] for reading in (TEXT, INFERRED)}
    once = int((ledger["repeats"] == "").sum())
    return (
        f"On the papers' own data {_share(text['same_direction'], text['gaps'])} of the printed "
        "differences between methods have the printed sign when we follow the text, and "
        f"{_share(inferred['same_direction'], inferred['gaps'])} when we work as the evidence "
        "suggests the authors did (the inferred reading).",
        f"Of {len(counted_claims(claims))} sentences that can be tested there, "
        f"{_words(said[TEXT])} by the text and {_words(said[INFERRED])} by the inferred reading.",
        f"Of {once} printed numbers {len(counted(ledger))} can be compared there; "
        f"{cells[TEXT].agree} and {cells[INFERRED].agree} of them come back within the margin, "
        f"where a wrong ledger would have {cells[TEXT].chance:.0f} and "
        f"{cells[INFERRED].chance:.0f}.",
    )


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "none"


def _words(found: Tally) -> str:
    named = (
        (found.holds, "holds", "hold"),
        (found.ties, "makes no practical difference", "make no practical difference"),
        (found.refuted, "is refuted", "are refuted"),
        (found.open, "stays open", "stay open"),
    )
    said = (f"{number} {one if number == 1 else more}" for number, one, more in named if number)
    return ", ".join(said) or "none was run"
