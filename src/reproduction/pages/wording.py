"""Settings in words: what rows call ``train=10%`` is read as ``10 % labelled``."""

from __future__ import annotations

import re

#: Names of settings that read better with words of their own.
_PERCENT = re.compile(r"\btrain=([\d.]+) ?%")
_SHARE = re.compile(r"\br=(0?\.\d+|1)\b")
_COUNTED = re.compile(r"\b(level|view)=([\d.]+)")
#: Names that stand for numbers in formulas.
_SYMBOL = re.compile(r"^(?:[A-Za-z]|alpha|gamma|lambda|sigma)=")


def in_words(text: str) -> str:
    """Return a sentence whose settings are said in words.

    Examples
    --------
    >>> in_words("WebKB at train=30%, V12")
    'WebKB at 30 % labelled, V12'
    >>> in_words("Cornell, r=0.01, view=2")
    'Cornell, 1 % labelled, view 2'
    """
    text = _PERCENT.sub(r"\1 % labelled", text)
    text = _SHARE.sub(lambda found: f"{100 * float(found[1]):g} % labelled", text)
    return _COUNTED.sub(r"\1 \2", text)


def setting_words(setting: str) -> str:
    """Return a setting, or several with semicolons between them, in words.

    Examples
    --------
    >>> setting_words("5-fold;C=0.1;gamma=0.5")
    '5-fold, C = 0.1, gamma = 0.5'
    >>> setting_words("first class=type 1;train=10%")
    'first class: type 1, 10 % labelled'
    """
    return ", ".join(_one(part.strip()) for part in in_words(setting).split(";"))


def _one(part: str) -> str:
    return part.replace("=", " = " if _SYMBOL.match(part) else ": ", 1)
