"""What a check returns: one part of a claim, or several that together make it.

A part knows the sign of its effect, whether its 95 % interval excludes the claimed sign, and its
p-value. The verdict is given later, when Holm's adjustment over the paper's claims is known.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from reproduction.verdicts.statistics import ALPHA, Outcome
from reproduction.verdicts.words import (
    DATA,
    HOLDS,
    REFUTED,
    UNDECIDED,
    UNINFORMATIVE,
    UNTESTABLE,
    worst,
)

#: What a part can be: tested, an exact statement, or without an answer.
TESTED, EXACT = "tested", "exact"
STATES = (TESTED, EXACT, UNINFORMATIVE, UNTESTABLE)

#: Units of a test: what a sentence is about. Partitions (folds, label draws) share rows, runs
#: (random starts or orders) do not, exact statements have none.
DATASET, PARTITION, RUN, NONE = "data set", "partition", "run", "none"
UNITS = (DATASET, PARTITION, RUN, NONE)

#: A reason is read at a glance.
REASON_LENGTH = 200


@dataclass(frozen=True)
class Part:
    """One part of a claim.

    Attributes
    ----------
    state
        One of :data:`STATES`.
    reason
        What was found, in one plain line.
    positive, contradicted
        Whether the effect has the claimed sign; whether its 95 % interval excludes that sign (an
        exact statement: whether it is true, whether it is false).
    effect, low, high, p_value, n
        Effect beyond what is claimed, its 95 % interval, one-sided p-value, number of units.
    unit
        One of :data:`UNITS`.
    data
        Worst word of the data that voted; empty without a vote.
    test
        Name of the test; empty without one.
    parts
        What it was made of, by name; empty for a single part.
    """

    state: str
    reason: str
    positive: bool = False
    contradicted: bool = False
    effect: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p_value: float = math.nan
    n: int = 0
    unit: str = ""
    data: str = ""
    test: str = ""
    parts: Mapping[str, Part] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.state not in STATES:
            raise ValueError(f"state {self.state!r} is none of {', '.join(STATES)}; use one")
        if not self.reason.strip():
            raise ValueError("a part of a claim needs a reason that says what was compared")
        if self.state in (TESTED, EXACT):
            if self.unit not in UNITS:
                raise ValueError(f"unit {self.unit!r} is none of {', '.join(UNITS)}; use one")
            worst([self.data], DATA)

    @property
    def detail(self) -> str:
        """Statistics of all single parts in one text, for readers who want them."""
        if self.parts:
            return "; ".join(f"{_named(key)}: {part.detail}" for key, part in self.parts.items())
        if self.state != TESTED:
            return self.reason
        return str(Outcome(self.n, self.effect, self.low, self.high, self.p_value, self.test))


class Line(NamedTuple):
    """One single part of a claim, with its name, and the names of the parts it is in."""

    group: str
    name: str
    part: Part


def _named(key: str) -> str:
    return key or "all"


def lines(whole: Part, group: str = "") -> Iterator[Line]:
    """Yield the single parts of a claim; one that has no parts is its own and has no name."""
    if not whole.parts:
        yield Line("", "", whole)
    for key, part in whole.parts.items():
        if part.parts:
            yield from lines(part, f"{group}: {_named(key)}" if group else _named(key))
        else:
            yield Line(group, _named(key), part)


def shorten(text: str, length: int = REASON_LENGTH) -> str:
    """Return at most ``length`` characters, cut between words."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    return line[: length - 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def by_test(outcome: Outcome, unit: str, data: str, reason: str) -> Part:
    """Part decided by a test."""
    if math.isnan(outcome.effect) or math.isnan(outcome.p_value):
        raise ValueError("a test without an effect or a p-value decides nothing")
    return Part(
        TESTED, reason, outcome.effect > 0, outcome.effect < 0 and outcome.high < 0,
        outcome.effect, outcome.low, outcome.high, outcome.p_value, outcome.n, unit, data,
        outcome.name,
    )  # fmt: skip


def exact(condition: bool, reason: str, *, data: str, n: int, effect: float = math.nan) -> Part:
    """Part that is true or false without a test."""
    return Part(EXACT, reason, condition, not condition, effect, n=n, unit=NONE, data=data)


def uninformative(reason: str, *, data: str = "", n: int = 0, unit: str = NONE) -> Part:
    """Part that could not have come out otherwise."""
    return Part(UNINFORMATIVE, reason, n=n, unit=unit, data=data)


def untestable(reason: str) -> Part:
    """Part without the rows it needs."""
    return Part(UNTESTABLE, reason)


def _speaks(parts: Mapping[str, Part]) -> str:
    """Name of the part that decides: the worst contradiction, else the weakest support."""

    def weakness(name: str) -> tuple[bool, bool, float, float]:
        part = parts[name]
        p_value = 0.0 if math.isnan(part.p_value) else part.p_value
        effect = 0.0 if math.isnan(part.effect) else -part.effect
        return part.contradicted, not part.positive, p_value, effect

    return max(parts, key=weakness)


def _gathered(parts: Mapping[str, Part], name: str, heading: str) -> Part:
    """What parts have in common: data, unit, number of units."""
    chosen = parts[name]
    reason = f"{name}: {chosen.reason}" if name else chosen.reason
    units = {part.unit for part in parts.values() if part.state in (TESTED, EXACT)}
    tests = units - {NONE}
    if len(tests) > 1:
        raise ValueError(f"parts of one claim have the units {', '.join(sorted(tests))}; use one")
    return replace(
        chosen,
        reason=f"{heading}{reason}",
        n=sum(part.n for part in parts.values()),
        unit=next(iter(tests or units), chosen.unit),
        data=worst([part.data for part in parts.values() if part.data], DATA),
    )


def _without_vote(parts: Mapping[str, Part]) -> Part | None:
    """Answer for parts of which none was tested; None when one was."""
    if any(part.state in (TESTED, EXACT) for part in parts.values()):
        return None
    silent = {key: part for key, part in parts.items() if part.state == UNINFORMATIVE} or parts
    if not silent:
        return untestable("no part of the claim has rows")
    name = next(iter(silent))
    chosen = silent[name]
    reason = f"{name}: {chosen.reason}" if name else chosen.reason
    words = [part.data for part in silent.values() if part.data]
    data = worst(words, DATA) if words else ""
    return replace(chosen, reason=reason, data=data, parts=parts)


def every(parts: Mapping[str, Part]) -> Part:
    """All parts must hold: the weakest speaks, its p-value is the claim's.

    Parts without rows have no vote. Identical methods in one part keep the whole from holding.
    """
    silent = _without_vote(parts)
    if silent is not None:
        return silent
    voting = {key: part for key, part in parts.items() if part.state != UNTESTABLE}
    judged = {key: part for key, part in voting.items() if part.state != UNINFORMATIVE}
    same = len(voting) - len(judged)
    wrong = sum(part.contradicted for part in judged.values())
    heading = (
        f"{wrong} of {len(voting)} parts go the other way; " if wrong and len(voting) > 1 else ""
    )
    if same and not wrong:
        heading = f"no difference at all in {same} of {len(voting)} parts; "
    whole = _gathered(judged, _speaks(judged), heading)
    p_values = [part.p_value for part in judged.values() if not math.isnan(part.p_value)]
    return replace(
        whole,
        state=TESTED if p_values else EXACT,
        positive=all(part.positive for part in judged.values()) and not same,
        contradicted=bool(wrong),
        data=worst([part.data for part in voting.values() if part.data], DATA),
        p_value=max(p_values, default=math.nan),
        parts=parts,
    )


def some(parts: Mapping[str, Part]) -> Part:
    """At least one part must hold: the strongest speaks, its p-value times the number of parts."""
    silent = _without_vote(parts)
    if silent is not None:
        return silent
    judged = {key: part for key, part in parts.items() if part.state in (TESTED, EXACT)}
    name = min(
        judged,
        key=lambda key: (
            not (judged[key].state == EXACT and judged[key].positive),
            1.0 if math.isnan(judged[key].p_value) else judged[key].p_value,
            0.0 if math.isnan(judged[key].effect) else -judged[key].effect,
        ),
    )
    whole = _gathered(judged, name, "")
    p_values = [part.p_value for part in judged.values() if not math.isnan(part.p_value)]
    certain = judged[name].state == EXACT and judged[name].positive
    return replace(
        whole,
        state=EXACT if certain or not p_values else TESTED,
        positive=any(part.positive for part in judged.values()),
        contradicted=all(part.contradicted for part in judged.values()),
        p_value=math.nan if certain or not p_values else min(1.0, len(judged) * min(p_values)),
        parts=parts,
    )


def verdict_of(part: Part, p_value: float | None = None) -> str:
    """Return the verdict on a claim; ``p_value`` is the adjusted one."""
    if part.state in (UNTESTABLE, UNINFORMATIVE):
        return part.state
    if part.contradicted:
        return REFUTED
    if part.state == EXACT:
        return HOLDS if part.positive else UNDECIDED
    decisive = part.p_value if p_value is None else p_value
    return HOLDS if part.positive and decisive <= ALPHA else UNDECIDED
