"""The page on reliability: what was tried on purpose, how often, and what came of it.

Every figure comes from a file that a run of one command wrote (:mod:`reproduction.pages.evidence`);
where there is none, the page says "not measured". ``assets/reliability.yaml`` has the words.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from reproduction.files import read_yaml
from reproduction.pages.evidence import EVIDENCE, read_evidence
from reproduction.pages.markup import templates

NOT_MEASURED = "not measured"

#: Kinds of trouble: name of the file, title, what is done, the command, words for its figures.
MEASUREMENTS = read_yaml(Path(__file__).with_name("assets") / "reliability.yaml")


def tell(entry: Mapping[str, Any], words: str, figures: Mapping[str, Any]) -> str:
    """Return the words (``tried`` or ``outcome``) about a run's figures."""
    template = templates().from_string(entry[words])
    return template.render(f=figures, killed=entry.get("killed", {}))


def summary_frame(folder: Path = EVIDENCE) -> pd.DataFrame:
    """Return a row for every measurement; those without a file are "not measured"."""
    rows = []
    for entry in MEASUREMENTS:
        found = read_evidence(entry["name"], folder)
        told = {w: tell(entry, w, found["figures"]) for w in ("tried", "outcome") if found}
        rows.append(
            {
                "what": entry["title"],
                "tried": told.get("tried", NOT_MEASURED),
                "outcome": told.get("outcome", NOT_MEASURED),
                "command": entry["command"],
                "commit": found.get("commit", ""),
            }
        )
    return pd.DataFrame(rows)


def descriptions() -> str:
    """Return what each measurement does, as a Markdown list."""
    return "\n".join(f"* **{entry['title']}.** {entry['what']}" for entry in MEASUREMENTS)


def mutants_frame(folder: Path = EVIDENCE) -> pd.DataFrame:
    """Return mutants made and caught in every room; empty when not measured."""
    rooms = read_evidence("mutants", folder).get("figures", {}).get("rooms", {})
    rows = [(room, counts["made"], counts["caught"]) for room, counts in rooms.items()]
    return pd.DataFrame(rows, columns=["room", "made", "caught"])


def shortcomings(folder: Path = EVIDENCE) -> str:
    """Return everything that did not go as it should, as Markdown."""
    lines = []
    for entry in MEASUREMENTS:
        figures = read_evidence(entry["name"], folder).get("figures", {})
        for word in ("missed", "wrong"):
            lines += [f"* {entry['title']}: {text}" for text in figures.get(word, [])]
    return "\n".join(lines) or "Nothing that was measured went wrong."
