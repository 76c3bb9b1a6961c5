"""Names of data sets for readers: surrogates and stand-ins say so wherever they are named."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from asprinted.words import STAND_IN, SURROGATE
from reproduction.data.registry import load_registry
from reproduction.pages.results import load_provenance
from reproduction.verdicts.data_facts import published_name


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


class DataNames(Mapping[str, str]):
    """Names of a paper's data sets in the order pages show them, looked up like a dictionary.

    The paper's ``provenance.json`` in the results folder says what the data were.
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
        """Return another name of a data set, marked by what the data is in this run."""
        return marked(text, str(load_provenance(self.paper).get(key, {}).get("kind")))

    def __getitem__(self, key: str) -> str:
        return self.mark(key, self.plain[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys_)

    def __len__(self) -> int:
        return len(self.keys_)
