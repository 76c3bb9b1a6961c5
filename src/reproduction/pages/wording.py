"""What readers see in place of keys: settings in words, numbers and names.

Rows have a column for each setting; :func:`words` says a value of one as its paper's tables declare
it. Sentences and lists that were written elsewhere hold settings as print writes them
(``train=10%``): :func:`in_words` looks these up among the values that the papers print.
"""

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import pandas as pd

from reproduction.results.published import load_published
from reproduction.results.tables import Column, Table
from reproduction.rooms import paper_keys, tables_of
from reproduction.verdicts.cells import given, records
from reproduction.verdicts.data_facts import data_name
from reproduction.verdicts.readings import load_readings

#: Names that stand for numbers in formulas.
_SYMBOLS = ("alpha", "gamma", "lambda", "rho", "sigma")
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")

_LEAST, _LARGE = 1e-4, 1e6  #: numbers between them are written as decimals


def words(column: Column, value: Any) -> str:
    """Return what readers see of a value: ``1 % labelled``, or its name: ``C = 0.1``."""
    if isinstance(column.shown, str) and column.shown:
        return column.shown.format(column.times * value)
    if not isinstance(column.shown, str) and value in column.shown:
        return column.shown[value]
    name, equals, rest = column.write(value).partition("=")
    return name + (" = " if len(name) == 1 or name in _SYMBOLS else ": ") + rest if equals else name


def setting_words(table: Table, at: Mapping[str, Any], part: bool | None = None) -> str:
    """Return the settings of a row in words; ``part`` as in :meth:`Table.write`."""
    chosen = [c for c in table.columns if part in (None, c.part) and given(at.get(c.name))]
    return ", ".join(words(column, at[column.name]) for column in chosen)


def shown_settings(ledger: pd.DataFrame) -> list[str]:
    """Return the settings of every row of a ledger in words."""
    tables = {key: tables_of(key) for key in set(ledger["paper"])}
    rows = records(ledger)
    return [setting_words(tables[row["paper"]][row["table"]], row, part=False) for row in rows]


@cache
def _printed() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern of every setting that is written as a key with a value, and its words."""
    found: dict[str, str] = {}
    for paper in paper_keys():
        cells, tables = load_published(paper), tables_of(paper)
        values = {name: set(cells[name]) for name in tables.columns if name in cells}
        for choice in load_readings(paper, cells, tables):
            for option in choice.options:
                for name, value in (option.where or {}).items():
                    values.setdefault(name, set()).add(value)
        for name, column in tables.columns.items():
            for value in filter(given, values.get(name, ())):
                if "=" in column.write(value):
                    found[column.write(value)] = words(column, value)
    known = "|".join(re.escape(text) for text in sorted(found, key=len, reverse=True))
    return re.compile(rf"(?<!\w)({known})(?!\w|\.\d)"), found


def in_words(text: str) -> str:
    """Return a text in which settings that print writes are said in words.

    Examples
    --------
    >>> in_words("WebKB at train=30%, V12"), in_words("C=0.1;gamma=0.5")
    ('WebKB at 30 % labelled, V12', 'C = 0.1, gamma = 0.5')
    """
    if "=" not in text:
        return text
    pattern, known = _printed()
    found = pattern.sub(lambda written: known[written[1]], text)
    return re.sub(r";(?=\S)", ", ", found) if found != text else text


def readable(text: str) -> str:
    """Return a text with names of data sets, and settings in words, in place of keys."""
    # a key of one word may be a word of the language: it is one where it opens a part
    keys = r"(?:^|(?<=; ))[a-z0-9_]+(?=[,:] | is )|\b[a-z0-9]+(?:_[a-z0-9]+)+\b"
    return in_words(re.sub(keys, lambda found: data_name(found[0]), text))


def number(value: float | int | bool | None, digits: int = 3) -> str:
    """Short text of a number: significant ``digits``, very small and large ones as ``7.0×10⁻⁵``."""
    if value is None or isinstance(value, int):
        return "" if value is None else str(value)
    if not math.isfinite(value):
        return "" if math.isnan(value) else "∞" if value > 0 else "−∞"
    size = abs(value)
    if size and not _LEAST <= size < _LARGE:
        shown, exponent = f"{value:.1e}".split("e")
        return f"{shown}×10{str(int(exponent)).translate(_RAISED)}"
    places = max(digits - 1 - math.floor(math.log10(size)), 0) if size else 0
    return f"{value or 0:.{places}f}"


def signed(value: float, form: str = ".3g") -> str:
    """Text of a difference, with the sign that print has."""
    return format(value, f"+{form}").replace("-", "−")


def numbers(values: Sequence[float | int | None], digits: int = 3) -> list[str]:
    """Texts of the numbers of one column; settings such as 0.005 and 0.1 have no zeros added.

    Examples
    --------
    >>> numbers([0.005, 0.1, 10.0]), numbers([10, 200]), numbers([70.94, 5.742, 0.8413])
    (['0.005', '0.1', '10'], ['10', '200'], ['70.9', '5.74', '0.841'])
    """
    texts = [number(value, digits) for value in values]
    known = [value for value in values if isinstance(value, float) and math.isfinite(value)]
    if all(float(f"{value:.2g}") == value for value in known):
        return [text.rstrip("0").rstrip(".") if "." in text else text for text in texts]
    return texts
