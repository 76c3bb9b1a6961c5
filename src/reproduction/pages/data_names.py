"""Names of data sets for readers: what is a surrogate in this run says so wherever it is named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from reproduction.data.registry import load_registry
from reproduction.pages.results import load_provenance
from reproduction.verdicts.data_facts import published_name

SURROGATE = "surrogate"


def marked(name: str) -> str:
    """Return a name marked as a surrogate's: ``Cora (surrogate)``, ``Reuters (600, surrogate)``."""
    if SURROGATE in name:
        return name
    return f"{name[:-1]}, {SURROGATE})" if name.endswith(")") else f"{name} ({SURROGATE})"


class DataNames(Mapping[str, str]):
    """Names of a paper's data sets, looked up like a dictionary.

    Parameters
    ----------
    paper
        Key of the paper; its ``provenance.json`` in the results folder says what the data were.
    keys
        Data sets in the order pages show them; their names stand in the registry.
    """

    def __init__(self, paper: str, keys: Iterable[str]) -> None:
        self.paper = paper
        self.keys_ = tuple(keys)

    @cached_property
    def plain(self) -> dict[str, str]:
        """Data set key -> name, whatever the data were."""
        registry = load_registry()
        return {key: published_name(registry[key], key) for key in self.keys_}

    def mark(self, key: str, text: str) -> str:
        """Return another name of a data set, marked if it is a surrogate in this run."""
        kind = load_provenance(self.paper).get(key, {}).get("kind")
        return marked(text) if kind == SURROGATE else text

    def __getitem__(self, key: str) -> str:
        return self.mark(key, self.plain[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys_)

    def __len__(self) -> int:
        return len(self.keys_)
