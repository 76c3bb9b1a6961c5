"""What a check returns: one part of a claim, or several that together make it.

A part knows how surely it holds, how surely it is refuted, and whether the difference it speaks of
is too small to matter. Words follow decision 21; both directions have the same error, and only the
parts of one sentence share it.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from asprinted.statistics import ALPHA, Outcome, holm
from asprinted.words import DATA, HOLDS, OPEN, REFUTED, TIE, UNTESTABLE, worst

#: What a part can be besides untestable: tested, or an exact statement.
TESTED, EXACT = "tested", "exact"

#: What a test counts: random draws, or data sets; exact statements count nothing.
RUN, DATASET, NONE = "run", "data set", "none"

#: More runs than this are no advice.
MOST_RUNS = 10_000


@dataclass(frozen=True)
class Part:
    """One part of a claim: what was found in one plain line, and the figures of its test.

    The effect is what is beyond the claim; the p-values of an exact statement that is true are 0
    and 1. ``data`` is the worst word of the data that voted, ``runs_needed`` what would decide an
    open part (NaN where runs cannot), ``parts`` what it was made of, by name.
    """

    state: str
    reason: str
    effect: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p_holds: float = math.nan
    p_refuted: float = math.nan
    tie: bool = False
    n: int = 0
    unit: str = ""
    data: str = ""
    test: str = ""
    runs_needed: float = math.nan
    parts: Mapping[str, "Part"] = field(default_factory=dict)

    @property
    def word(self) -> str:
        """Word for it: a direction that is clear comes first, then a tie, then nothing."""
        if self.state == UNTESTABLE:
            return UNTESTABLE
        if self.p_holds <= ALPHA:
            return HOLDS
        if self.tie:
            return TIE
        return REFUTED if self.p_refuted <= ALPHA else OPEN


def lines(whole: Part, group: str = "") -> Iterator[tuple[str, str, Part]]:
    """Yield the single parts of a claim, each with the names of the parts it is in, and its own."""
    if not whole.parts:
        yield "", "", whole
    for key, part in whole.parts.items():
        name = key or "all"
        if part.parts:
            yield from lines(part, f"{group}: {name}" if group else name)
        else:
            yield group, name, part


def by_test(outcome: Outcome, data: str, reason: str, unit: str = RUN) -> Part:
    """Part decided by a test."""
    if math.isnan(outcome.effect) or math.isnan(outcome.p_holds):
        raise ValueError("a test without an effect or a p-value decides nothing")
    needed = outcome.runs_needed if unit == RUN else math.nan
    return Part(
        TESTED, reason, outcome.effect, outcome.low, outcome.high, outcome.p_holds,
        outcome.p_refuted, outcome.tie, outcome.n, unit, data, outcome.name,
        needed if needed <= MOST_RUNS else math.nan,
    )  # fmt: skip


def exact(condition: bool, reason: str, *, data: str, n: int, effect: float = math.nan) -> Part:
    """Part that is true or false without a test."""
    return Part(
        EXACT, reason, effect, p_holds=float(not condition), p_refuted=float(condition), n=n,
        unit=NONE, data=data,
    )  # fmt: skip


def untestable(reason: str) -> Part:
    """Part without the rows it needs."""
    return Part(UNTESTABLE, reason)


def _size(part: Part) -> float:
    return 0.0 if math.isnan(part.effect) else part.effect


def _voting(parts: Mapping[str, Part]) -> dict[str, Part]:
    return {key: part for key, part in parts.items() if part.state != UNTESTABLE}


def _silent(parts: Mapping[str, Part]) -> Part:
    """Answer for parts of which none has rows."""
    first = next(iter(parts.values()), untestable("no part of the claim has rows"))
    return replace(first, parts=parts)


def _gathered(parts: Mapping[str, Part], name: str, heading: str = "", **figures: Any) -> Part:
    """Return the part that speaks for all, with what they have in common: data, unit, number."""
    judged, chosen = _voting(parts), parts[name]
    units = {part.unit for part in judged.values()}
    tests = units - {NONE}
    if len(tests) > 1:
        raise ValueError(f"parts of one claim count {' and '.join(sorted(tests))}; use one")
    needed = [part.runs_needed for part in judged.values() if part.word == OPEN]
    return replace(
        chosen,
        state=TESTED if tests else EXACT,
        reason=heading + (f"{name}: {chosen.reason}" if name else chosen.reason),
        n=sum(part.n for part in judged.values()),
        unit=next(iter(tests or units)),
        data=worst([part.data for part in judged.values()], DATA),
        runs_needed=max(needed, default=math.nan) if all(map(math.isfinite, needed)) else math.nan,
        parts=parts,
        **figures,
    )


def every(parts: Mapping[str, Part]) -> Part:
    """All parts must hold; one that is refuted refutes the whole.

    That all hold needs no adjustment: the weakest speaks. That one is refuted is Holm's question
    over the parts. Parts that hold and parts that are ties make a tie. Parts without rows have no
    vote.
    """
    judged = _voting(parts)
    if not judged:
        return _silent(parts)
    against = holm({k: 1.0 if part.tie else part.p_refuted for k, part in judged.items()})
    wrong = [key for key in judged if against[key] <= ALPHA]
    words = [part.word for part in judged.values()]
    many, gone, hold, heading = len(judged), len(wrong), words.count(HOLDS), ""
    if many > 1 and wrong:
        heading = f"{gone} of {many} parts {'goes' if gone == 1 else 'go'} the other way; "
    elif hold < many > 1:
        heading = f"{hold} of {many} parts {'holds' if hold == 1 else 'hold'}; "
    if wrong:
        name = min(wrong, key=lambda key: (against[key], _size(judged[key]), key))
    else:
        name = max(judged, key=lambda key: (judged[key].p_holds, -_size(judged[key])))
    return _gathered(
        parts,
        name,
        heading,
        p_holds=max(part.p_holds for part in judged.values()),
        p_refuted=min(against.values()),
        tie=not wrong and TIE in words and {*words} <= {HOLDS, TIE},
    )


def some(parts: Mapping[str, Part]) -> Part:
    """At least one part must hold: Holm's question over the parts; refuted when every part is."""
    judged = _voting(parts)
    if not judged:
        return _silent(parts)
    found = holm({key: part.p_holds for key, part in judged.items()})
    words = {part.word for part in judged.values()}
    return _gathered(
        parts,
        min(judged, key=lambda key: (found[key], -_size(judged[key]), key)),
        p_holds=min(found.values()),
        p_refuted=max(part.p_refuted for part in judged.values()),
        tie=TIE in words and words <= {TIE, REFUTED},
    )
