"""Old and new verdict of every cell side by side, as a page for the change log."""

from __future__ import annotations

import pandas as pd

from reproduction.verdicts.words import AGREEMENT

#: Words of the first rule, best first.
FIRST = ("reproduced", "close", "differs", "not comparable", "not run")


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _crossed(old: pd.Series, new: pd.Series) -> list[str]:
    """Markdown table of how many cells went from which word to which."""
    words = [word for word in AGREEMENT if word in set(new)]
    lines = [_line(["first rule", *words, "all"]), _line(["---"] * (len(words) + 2))]
    for before in FIRST:
        here = new[old == before]
        if len(here):
            numbers = [int((here == word).sum()) for word in words]
            lines.append(_line([before, *map(str, numbers), str(len(here))]))
    return lines


def paired(old: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    """Pair the cells of two ledgers in the order of print; other cells are an error."""
    keys = ["paper", "table", "method", "metric"]
    parts = []
    for paper in dict.fromkeys(new["paper"]):
        before, after = old[old["paper"] == paper], new[new["paper"] == paper]
        same = before[keys].reset_index(drop=True).equals(after[keys].reset_index(drop=True))
        if not same:
            raise ValueError(
                f"{paper}: the two ledgers do not list the same cells; compare ledgers of one "
                "published.csv"
            )
        parts.append(after.assign(first=before["verdict"].to_numpy()))
    return pd.concat(parts, ignore_index=True)


def changes_markdown(old: pd.DataFrame, new: pd.DataFrame) -> str:
    """Return the page: counts for each paper and both readings, then every cell."""
    both = paired(old, new)
    lines = [
        "# Verdicts, before and after",
        "",
        "## Cells",
        "",
        "Written by `python -m reproduction changes`. The first rule called a cell reproduced when "
        "it lay within a tolerance that grew with the printed deviation; the new one is in "
        "[decision 14](decisions/0014-verdicts-on-three-axes.md). Cells that print a number again "
        "are listed and not counted.",
    ]
    once = both[both["repeats"] == ""]
    for paper in (None, *dict.fromkeys(both["paper"])):
        part = once if paper is None else once[once["paper"] == paper]
        lines += ["", f"### {paper or 'All papers'}"]
        for title, column in (
            ("Inferred reading", "agreement"),
            ("As the text says", "text_agreement"),
        ):
            lines += ["", f"{title}:", "", *_crossed(part["first"], part[column])]
    lines += ["", "### Every cell", ""]
    header = ["cell", "first rule", "inferred", "as the text says", "data", "protocol", "repeats"]
    lines += [_line(header), _line(["---"] * len(header))]
    columns = ["cell", "first", "agreement", "text_agreement", "data", "protocol", "repeats"]
    for row in both[columns].itertuples(index=False, name=None):
        lines.append(_line([f"`{row[0]}`", *map(str, row[1:])]))
    return "\n".join(lines) + "\n"
