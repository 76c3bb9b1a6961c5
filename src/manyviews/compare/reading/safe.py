"""Names and texts of strangers as they may be shown, written or drawn."""

import hashlib
import re
from collections.abc import Sequence

#: What a spreadsheet takes for the beginning of a formula.
_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def printable(text: str) -> str:
    """Return a text on one line; what cannot be seen, or not be encoded, becomes an escape."""
    text = " ".join(text.split())
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def safe_label(text: str, most: int = 60, *, drawn: bool = False) -> str:
    r"""Return a name to be shown: on one line, not long, two names never alike.

    Parameters
    ----------
    text
        The name as a file gives it.
    most
        Longest label; of a longer name its beginning stays, with a digest that tells it apart.
    drawn
        Whether matplotlib draws it, which would read ``$`` as mathematics.

    Examples
    --------
    >>> safe_label("two\nlines")
    'two lines'
    >>> safe_label("a" * 99, most=20)
    'aaaaaaaaaaa~13284468'
    """
    shown = printable(text)
    if len(shown) > most:
        digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:8]
        shown = f"{shown[: most - 9]}~{digest}"
    return shown.replace("$", r"\$") if drawn else shown


def safe_cell(text: str) -> str:
    """Return a cell of a CSV file that no spreadsheet computes: formulas get a quote before them.

    Examples
    --------
    >>> safe_cell("=1+1"), safe_cell("-1.5"), safe_cell("word")
    ("'=1+1", '-1.5', 'word')
    """
    text = encodable([text])[0]
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def encodable(texts: Sequence[str]) -> list[str]:
    """Return texts that can be written as UTF-8: half a character becomes its escape."""
    try:
        "".join(texts).encode("utf-8")
    except UnicodeEncodeError:
        return [text.encode("utf-8", "backslashreplace").decode("utf-8") for text in texts]
    return list(texts)
