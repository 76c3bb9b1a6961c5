"""Claims of a paper (``claims.yaml``), judged in print, by the text and as inferred."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from textwrap import shorten
from typing import Any, Literal

import pandas as pd
from pydantic import Field, model_validator

from asprinted.claims import PRINTED_DEVIATIONS
from asprinted.parts import DATASET, RUN, Part, lines, untestable
from asprinted.words import (
    DATA_OF_THIS_KIND,
    HOLDS,
    INFERRED,
    JUDGED,
    PRINT,
    PUBLISHED,
    SAME,
    STAND_IN,
    SURROGATE,
    TEXT,
    UNTESTABLE,
)
from reproduction.results.published import load_published
from reproduction.rooms import RoomError, find_paper, room, tables_of
from reproduction.verdicts.cells import Entry, Fixed, load_list

#: What is said of a claim under each reading, besides the reason.
_FIGURES = ("effect", "low", "high", "p_holds", "p_refuted", "n", "unit", "runs_needed")

CLAIM_COLUMNS = (
    "id", "paper", "origin", "scope", "about", "where", "statement", "in_print",
    "in_print_tested", TEXT, INFERRED, "data", "counts",
    *(f"{reading}_{name}" for reading in (TEXT, INFERRED) for name in ("reason", *_FIGURES)),
    "readings_run", "readings_hold", "check",
)  # fmt: skip

_OF_PART = (
    "state", "word", "effect", "low", "high", "p_holds", "p_refuted", "n", "unit", "data", "test",
)  # fmt: skip
#: The single parts of the claims under each reading; parts that were made of parts are their
#: ``group``.
PART_COLUMNS = ("id", "paper", "reading", "group", "part", *_OF_PART, "reason")

#: Data a claim is tested on: the first of these on which it can be.
LEVELS = ((SAME,), JUDGED, (*JUDGED, STAND_IN))

#: What a claim names: rows and parameters in, a part out.
Check = Callable[[pd.DataFrame, Mapping[str, Any]], Part]


class Place(Fixed):
    """Where a sentence stands in the paper."""

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


def checked(claim: Claim, checks: Any) -> Check:
    """Return the check that a claim names; one that is not there or fails to answer is an error."""
    function = getattr(checks, claim.check, None)
    if function is None:
        raise RoomError(f"claim {claim.key}: claims.py of {claim.paper} has no {claim.check!r}")

    def run(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
        try:
            part = function(rows, dict(params))
        except Exception as error:
            told = f"{claim.check} failed: {type(error).__name__}: {error}"
            raise RoomError(f"claim {claim.key}: {told}") from error
        if not isinstance(part, Part):
            raise RoomError(f"claim {claim.key}: {claim.check} returned no part of a claim")
        if part.unit == (RUN if claim.about == DATA_OF_THIS_KIND else DATASET):
            told = f"is about {claim.about}, its test counts each {part.unit}"
            raise RoomError(f"claim {claim.key}: {told}; mend claims.yaml or the check")
        return part

    return run


def answer(check: Check, rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Test a claim, unless rows that it reads were made under other settings than the paper's."""
    if "changed" not in rows:
        return _answer(check, rows, params)
    known, rows = rows["changed"], rows.drop(columns="changed")
    part = _answer(check, rows, params)
    read = [
        text
        for text in filter(None, known.unique())
        if repr(_answer(check, rows[known != text], params)) != repr(part)
    ]
    if part.state == UNTESTABLE or not read:
        return part
    settings = dict.fromkeys(each for text in read for each in text.split("; "))
    return untestable(f"not comparable ({'; '.join(settings)})")


def _answer(check: Check, rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Test a claim on the best data it can be tested on; surrogates never vote."""
    part = untestable("all data here are surrogates, which have no vote")
    for words in LEVELS:
        voting = rows[rows["provenance"].isin(words)]
        if voting.empty:
            continue
        part = check(voting, params)
        if part.state != UNTESTABLE:
            return part
    drawn = sorted(set(rows.loc[rows["provenance"] == SURROGATE, "dataset"]))
    if drawn and check(rows, params).state != UNTESTABLE:
        return untestable(f"its data are here as surrogates only ({', '.join(drawn)}): no vote")
    return part


def printed_rows(paper: str, columns: Iterable[str]) -> pd.DataFrame:
    """Return the printed figures as rows: one run, the printed mean, deviation and runs."""
    published, card, tables = load_published(paper), find_paper(paper), tables_of(paper)
    rows = published.assign(
        setting=tables.written(published), role="published", reading=PRINT, run=0,
        value=published["mean"], provenance=SAME,
        runs=[float(card.printed_runs(str(name)) or "nan") for name in published["table"]],
    )  # fmt: skip
    return rows.reindex(columns=[*columns, "std", "runs"])


def score_claims(
    paper: str, rows: pd.DataFrame, claims: Iterable[Claim], checks: Any
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Run the check of every claim of a paper under the text and the inferred reading.

    ``checks`` holds the functions the claims name: the paper's ``claims`` module. Returns the
    claims, and the parts of each under both readings.
    """
    # sums must not depend on the order of files
    ordered = rows.sort_values(sorted(map(str, rows.columns)), kind="stable", ignore_index=True)
    printed = printed_rows(paper, ordered.columns)
    # a claim looks at hundreds of readings: each is handed over alone
    readings = {str(name): part for name, part in ordered.groupby("reading", sort=True)}
    records: list[dict[str, Any]] = []
    parts: list[list[Any]] = []
    for claim in claims:
        check, inferred = checked(claim, checks), {**claim.params, **(claim.inferred or {})}
        found = {TEXT: answer(check, ordered, claim.params)}
        words = [found[TEXT].word]
        found[INFERRED] = found[TEXT]
        if claim.inferred is not None:
            found[INFERRED] = answer(check, ordered, inferred)
            words.append(found[INFERRED].word)
        own = {params.get("reading", INFERRED) for params in (claim.params, inferred)}
        for reading in sorted(set(readings) - own - {PRINT}):
            words.append(answer(check, readings[reading], {**inferred, "reading": reading}).word)
        # by print's means and by its deviations; a sentence about these has no other word
        frames = (printed.drop(columns=["std", "runs"]), printed)
        means, deviations = (check(each, {**inferred, "reading": PRINT}) for each in frames)
        tests = {part.test for _, _, part in lines(deviations)}
        said = {
            "in_print": (deviations if means.word == UNTESTABLE else means).word,
            "in_print_tested": deviations.word if PRINTED_DEVIATIONS in tests else "",
            "readings_run": len(words) - words.count(UNTESTABLE),
            "readings_hold": words.count(HOLDS),
        }
        records.append(_record(claim, found) | said)
        parts += [
            [claim.key, claim.paper, reading, group, name]
            + [getattr(part, key) for key in _OF_PART]
            + [" ".join(part.reason.split())]
            for reading, whole in found.items()
            for group, name, part in lines(whole)
        ]
    return (
        pd.DataFrame(records, columns=list(CLAIM_COLUMNS)),
        pd.DataFrame(parts, columns=list(PART_COLUMNS)),
    )


def _record(claim: Claim, found: Mapping[str, Part]) -> dict[str, Any]:
    """Return the row of a claim, without what print and other readings say."""
    data = found[TEXT].data or found[INFERRED].data
    row = {name: getattr(claim, name) for name in ("paper", "origin", "scope", "about", "check")}
    row |= {
        "id": claim.key,
        "where": claim.where,
        "statement": " ".join(claim.statement.split()),
        "data": data,
        "counts": "yes" if claim.origin == PUBLISHED and data == SAME else "no",
    }
    for reading, part in found.items():
        row |= {f"{reading}_{name}": getattr(part, name) for name in _FIGURES}
        # read at a glance
        short = shorten(part.reason, 200, placeholder="…", break_on_hyphens=False)
        row |= {reading: part.word, f"{reading}_reason": short}
    return row
