"""Names of data sets for readers: what is a surrogate in this run says so wherever it is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reproduction.pages.results import load_provenance

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
    plain
        Data set key -> name.
    """

    def __init__(self, paper: str, plain: Mapping[str, str]) -> None:
        self.paper = paper
        self.plain = dict(plain)

    def mark(self, key: str, text: str) -> str:
        """Return another name of a data set, marked if it is a surrogate in this run."""
        kind = load_provenance(self.paper).get(key, {}).get("kind")
        return marked(text) if kind == SURROGATE else text

    def __getitem__(self, key: str) -> str:
        return self.mark(key, self.plain[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self.plain)

    def __len__(self) -> int:
        return len(self.plain)
