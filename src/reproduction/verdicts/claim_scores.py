"""Judge the claims of a paper: check, Holm's adjustment, verdict, for both readings."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from reproduction.verdicts.claim_file import Claim, ClaimError
from reproduction.verdicts.parts import (
    EXACT,
    NONE,
    TESTED,
    Part,
    lines,
    shorten,
    untestable,
    verdict_of,
)
from reproduction.verdicts.statistics import holm
from reproduction.verdicts.words import (
    INFERRED,
    JUDGED,
    OURS,
    PUBLISHED,
    SAME,
    STAND_IN,
    SURROGATE,
    UNTESTABLE,
)

CLAIM_COLUMNS = (
    "id", "paper", "origin", "scope", "where", "statement", "verdict", "verdict_inferred", "data",
    "protocol", "counts", "reason", "effect", "low", "high", "p_value", "p_holm", "n", "unit",
    "detail", "check",
)  # fmt: skip

_OF_PART = ("state", "effect", "low", "high", "p_value", "n", "unit", "data", "test")
#: The single parts of the claims, in the order of the claim's ``detail``; parts that were made of
#: parts are their ``group``.
PART_COLUMNS = ("id", "paper", "group", "part", *_OF_PART, "reason")

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
    if part.state in (TESTED, EXACT) and not part.n:
        raise ClaimError(f"claim {claim.key}: a verdict without a count of units")
    if part.state in (TESTED, EXACT) and part.unit != claim.unit:
        raise ClaimError(
            f"claim {claim.key}: says its unit is {claim.unit!r}, its test has {part.unit!r}; "
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
        if part.state in (TESTED, EXACT) or part.data:
            return part
    drawn = sorted(set(rows.loc[rows["provenance"] == SURROGATE, "dataset"]))
    if drawn and run_check(claim, check, rows, params).state != UNTESTABLE:
        return untestable(f"its data are here as surrogates only ({', '.join(drawn)}): no vote")
    return part


@dataclass(frozen=True)
class Answers:
    """Answers of one claim under both readings, and the protocol of the first."""

    text: Part
    inferred: Part
    protocol: str


def answers(claim: Claim, check: Check, rows: pd.DataFrame) -> Answers:
    """Test a claim by the text reading and by the inferred one.

    Where the text reading was not run, the nearest one that was speaks; its protocol is inferred.
    """
    text = answer(claim, check, rows, claim.params)
    if claim.inferred is None:
        return Answers(text, text, claim.protocol)
    inferred = answer(claim, check, rows, {**claim.params, **claim.inferred})
    if text.state != UNTESTABLE:
        return Answers(text, inferred, claim.protocol)
    nearest = inferred
    if claim.nearest is not None:
        nearest = answer(claim, check, rows, {**claim.params, **claim.nearest})
    if nearest.state == UNTESTABLE:
        return Answers(nearest, inferred, claim.protocol)
    return Answers(nearest, inferred, INFERRED)


def _adjusted(claims: Sequence[Claim], parts: Sequence[Part]) -> list[float]:
    """Holm's p-values over the published claims; our own keep theirs."""
    family = {
        claim.key: part.p_value
        for claim, part in zip(claims, parts, strict=True)
        if claim.origin == PUBLISHED and not math.isnan(part.p_value)
    }
    adjusted = holm(family)
    return [adjusted.get(c.key, p.p_value) for c, p in zip(claims, parts, strict=True)]


def score_claims(
    paper: str, rows: pd.DataFrame, claims: Iterable[Claim], checks: Any
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Run the check of every claim of a paper under the text and the inferred reading.

    ``checks`` holds the functions the claims name: the paper's ``claims`` module. Returns the
    claims, and the parts of each under the text reading.
    """
    unknown = sorted(set(rows["provenance"]) - {*LEVELS[-1], SURROGATE})
    if unknown:
        raise ClaimError(
            f"{paper}: rows say their data are {unknown[0]!r}, which is no word for it"
        )
    stated = list(claims)
    ordered = in_order(rows)
    functions = [check_function(claim, checks) for claim in stated]
    found = [answers(c, check, ordered) for c, check in zip(stated, functions, strict=True)]
    text, inferred = [each.text for each in found], [each.inferred for each in found]
    p_text, p_inferred = _adjusted(stated, text), _adjusted(stated, inferred)
    records = []
    for place, claim in enumerate(stated):
        part = text[place]
        counts = claim.origin == PUBLISHED and part.data == SAME
        records.append(
            {
                "id": claim.key,
                "paper": paper,
                "origin": claim.origin,
                "scope": claim.scope,
                "where": claim.where,
                "statement": " ".join(claim.statement.split()),
                "verdict": verdict_of(part, p_text[place]),
                "verdict_inferred": verdict_of(inferred[place], p_inferred[place]),
                "data": part.data,
                "protocol": found[place].protocol,
                "counts": "yes" if counts else "no",
                "reason": shorten(part.reason),
                "effect": part.effect,
                "low": part.low,
                "high": part.high,
                "p_value": part.p_value,
                "p_holm": math.nan if claim.origin == OURS else p_text[place],
                "n": part.n,
                "unit": claim.unit if part.state in (TESTED, EXACT) else NONE,
                "detail": " ".join(part.detail.split()),
                "check": claim.check,
            }
        )
    parts = [row for claim, part in zip(stated, text, strict=True) for row in _rows(claim, part)]
    return (
        pd.DataFrame(records, columns=list(CLAIM_COLUMNS)),
        pd.DataFrame(parts, columns=list(PART_COLUMNS)),
    )


def _rows(claim: Claim, whole: Part) -> Iterator[dict[str, Any]]:
    """Yield a row for each single part of a claim."""
    for group, name, part in lines(whole):
        yield {
            "id": claim.key,
            "paper": claim.paper,
            "group": group,
            "part": name,
            **{key: getattr(part, key) for key in _OF_PART},
            "reason": " ".join(part.reason.split()),
        }
