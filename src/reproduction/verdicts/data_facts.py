"""What the data behind a number is against the paper's: original, different, stand-in, surrogate.

Facts come from the registry (what a copy is against the paper's) and from ``PROVENANCE.json``
(which source served). A source may replace the registry's ``comparable`` and ``differences``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

#: ``comparable`` of the registry that allows a verdict.
COMPARABLE = ("same", "own_draw")

KINDS = ("original", "differs", "stand-in", "surrogate")

#: Source of a result over more than one data set, which is no data set itself.
SEVERAL = "several"

_WHAT = {
    "original": "the paper's data",
    "differs": "real data that is not the paper's",
    "stand-in": "a stand-in, real data of the same kind",
    "surrogate": "a surrogate, drawn from the published statistics alone",
}


@dataclass(frozen=True)
class DataFacts:
    """One data set as it was used in this run.

    Attributes
    ----------
    key
        Registry key (or the name of a job over several data sets).
    kind
        One of :data:`KINDS`.
    source
        What served: mirror, publisher, wheel, user, surrogate; :data:`SEVERAL` for a result over
        several data sets.
    comparable
        Whether its cells get a verdict.
    published_name
        Name in the paper's tables; empty for stand-ins.
    differences
        What is known to differ from the paper's copy.
    stands_in_for
        Registry key of the data set it stands in for, or empty.
    """

    key: str
    kind: str
    source: str
    comparable: bool
    published_name: str
    differences: str
    stands_in_for: str = ""

    @property
    def reason(self) -> str:
        """Why its cells are not comparable; empty when they are."""
        if self.comparable:
            return ""
        if self.kind == "surrogate" and self.source == "surrogate":
            return f"{self.key} is {_WHAT[self.kind]}"
        if self.source == SEVERAL:
            return self.differences
        return f"{self.key} is {_WHAT[self.kind]}: {self.differences}".rstrip(": ")

    def as_dict(self) -> dict[str, Any]:
        """JSON-able form."""
        return {**asdict(self), "reason": self.reason}


def _text(value: Any) -> str:
    return "" if value is None else " ".join(str(value).split())


def published_name(entry: Any, key: str) -> str:
    """Name of a data set in the paper's tables; its key for one no paper has."""
    return _text(entry.get("published_name") or entry.get("name")) or key


def data_facts(key: str, entry: Any, provenance: Mapping[str, Any]) -> DataFacts:
    """Facts of one data set from its registry entry and its ``PROVENANCE.json``."""
    served = provenance.get("served_by")
    overrides: Mapping[str, Any] = served if isinstance(served, Mapping) else {}
    source = _text(provenance.get("source"))
    if not source:
        raise ValueError(
            f"PROVENANCE.json of {key} does not say which source served; remove data/raw/{key} and "
            "fetch it again"
        )
    comparable = _text(
        provenance.get("comparable") or overrides.get("comparable") or entry.get("comparable")
    )
    differences = _text(
        provenance.get("differences") or overrides.get("differences") or entry.get("differences")
    )
    if source == "surrogate":
        kind = "surrogate"
    elif entry.get("role") == "stand_in":
        kind = "stand-in"
    else:
        kind = "original" if comparable in COMPARABLE else "differs"
    return DataFacts(
        key=key,
        kind=kind,
        source=source,
        comparable=kind == "original",
        published_name=_text(entry.get("published_name")),
        differences=differences,
        stands_in_for=_text(entry.get("stands_in_for")),
    )


def combined_facts(key: str, parts: Iterable[DataFacts]) -> DataFacts:
    """Facts of a result over several data sets: as good as its worst part."""
    used = sorted(parts, key=lambda facts: facts.key)
    if not used:
        return DataFacts(key, "original", "computed", True, "", "")
    worst = max(used, key=lambda facts: KINDS.index(facts.kind)).kind
    others = [f"{facts.key} ({facts.kind})" for facts in used if not facts.comparable]
    note = f"of its {len(used)} data sets these are not the paper's: {', '.join(others)}"
    return DataFacts(
        key=key,
        kind=worst,
        source=SEVERAL,
        comparable=not others,
        published_name="",
        differences=note if others else "",
    )
