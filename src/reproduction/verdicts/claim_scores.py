"""Judge the claims of a paper: in print, as the text reads, as the evidence suggests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from reproduction.results.published import load_published
from reproduction.rooms import find_paper, tables_of
from reproduction.verdicts.claim_file import Claim, ClaimError
from reproduction.verdicts.claims import PRINTED_DEVIATIONS
from reproduction.verdicts.parts import DATASET, RUN, Part, lines, shorten, untestable
from reproduction.verdicts.words import (
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

#: What is said of a claim under each reading.
_OF_READING = (
    "reason", "effect", "low", "high", "p_holds", "p_refuted", "n", "unit", "runs_needed",
)  # fmt: skip

CLAIM_COLUMNS = (
    "id", "paper", "origin", "scope", "about", "where", "statement", "in_print",
    "in_print_tested", TEXT, INFERRED, "data", "counts",
    *(f"{reading}_{name}" for reading in (TEXT, INFERRED) for name in _OF_READING),
    "readings_run", "readings_hold", "detail", "check",
)  # fmt: skip

_OF_PART = (
    "state", "word", "effect", "low", "high", "p_holds", "p_refuted", "n", "unit", "data", "test",
)  # fmt: skip
#: The single parts of the claims under each reading; parts that were made of parts are their
#: ``group``.
PART_COLUMNS = ("id", "paper", "reading", "group", "part", *_OF_PART, "reason")

#: Data a claim is tested on: the first of these on which it can be.
LEVELS = ((SAME,), JUDGED, (*JUDGED, STAND_IN))

Check = Callable[[pd.DataFrame, dict[str, Any]], Any]


def check_function(claim: Claim, checks: Any) -> Check:
    """Return the function a claim names."""
    found: Check | None = getattr(checks, claim.check, None)
    if found is None:
        raise ClaimError(f"claim {claim.key}: claims.py of {claim.paper} has no {claim.check!r}")
    return found


def run_check(claim: Claim, check: Check, rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Run the check of a claim; one that fails to answer is an error."""
    try:
        part = check(rows, dict(params))
    except Exception as error:
        raise ClaimError(
            f"claim {claim.key}: {claim.check} failed: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(part, Part):
        raise ClaimError(f"claim {claim.key}: {claim.check} returned no part of a claim")
    if part.state != UNTESTABLE and not part.n:
        raise ClaimError(f"claim {claim.key}: a verdict without a count of units")
    other = RUN if claim.about == DATA_OF_THIS_KIND else DATASET
    if part.unit == other:
        raise ClaimError(
            f"claim {claim.key}: is about {claim.about}, its test counts each {part.unit}; "
            "mend claims.yaml or the check"
        )
    return part


def in_order(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows sorted by all they say, so that sums do not depend on the order of files."""
    return rows.sort_values(sorted(map(str, rows.columns)), kind="stable", ignore_index=True)


def answer(claim: Claim, check: Check, rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Test a claim on the best data it can be tested on; surrogates never vote."""
    part = untestable("all data here are surrogates, which have no vote")
    for words in LEVELS:
        voting = rows[rows["provenance"].isin(words)]
        if voting.empty:
            continue
        part = run_check(claim, check, voting, params)
        if part.state != UNTESTABLE:
            return part
    drawn = sorted(set(rows.loc[rows["provenance"] == SURROGATE, "dataset"]))
    if drawn and run_check(claim, check, rows, params).state != UNTESTABLE:
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


@dataclass(frozen=True)
class Answers:
    """Answers of one claim: in print, under both readings, and under every reading run."""

    means: Part
    deviations: Part
    text: Part
    inferred: Part
    others: tuple[str, ...]

    @property
    def in_print(self) -> str:
        """Word by print's means; by its deviations where the sentence is about these."""
        return (self.deviations if self.means.word == UNTESTABLE else self.means).word

    @property
    def in_print_tested(self) -> str:
        """Word by print's own deviations; empty where none are printed."""
        tests = {line.part.test for line in lines(self.deviations)}
        return self.deviations.word if PRINTED_DEVIATIONS in tests else ""


def answers(claim: Claim, check: Check, rows: pd.DataFrame, printed: pd.DataFrame) -> Answers:
    """Test a claim in print, by the text reading, by the inferred one, and by all others."""
    inferred_params = {**claim.params, **(claim.inferred or {})}
    text = answer(claim, check, rows, claim.params)
    inferred = text if claim.inferred is None else answer(claim, check, rows, inferred_params)
    in_print = {**inferred_params, "reading": PRINT}
    means = run_check(claim, check, printed.drop(columns=["std", "runs"]), in_print)
    deviations = run_check(claim, check, printed, in_print)
    words = [text.word, *(() if claim.inferred is None else (inferred.word,))]
    own = {claim.params.get("reading", INFERRED), inferred_params.get("reading", INFERRED)}
    for reading in sorted(set(rows["reading"]) - own - {PRINT}):
        words.append(answer(claim, check, rows, {**inferred_params, "reading": reading}).word)
    return Answers(means, deviations, text, inferred, tuple(w for w in words if w != UNTESTABLE))


def score_claims(
    paper: str, rows: pd.DataFrame, claims: Iterable[Claim], checks: Any
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Run the check of every claim of a paper under the text and the inferred reading.

    ``checks`` holds the functions the claims name: the paper's ``claims`` module. Returns the
    claims, and the parts of each under both readings.
    """
    unknown = sorted(set(rows["provenance"]) - {*LEVELS[-1], SURROGATE})
    if unknown:
        raise ClaimError(
            f"{paper}: rows say their data are {unknown[0]!r}, which is no word for it"
        )
    ordered = in_order(rows)
    printed = printed_rows(paper, ordered.columns)
    records: list[dict[str, Any]] = []
    parts: list[dict[str, Any]] = []
    for claim in claims:
        found = answers(claim, check_function(claim, checks), ordered, printed)
        records.append(_record(claim, found))
        for reading, part in ((TEXT, found.text), (INFERRED, found.inferred)):
            parts += _rows(claim, reading, part)
    return (
        pd.DataFrame(records, columns=list(CLAIM_COLUMNS)),
        pd.DataFrame(parts, columns=list(PART_COLUMNS)),
    )


def _record(claim: Claim, found: Answers) -> dict[str, Any]:
    """Return the row of a claim."""
    said: dict[str, Any] = {}
    for reading, part in ((TEXT, found.text), (INFERRED, found.inferred)):
        said |= {f"{reading}_{name}": getattr(part, name) for name in _OF_READING}
        said[f"{reading}_reason"] = shorten(part.reason)
    data = found.text.data or found.inferred.data
    return {
        "id": claim.key,
        "paper": claim.paper,
        "origin": claim.origin,
        "scope": claim.scope,
        "about": claim.about,
        "where": claim.where,
        "statement": " ".join(claim.statement.split()),
        "in_print": found.in_print,
        "in_print_tested": found.in_print_tested,
        TEXT: found.text.word,
        INFERRED: found.inferred.word,
        "data": data,
        "counts": "yes" if claim.origin == PUBLISHED and data == SAME else "no",
        **said,
        "readings_run": len(found.others),
        "readings_hold": found.others.count(HOLDS),
        "detail": " ".join(found.text.detail.split()),
        "check": claim.check,
    }


def _rows(claim: Claim, reading: str, whole: Part) -> Iterator[dict[str, Any]]:
    """Yield a row for each single part of a claim."""
    for group, name, part in lines(whole):
        yield {
            "id": claim.key,
            "paper": claim.paper,
            "reading": reading,
            "group": group,
            "part": name,
            **{key: getattr(part, key) for key in _OF_PART},
            "reason": " ".join(part.reason.split()),
        }
