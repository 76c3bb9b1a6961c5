"""The data axis: what the data behind a number is against the paper's, and its name for readers.

Facts come from ``PROVENANCE.json`` (which source served, and what that copy is against the paper's)
and from the registry and the paper's card where it says nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from asprinted.words import DATA, OTHER_FEATURES, SAME, STAND_IN, SUBSET, SURROGATE, worst
from reproduction.data.registry import load_registry

#: ``comparable`` of the registry -> word of the axis; what is not listed stands in at best.
_WORDS = {"same": SAME, "own_draw": SAME, "subset": SUBSET, "other_features": OTHER_FEATURES}

#: Source of a result over more than one data set, which is no data set itself.
SEVERAL = "several"

_WHAT = {
    SUBSET: "a part of the paper's data",
    OTHER_FEATURES: "the paper's objects with other features",
    STAND_IN: "a stand-in, real data of the same kind",
    SURROGATE: "a surrogate, drawn from the published statistics alone",
}


@dataclass(frozen=True)
class DataFacts:
    """One data set as it was used in this run.

    ``kind`` is a word of the data axis, ``source`` what served (:data:`SEVERAL` for a result over
    several data sets), ``published_name`` empty for stand-ins.
    """

    key: str
    kind: str
    source: str
    published_name: str = ""
    differences: str = ""

    @property
    def reason(self) -> str:
        """How the data differs from the paper's; empty when it is the same."""
        if self.kind == SAME or self.source == SEVERAL:
            return "" if self.kind == SAME else self.differences
        known = "" if self.source == "surrogate" else self.differences
        return f"{self.key} is {_WHAT[self.kind]}: {known}".rstrip(": ")


def _text(*values: Any) -> str:
    """Return the first value there is, on one line."""
    return " ".join(str(next(filter(None, values), "")).split())


def published_name(entry: Any, key: str) -> str:
    """Name of a data set in the paper's tables; its key for one no paper has."""
    return _text(entry.get("published_name"), entry.get("name"), key)


def published_names(keys: Iterable[str]) -> dict[str, str]:
    """Data set key -> name in print, whatever the data were."""
    registry = load_registry()
    return {key: published_name(registry[key], key) for key in keys}


def data_name(key: str) -> str:
    """Return the name readers know a data set by; what is none keeps its own."""
    registry = load_registry()
    base, _, variant = key.partition(".")
    if base not in registry:
        return key
    return f"{registry[base].name}, {variant.replace('_', ' ')}" if variant else registry[base].name


def marked(name: str, kind: str) -> str:
    """Return a name that says what the data is, such as ``Reuters (600, stand-in)``."""
    if kind not in (SURROGATE, STAND_IN) or kind in name:
        return name
    return f"{name[:-1]}, {kind})" if name.endswith(")") else f"{name} ({kind})"


def data_facts(key: str, entry: Any, provenance: Mapping[str, Any]) -> DataFacts:
    """Facts of one data set from its registry entry and its ``PROVENANCE.json``."""
    source = _text(provenance["source"])
    kind = _WORDS.get(_text(provenance.get("comparable"), entry.get("comparable")), STAND_IN)
    if source == "surrogate":
        kind = SURROGATE
    elif entry.get("role") == "stand_in":
        kind = STAND_IN
    differences = _text(provenance.get("differences"), entry.get("differences"))
    return DataFacts(key, kind, source, _text(entry.get("published_name")), differences)


def combined_facts(key: str, parts: Iterable[DataFacts]) -> DataFacts:
    """Facts of a result over several data sets: as good as its worst part."""
    used = sorted(parts, key=lambda facts: facts.key)
    others = [f"{facts.key} ({facts.kind})" for facts in used if facts.kind != SAME]
    note = f"of its {len(used)} data sets these are not the paper's: {', '.join(others)}"
    kind = worst((facts.kind for facts in used), DATA)
    return DataFacts(key, kind, SEVERAL, differences=note if others else "")
