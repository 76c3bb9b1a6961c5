"""What the comparisons on real data say in the guide: leaders, worth of the advice, ranks."""

import re
from pathlib import Path

import pandas as pd

from manyviews.compare.advice import GUESSES
from reproduction.compare.page import advice_text, learnt
from reproduction.compare.standing import TASK_WORDS, guide_table

#: Comparisons below which a method that never leads is not marked.
FEW = 5


def guide_blocks(guide: Path, scores: pd.DataFrame) -> list[tuple[Path, str, str]]:
    """Return file, name and text of every block of the guide and of the methods' pages."""
    said = f"What `manyviews recommend` says is worth this:\n\n{advice_text(learnt(scores))}"
    blocks = [(guide, "leaders", guide_table(scores)), (guide, "regret", said)]
    for path in sorted((guide.parents[1] / "methods").glob("*.md")):
        marks = re.findall(r"<!-- standing (\w+):start -->", path.read_text(encoding="utf-8"))
        blocks += [(path, f"standing {key}", standing_of(scores, key)) for key in marks]
    return blocks


def standing_of(scores: pd.DataFrame, key: str) -> str:
    """Return how a method ranks; one of a paper that never leads is marked."""
    rows = scores[scores["kind"] == "method"]
    rows = rows[~rows["name"].str.startswith("single_view") & ~rows["name"].isin(GUESSES)]
    each = rows.groupby("comparison")["score"]
    rows = rows.assign(rank=each.rank(ascending=False, method="min"), rivals=each.transform("size"))
    own = rows[rows["name"] == key]
    if own.empty:
        return "Not compared on real data yet."
    last = len(own) >= FEW and (own["family"] == "paper").all() and (own["rank"] > 1).all()
    mark = " **Of the paper, not for use**: it is never the best." if last else ""
    said = f"{own['title'].iloc[0]}.{mark}"
    for asked, words in TASK_WORDS.items():
        part = own[own["asked"] == asked]
        if len(part):
            rank, rivals = part["rank"].mean(), part["rivals"].mean()
            where = f"on the mean of {len(part)} data sets, best on {(part['rank'] == 1).sum()}"
            said += f" {words}, rank {rank:.1f} of {rivals:.1f} methods {where}."
    return said
