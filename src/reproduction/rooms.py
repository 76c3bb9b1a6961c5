"""The papers, found by looking: a folder of ``papers/`` with a ``paper.yaml`` is a paper.

Stations ask here what papers there are and what is in a paper's room; they never import a paper
by name, so a new paper is a new folder and nothing else.
"""

import importlib
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, HttpUrl, ValidationError

from reproduction.files import read_yaml

if TYPE_CHECKING:
    from reproduction.results.settings import Settings
    from reproduction.results.study import Study
    from reproduction.results.tables import Tables

PAPERS = Path(__file__).resolve().parent / "papers"


class RoomError(ValueError):
    """A paper's room lacks something or its card is wrong; the text names the file."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Difference(_Part):
    """How a copy of a data set differs from this paper's, though it may be another paper's own."""

    data: Literal["subset", "other features"]
    text: str = Field(min_length=1)


class PrintedRuns(_Part):
    """Number of runs behind the printed figures of some tables, and where the paper says so."""

    tables: tuple[str, ...] = Field(min_length=1)
    number: int = Field(ge=1)
    where: str = Field(min_length=1)


class SecondName(_Part):
    """A method that a table prints under another name, at some settings of that table."""

    table: str
    method: str
    at: dict[str, float | str] = {}
    same_as: str = Field(description="Its name in the other tables.")


class Paper(BaseModel):
    """A paper's card, ``paper.yaml``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    title: str = Field(min_length=1)
    short: str = Field(min_length=1, description="Name in navigation and pictures.")
    authors: tuple[str, ...] = Field(min_length=1)
    year: int = Field(ge=1900, le=2100)
    venue: str
    identifier: str = Field(default="", description="DOI or the like, without a resolver.")
    links: tuple[HttpUrl, ...] = ()
    datasets: tuple[str, ...] = Field(description="Keys of the data sets its experiments read.")
    summary: str = Field(min_length=1, description="What it is, in one line.")
    differences: dict[str, Difference] = Field(
        default={}, description="Data set -> how it differs from this paper's."
    )
    runs: tuple[PrintedRuns, ...] = Field(
        default=(), description="Runs behind the printed figures, where the text gives them."
    )
    proposed: tuple[str, ...] = Field(
        default=(), description="The paper's own methods, as opposed to those it compares with."
    )
    control: bool = Field(
        default=False, description="Known to reproduce: it tries the verdicts and is counted apart."
    )
    second_names: tuple[SecondName, ...] = ()
    main_claims: tuple[str, ...] = Field(
        default=(), description="Ids of the claims the paper stands for, for the front page."
    )

    def printed_runs(self, table: str) -> int | None:
        """Return the number of runs the text gives for a table, if it gives one."""
        return next((entry.number for entry in self.runs if table in entry.tables), None)

    @property
    def citation(self) -> str:
        """Authors, year, title, venue and identifier in one line."""
        names = ", ".join(self.authors)
        found = f" {self.identifier}." if self.identifier else ""
        return f"{names} ({self.year}). {self.title}. {self.venue}.{found}"

    @property
    def address(self) -> str:
        """Where the paper can be found; empty when its card names no place."""
        if self.links:
            return str(self.links[0])
        doi = self.identifier.removeprefix("doi:")
        return f"https://doi.org/{doi}" if doi != self.identifier else ""


@cache
def find_papers(folder: Path = PAPERS) -> dict[str, Paper]:
    """Return all papers by key, in the order of their years."""
    cards = [_card(path) for path in sorted(folder.glob("*/paper.yaml"))]
    return {card.key: card for card in sorted(cards, key=lambda card: (card.year, card.key))}


def _card(path: Path) -> Paper:
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise RoomError(f"{path} holds no mapping; see docs/extending.md for what it needs")
    try:
        return Paper.model_validate({"key": path.parent.name, **content})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise RoomError(f"{path}: {place}: {first['msg']}; see docs/extending.md") from None


def paper_keys() -> tuple[str, ...]:
    """Return the keys of all papers."""
    return tuple(find_papers())


def controls() -> tuple[str, ...]:
    """Return the keys of the papers that try the verdicts and are not counted with the others."""
    return tuple(key for key, card in find_papers().items() if card.control)


def find_paper(key: str) -> Paper:
    """Return one paper; the error lists what there is."""
    papers = find_papers()
    if key not in papers:
        raise RoomError(f"unknown paper {key!r}; known: {', '.join(papers)}")
    return papers[key]


def room(key: str) -> Path:
    """Return the folder of a paper."""
    return PAPERS / find_paper(key).key


def module_name(key: str, part: str = "") -> str:
    """Return the dotted name of a paper's package, or of a module in it."""
    return f"reproduction.papers.{find_paper(key).key}" + (f".{part}" if part else "")


def open_module(key: str, part: str = "") -> ModuleType:
    """Import a paper's package, or a module in it."""
    return importlib.import_module(module_name(key, part))


def study_of(key: str) -> "Study":
    """Return the declaration in a paper's ``paper.py``."""
    found: Study = open_module(key, "paper").study
    return found


def tables_of(key: str) -> "Tables":
    """Return the tables a paper declares."""
    return study_of(key).tables


def settings_of(key: str, values: Any) -> "Settings":
    """Return checked settings of a paper from plain values (as a rule hands them on)."""
    return study_of(key).settings.model_validate(values)
