"""A paper's ``claims.yaml``: sentences of the authors, tests of our own, and what was dropped."""

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from asprinted.words import PUBLISHED
from reproduction.rooms import room
from reproduction.verdicts.cells import Entry, load_list


class Place(BaseModel):
    """Where a sentence stands in the paper."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    section: str
    paragraph: int | str = Field(description="number under the heading, or the item's own number")
    sentence: int = Field(ge=1)

    def __str__(self) -> str:
        section = self.section if self.section[:1].isalpha() else f"section {self.section}"
        counted = "paragraph " if isinstance(self.paragraph, int) else ""
        return f"{section}, {counted}{self.paragraph}, sentence {self.sentence}"


class Claim(Entry):
    """One claim; the fields are explained at the head of every ``claims.yaml``."""

    paper: str = ""
    at: Place | None = None
    statement: str
    origin: Literal["published", "ours"]
    scope: Literal["universal", "average", "existence"]
    about: Literal["these data", "data of this kind"]
    check: str
    params: dict[str, Any] = Field({})
    inferred: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _published_claims_have_a_place(self) -> "Claim":
        if self.origin == PUBLISHED and self.at is None:
            raise ValueError("a published claim needs the place of its sentence (at)")
        return self

    @property
    def key(self) -> str:
        """Name that is unique among all papers."""
        return f"{self.paper}.{self.id}"

    @property
    def where(self) -> str:
        """Place for readers."""
        own = "our own, after " if self.at else "our own"
        return f"{own if self.origin != PUBLISHED else ''}{self.at or ''}"


def load_claims_file(paper: str, path: Path | str | None = None) -> list[Claim]:
    """Read and check a paper's ``claims.yaml``."""
    claims = load_list(Claim, Path(path or room(paper) / "claims.yaml"))
    return [claim.model_copy(update={"paper": paper}) for claim in claims]
