"""What became of every claim when the rules changed: the section "Claims" of the change log.

``python -m reproduction.verdicts.claim_changes old.csv new.csv`` writes it between its markers into
``docs/verdict-changes.md``. Verdicts come from the two files; the reasons stand in the papers'
``claims.yaml`` (``changed``, ``dropped``).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import pandas as pd

from reproduction.files import ROOT, write_text
from reproduction.results.rows import read_table
from reproduction.rooms import find_paper, paper_keys
from reproduction.verdicts.claim_file import dropped_claims, load_claims_file
from reproduction.verdicts.words import OURS, PUBLISHED

PAGE = ROOT / "docs" / "verdict-changes.md"
TITLE = "# Verdicts, before and after"
START, END = "<!-- claims:start -->", "<!-- claims:end -->"

#: What a row of the table says happened.
NEW, MOVED, DROPPED, KEPT = "sentence added", "moved to ours", "dropped", "kept"
JOINED = "renamed or joined"


#: Old and new word for one finding.
_SAME_FINDING = (("fails", "refuted"), ("mixed", "undecided"))


def change_rows(old: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each claim, old or new: both verdicts, what happened, and why.

    A claim that is in neither the new table nor the list of dropped ones is an error.
    """
    before = dict(zip(old["id"], old["verdict"], strict=True))
    after = new.set_index("id")
    records = []
    for paper in paper_keys():
        claims = {claim.key: claim for claim in load_claims_file(paper)}
        dropped = dropped_claims(paper)
        lost = {name for name in before if name.startswith(f"{paper}.")} - {*claims, *dropped}
        if lost:
            raise ValueError(
                f"{sorted(lost)[0]} is gone without a reason; say why in claims.yaml (dropped)"
            )
        for name, claim in claims.items():
            if name not in after.index:
                raise ValueError(f"{name} is not in the new table; score {paper} again")
            row = after.loc[name]
            what = KEPT if name in before else JOINED
            if what == JOINED and "missing" in claim.changed:
                what = NEW
            if claim.origin == OURS and name in before:
                what = MOVED
            verdict = row["verdict"]
            if row["verdict_inferred"] != verdict:
                verdict = f"{verdict} (inferred reading: {row['verdict_inferred']})"
            reason = claim.changed
            if not reason and name in before and before[name] != row["verdict"]:
                reason = "The same finding under its new word."
                if (before[name], row["verdict"]) not in _SAME_FINDING:
                    reason = "The new rules; wording and place are as before."
            records.append((paper, name, before.get(name, ""), verdict, row["data"], what, reason))
        for name, reason in dropped.items():
            records.append((paper, name, before.get(name, ""), "", "", DROPPED, reason))
    columns = ["paper", "id", "old", "new", "data", "what", "reason"]
    return pd.DataFrame(records, columns=columns)


def _counts(words: pd.Series) -> str:
    found = Counter(words)
    return ", ".join(
        f"{n} {word}" for word, n in sorted(found.items(), key=lambda x: (-x[1], x[0]))
    )


def section(old: pd.DataFrame, new: pd.DataFrame) -> str:
    """Return the section, markers included."""
    rows = change_rows(old, new)
    published = new[new["origin"] == PUBLISHED]
    counted = published[published["counts"] == "yes"]
    lines = [
        START,
        "## Claims",
        "",
        "Written by `python -m reproduction.verdicts.claim_changes`; the reasons stand in the "
        "papers' `claims.yaml`.",
        "",
        f"Before: {len(old)} claims, {_counts(old['verdict'])}. Now: {len(published)} claims in "
        f"sentences of the authors ({len(counted)} tested on the paper's own data: "
        f"{_counts(counted['verdict'])}) and {len(new) - len(published)} tests of our own, which "
        f"are not counted. What happened: {_counts(rows['what'])}.",
    ]
    for paper, part in rows.groupby("paper", sort=False):
        header = ["claim", "before", "now", "data", "what happened", "why"]
        lines += ["", f"### {find_paper(str(paper)).short}", ""]
        lines += ["| " + " | ".join(header) + " |", "| " + " | ".join(["---"] * 6) + " |"]
        for _, row in part.iterrows():
            cells = [row["id"].partition(".")[2], row["old"], row["new"], row["data"], row["what"]]
            lines.append("| " + " | ".join([*cells, row["reason"].replace("|", "\\|")]) + " |")
    return "\n".join([*lines, END])


def put(text: str, block: str) -> str:
    """Return a page with the block in place of the old one, or at its end."""
    if START in text and END in text:
        before, rest = text.split(START, 1)
        return before + block + rest.split(END, 1)[1]
    return (text.rstrip("\n") or TITLE) + "\n\n" + block + "\n"


def kept(text: str) -> str:
    """Return the block of a page, markers included; empty if it has none."""
    if START not in text or END not in text:
        return ""
    return START + text.split(START, 1)[1].split(END, 1)[0] + END


def main(arguments: list[str] | None = None) -> int:
    """Write the section."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path, help="claims.csv before the change")
    parser.add_argument("new", type=Path, help="claims.csv after it")
    parser.add_argument("--page", type=Path, default=PAGE)
    given = parser.parse_args(arguments)
    for path in (given.old, given.new):
        if not path.is_file():
            parser.error(f"{path} is not there; give two files claims.csv")
    page = given.page.read_text(encoding="utf-8") if given.page.is_file() else ""
    write_text(given.page, put(page, section(read_table(given.old), read_table(given.new))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
