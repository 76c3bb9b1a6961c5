"""The page on reliability: what was tried on purpose, how often, and what came of it.

Every figure comes from a file that a run of one command wrote (:mod:`reproduction.pages.evidence`);
where there is none, the page says "not measured". ``assets/reliability.yaml`` has the words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from reproduction.files import read_yaml
from reproduction.pages.evidence import EVIDENCE, read_evidence
from reproduction.pages.markup import templates

NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Measurement:
    """One kind of trouble: its file, what is done, the command, and how its figures are told."""

    name: str
    title: str
    what: str
    command: str
    tried: str
    outcome: str
    killed: Mapping[str, str] = field(default_factory=dict)

    def tell(self, words: str, figures: Mapping[str, Any]) -> str:
        """Return the words about a run's figures."""
        return templates().from_string(words).render(f=figures, killed=self.killed)


MEASUREMENTS = tuple(
    Measurement(**entry)
    for entry in read_yaml(Path(__file__).with_name("assets") / "reliability.yaml")
)


def summary_frame(folder: Path = EVIDENCE) -> pd.DataFrame:
    """Return a row for every measurement; those without a file are "not measured"."""
    rows = []
    for entry in MEASUREMENTS:
        found = read_evidence(entry.name, folder)
        figures = found.get("figures")
        rows.append(
            {
                "what": entry.title,
                "tried": entry.tell(entry.tried, figures) if figures else NOT_MEASURED,
                "outcome": entry.tell(entry.outcome, figures) if figures else NOT_MEASURED,
                "command": entry.command,
                "commit": found.get("commit", ""),
            }
        )
    return pd.DataFrame(rows)


def descriptions() -> str:
    """Return what each measurement does, as a Markdown list."""
    return "\n".join(f"* **{entry.title}.** {entry.what}" for entry in MEASUREMENTS)


def mutants_frame(folder: Path = EVIDENCE) -> pd.DataFrame:
    """Return mutants made and caught in every room; empty when not measured."""
    rooms = read_evidence("mutants", folder).get("figures", {}).get("rooms", {})
    rows = [(room, counts["made"], counts["caught"]) for room, counts in rooms.items()]
    return pd.DataFrame(rows, columns=["room", "made", "caught"])


def shortcomings(folder: Path = EVIDENCE) -> str:
    """Return everything that did not go as it should, as Markdown."""
    lines = []
    for entry in MEASUREMENTS:
        figures = read_evidence(entry.name, folder).get("figures", {})
        for word in ("missed", "wrong"):
            lines += [f"* {entry.title}: {text}" for text in figures.get(word, [])]
    return "\n".join(lines) or "Nothing that was measured went wrong."
