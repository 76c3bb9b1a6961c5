"""What tables and figures show in place of keys: settings in words, numbers and names for readers.

Rows say ``train=10%``, readers read ``10 % labelled``. Every text of a table or a figure goes
through :func:`in_words`; downloads keep what the rows say. Words for single settings stand in the
``columns.py`` of the papers that have them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from reproduction.pages.data_names import data_name
from reproduction.results.tables import Column
from reproduction.rooms import paper_keys, tables_of

#: A number as print writes it.
_VALUE = r"([+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)"
#: Between a name and words that begin with a number stands a comma: ``Cornell, 1 % labelled`` for
#: ``Cornell r=0.01``, but not for ``Cornell at r=0.01``.
_NAMED = r"((?<=\w)(?<!\bat)(?<!\bwith) )?"
#: Any other setting; what stands in an address or behind an option is none.
_SETTING = re.compile(r"(?<![\w/?&-])([^\W\d_]\w*)=(?=[\w.+-])")
#: Names that stand for numbers in formulas.
_SYMBOL = re.compile(r"(?:[^\W\d_]|alpha|gamma|lambda|rho|sigma)$")
_POWER = re.compile(r"(?<![\w.])(\d(?:\.\d+)?)e([+-]?)0*(\d+)\b")
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
#: The first word of a part of a text, where it is followed as only the name of data is.
_OPENING = re.compile(r"(?:^|(?<=; ))[a-z0-9_]+(?=[,:] | is )")

#: Numbers that are not smaller than this are written as decimals.
_LEAST = 1e-6
_SMALL = 1e-3
_LARGE = 1e6
_USUAL = 3  #: significant digits that tables show unless they say otherwise


def in_words(text: str) -> str:
    """Return a text whose settings are said in words; what has none stays as it is.

    Examples
    --------
    >>> in_words("WebKB at train=30%, V12")
    'WebKB at 30 % labelled, V12'
    >>> in_words("Cornell r=0.01;view=2")
    'Cornell, 1 % labelled, view 2'
    >>> in_words("5-fold;C=0.1;gamma=0.5")
    '5-fold, C = 0.1, gamma = 0.5'
    >>> in_words("first class=type 1;train=10%")
    'first class: type 1, 10 % labelled'
    """
    if "://" in text:
        return text
    text = re.sub(r";(?=\S)", ", ", text)
    for setting in _papers_words():
        text = setting.put(text)
    text = _SETTING.sub(lambda found: found[1] + (" = " if _SYMBOL.match(found[1]) else ": "), text)
    return _POWER.sub(_rewritten, text)


@dataclass(frozen=True)
class Words:
    """What readers see in place of a setting as print writes it."""

    pattern: re.Pattern[str]
    shown: str
    times: float = 1

    def put(self, text: str) -> str:
        """Return a text with the words in place of the setting."""
        return self.pattern.sub(self._said, text)

    def _said(self, found: re.Match[str]) -> str:
        if not self.pattern.groups:
            return self.shown
        *named, value = found.groups()
        comma = ", " if any(named) else ""
        return comma + self.shown.format(self.times * float(value))


def column_words(columns: Iterable[Column]) -> list[Words]:
    """Return the words that columns have for readers, each once.

    Texts do not say whose setting they name: what is printed in one way is shown in one way.
    """
    found: dict[str, Words] = {}
    for column in columns:
        for printed, words in _words_of(column):
            if found.setdefault(printed, words) != words:
                raise ValueError(
                    f"the column {column.name!r} is shown in two ways where print writes "
                    f"{printed!r}; give it one `shown` in all columns.py"
                )
    return list(found.values())


def _words_of(column: Column) -> Iterator[tuple[str, Words]]:
    if not isinstance(column.shown, str):
        for value, shown in column.shown.items():
            printed = column.write(value)
            yield printed, Words(re.compile(rf"(?<!\w){re.escape(printed)}(?!\w)"), shown)
    elif column.shown:
        before, after = re.split(r"\{.*?\}", column.printed)
        named = _NAMED if column.shown.startswith("{") else ""
        end = f" ?{re.escape(after)}" if after else r"(?!\w|\.\d)"
        pattern = re.compile(rf"{named}(?<!\w){re.escape(before)}{_VALUE}{end}")
        yield f"{before}…{after}", Words(pattern, column.shown, column.times)


@cache
def _papers_words() -> list[Words]:
    """Words of all papers there are."""
    tables = [table for key in paper_keys() for table in tables_of(key).values()]
    return column_words(column for table in tables for column in table.columns)


def readable(text: str) -> str:
    """Return a text with names of data sets, and settings in words, in place of keys."""
    # a key of one word may be a word of the language: it is one where it opens a part
    opened = re.sub(_OPENING, lambda found: data_name(found[0]), text)
    named = re.sub(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b", lambda found: data_name(found[0]), opened)
    return in_words(named)


def _rewritten(found: re.Match[str]) -> str:
    """Write a number with an exponent as :func:`number` does."""
    value = float(found[0])
    if _LEAST <= value < _LARGE:
        return number(value, sum(map(str.isdigit, found[1])))
    return _power(found[1], f"{found[2]}{found[3]}")


def _power(digits: str, exponent: str) -> str:
    raised = exponent.lstrip("+").translate(_RAISED)
    return f"10{raised}" if digits == "1" else f"{digits}×10{raised}"


def number(value: float | int | bool | None, digits: int = 3, *, powers: bool = False) -> str:
    """Short text of a number: significant ``digits``; nothing for NaN.

    With ``powers`` small numbers are written as ``7.0×10⁻⁵``, as they are where decimals would get
    too long.
    """
    if isinstance(value, bool) or value is None:
        return "" if value is None else str(value)
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return ""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    size = abs(value)
    if size < (_SMALL if powers else _LEAST) or size >= _LARGE:
        shown, exponent = f"{value:.1e}".split("e")
        return _power(shown, str(int(exponent)))
    places = max(digits - 1 - math.floor(math.log10(size)), 0)
    return f"{value:.{places}f}"


def numbers(values: Sequence[float | int | None], digits: int = 3) -> list[str]:
    """Texts of the numbers of one column, written in one way.

    Settings such as 0.005 and 0.1 have no zeros added, numbers that were rounded keep their
    decimals. One number that is too small for decimals has the other small ones written as powers.

    Examples
    --------
    >>> numbers([0.005, 0.1, 10.0])
    ['0.005', '0.1', '10']
    >>> numbers([10, 200])
    ['10', '200']
    >>> numbers([72.3, 8.1, 100.0])
    ['72.3', '8.1', '100.0']
    >>> numbers([70.94, 5.742, 0.8413])
    ['70.94', '5.74', '0.84']
    >>> numbers([0.0000699, 0.00971])
    ['0.0000699', '0.00971']
    >>> numbers([5e-11, 0.0000699, 0.00971])
    ['5.0×10⁻¹¹', '7.0×10⁻⁵', '0.00971']
    """
    known = [float(value) for value in values if value is not None and math.isfinite(value)]
    sizes = [abs(value) for value in known if value]
    powers = bool(sizes) and min(sizes) < _LEAST
    plain = digits >= _USUAL and not powers and max(sizes, default=0) < _LARGE
    # the decimals to which all of them were rounded
    exact = next((k for k in range(3) if all(round(size, k) == size for size in sizes)), math.inf)
    meant = 1 if exact < math.inf else 2
    if plain and all(float(f"{size:.{meant}g}") == size for size in sizes):
        return [_without_zeros(_decimals(value, 12)) for value in values]
    places = exact if exact < math.inf else _shared_places(sizes, digits)
    if plain and places < math.inf:
        return [_decimals(value, int(places)) for value in values]
    return [number(value, digits, powers=powers) for value in values]


def _without_zeros(text: str) -> str:
    """Return a number without the zeros that end its decimals."""
    return text.rstrip("0").rstrip(".") if "." in text else text


def _shared_places(sizes: Sequence[float], digits: int) -> float:
    """Decimals that give the largest number its digits and the smallest two; else infinity."""
    most, least = max(sizes), min(sizes)
    if most < 1:
        return math.inf
    places = max(digits - 1 - math.floor(math.log10(most)), 0)
    return next((k for k in (places, places + 1) if least >= 10.0 ** (1 - k)), math.inf)


def _decimals(value: float | int | None, places: int) -> str:
    if value is None or isinstance(value, int) or not math.isfinite(value):
        return number(value)
    return f"{value:.{places}f}" if value else f"{0:.{places}f}"


#: A number with its per cent sign, and decimals without a zero before the point.
_PER_CENT = re.compile(r"(?<=\d)[ \u202f]?%")
_EQUALS = re.compile(r"(?<=\w) = (?=[\d.+-])")
_POINT = re.compile(r"(?<![\w.\u2026])\.(?=\d)")
#: Elements whose text is not prose, and tags.
_VERBATIM = re.compile(
    r"(<(script|style|pre|code|math|kbd)\b.*?</\2>|<[^>]*>)", re.DOTALL | re.IGNORECASE
)


def typeset(markup: str) -> str:
    r"""Return a page's HTML with one way to write numbers: ``8 %`` unbroken, ``0.345`` with a zero.

    Code, formulas and attributes stay as they are.

    Examples
    --------
    >>> typeset('<p>8% of <code>.5</code>, +.3</p>')
    '<p>8\xa0% of <code>.5</code>, +0.3</p>'
    """
    parts = _VERBATIM.split(markup)
    # the pattern has two groups: text, an element or a tag, the element's name, text ...
    for place in range(0, len(parts), 3):
        text = parts[place]
        if "%" in text:
            text = _PER_CENT.sub("\u00a0%", text)
            if text.startswith(" %"):  # the number stands in an element of its own
                text = f"\u00a0{text[1:]}"
        if " = " in text:
            text = _EQUALS.sub("\u00a0=\u00a0", text)
        if "." in text:
            text = _POINT.sub("0.", text)
        parts[place] = text
    return "".join(part for place, part in enumerate(parts) if place % 3 != 2 and part is not None)
