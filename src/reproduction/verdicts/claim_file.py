"""A paper's ``claims.yaml``: sentences of the authors, tests of our own, and what was dropped."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from reproduction.files import read_yaml
from reproduction.rooms import room
from reproduction.verdicts.words import PUBLISHED


class ClaimError(ValueError):
    """The claims file is wrong or a check failed; the text names the claim."""


class Place(BaseModel):
    """Where a sentence stands in the paper."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    section: str
    paragraph: int | str = Field(description="number under the heading, or the item's own number")
    sentence: int = Field(ge=1)

    def __str__(self) -> str:
        spoken = self.section if self.section[:1].isalpha() else f"section {self.section}"
        counted = (
            f"paragraph {self.paragraph}" if isinstance(self.paragraph, int) else self.paragraph
        )
        return f"{spoken}, {counted}, sentence {self.sentence}"


class Claim(BaseModel):
    """One claim; the fields are explained at the head of every ``claims.yaml``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    paper: str = ""
    at: Place | None = None
    statement: str
    origin: Literal["published", "ours"]
    scope: Literal["universal", "average", "existence"]
    about: Literal["these data", "data of this kind"]
    check: str
    params: dict[str, Any] = {}
    inferred: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _published_claims_have_a_place(self) -> Claim:
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
        if self.at is None:
            return "our own"
        return str(self.at) if self.origin == PUBLISHED else f"our own, after {self.at}"


def _entries(paper: str, path: Path | str | None) -> tuple[Path, list[dict[str, Any]]]:
    source = Path(path) if path is not None else room(paper) / "claims.yaml"
    claims = read_yaml(source)
    if not isinstance(claims, list):
        raise ClaimError(f"{source}: holds no list of claims; begin each with a dash")
    for entry in claims:
        if not isinstance(entry, dict) or "id" not in entry:
            raise ClaimError(f"{source}: {entry!r} is no claim; give it an id")
    return source, claims


def load_claims_file(paper: str, path: Path | str | None = None) -> list[Claim]:
    """Read and check a paper's ``claims.yaml``; entries that were dropped are left out."""
    source, entries = _entries(paper, path)
    seen: set[str] = set()
    claims = []
    for entry in entries:
        name = str(entry["id"])
        if name in seen:
            raise ClaimError(f"{source}: claim {name} is there twice; ids must be unique")
        seen.add(name)
        if "dropped" in entry:
            continue
        try:
            claims.append(Claim(**{**entry, "paper": paper, "params": entry.get("params") or {}}))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "entry"
            raise ClaimError(f"{source}: claim {name}, {place}: {first['msg']}") from None
    if not claims:
        raise ClaimError(f"{source}: holds no list of claims; a paper without claims is no paper")
    return claims
