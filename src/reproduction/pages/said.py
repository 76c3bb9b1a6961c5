"""Sentences whose numbers are computed: a template, the numbers, and how pages show them.

A number written into the words would not follow the results, so a template that spells one is
refused. On a page every number stands in a ``<data>`` element with its full value; the table of
findings beside the pages holds the same, and a test compares the two.
"""

import html
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter

import pandas as pd

from reproduction.pages.results import load_results
from reproduction.rooms import open_module, room

#: Spelled numbers; those that are part of a name (F1, Corel5K, Table 3, Algorithm 1) may stay.
_SPELLED = re.compile(r"(?<![\w.(])(?<!Table )(?<!Figure )(?<!Algorithm )\d+(?:[.,]\d+)*(?![\w)])")

#: What a mark in the picture of a finding stands for, in the order of the legend.
PRINTED, BY_TEXT, BY_INFERRED, BESIDE = "printed", "ours, text", "ours, inferred", "not in print"


@dataclass(frozen=True)
class Said:
    """A sentence: ``text`` with fields such as ``{ours:.1f}``, and the numbers for them."""

    text: str
    numbers: Mapping[str, float]

    def __post_init__(self) -> None:
        pieces = list(Formatter().parse(self.text))
        spelled = [found for literal, *_ in pieces for found in _SPELLED.findall(literal)]
        if spelled:
            raise ValueError(
                f"the sentence {self.text!r} spells the number {spelled[0]}; compute it and write "
                "a field such as {name:.1f}"
            )
        names = {name for _, name, _, _ in pieces if name}
        if names != set(self.numbers):
            odd = sorted(names ^ set(self.numbers))
            raise ValueError(f"the sentence {self.text!r} and its numbers part at {odd[0]!r}")

    @property
    def known(self) -> bool:
        """Whether this run has all the numbers."""
        return all(math.isfinite(value) for value in self.numbers.values())

    def _filled(self, show: Callable[[str, str], str]) -> str:
        parts = []
        for literal, name, spec, _ in Formatter().parse(self.text):
            parts.append(html.escape(literal, quote=False))
            if name:
                parts.append(show(name, format(self.numbers[name], spec or "")))
        return "".join(parts)

    def plain(self) -> str:
        """Return the sentence as text."""
        return html.unescape(self._filled(lambda _, shown: shown))

    def __html__(self) -> str:
        """Return the sentence as HTML, each number with its full value."""
        return self._filled(
            lambda name, shown: (
                f'<data data-n="{html.escape(name)}" value="{self.numbers[name]:.12g}">'
                f"{shown.replace('-', '−')}</data>"
            )
        )


@dataclass(frozen=True)
class Finding:
    """What a paper's rows show beyond its cells: a title, what it rests on, a picture.

    ``marks`` are the lines of the picture: a label, and values by what they stand for.
    """

    title: str
    said: Said
    marks: Mapping[str, Mapping[str, float]]
    unit: str
    anchor: str = ""

    @property
    def values(self) -> list[tuple[str, str, float]]:
        """All marks: line, what it stands for, value."""
        return [(a, b, value) for a, line in self.marks.items() for b, value in line.items()]

    @property
    def known(self) -> bool:
        """Whether this run has all the numbers."""
        return self.said.known and all(math.isfinite(value) for _, _, value in self.values)


@dataclass(frozen=True)
class Front:
    """What a paper says on the front page: whether to use it today, and its findings."""

    today: Said | None = None
    findings: Sequence[Finding] = ()

    def known(self) -> "Front":
        """Return what this run has the numbers for."""
        today = self.today if self.today and self.today.known else None
        return Front(today, tuple(each for each in self.findings if each.known))


def load_front(paper: str) -> Front:
    """Ask a paper what it says, as far as this run has the numbers; not all have a ``front.py``."""
    if not (room(paper) / "front.py").is_file():
        return Front()
    found: Front = open_module(paper, "front").front(load_results(paper))
    return found.known()


def findings_frame(fronts: Mapping[str, Front]) -> pd.DataFrame:
    """Every number of every sentence and picture, one a row."""
    rows: list[tuple[str, str, str, float, str]] = []
    for paper, front in fronts.items():
        parts = {"today": front.today, **{each.title: each.said for each in front.findings}}
        for part, said in parts.items():
            numbers = said.numbers if said else {}
            rows += [(paper, part, n, float(v), said.plain()) for n, v in numbers.items() if said]
        for each in front.findings:
            rows += [(paper, each.title, f"{a}: {b}", v, each.unit) for a, b, v in each.values]
    return pd.DataFrame(rows, columns=["paper", "part", "name", "value", "text"])


def has(rows: pd.DataFrame, table: str, *settings: str) -> bool:
    """Whether a run has rows of a table, with the settings they are told apart by."""
    return bool((rows["table"] == table).any()) and set(settings) <= set(rows.columns)


def mean(values: pd.Series) -> float:
    """Mean of some values; NaN, without a warning, where there are none."""
    return float(values.mean()) if len(values) else math.nan
