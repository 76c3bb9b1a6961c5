"""Does it come out as printed? Verdicts on a reproduction, with the uncertainty of both sides.

``judge(published, runs)`` takes two tables and returns a word for each published number, with
intervals, base rates and how many more runs would decide. The rule knows no paper: ``words``,
``margins``, ``agreement`` (a cell), ``statistics``, ``parts``, ``claims``, ``declared`` (a
sentence), ``base_rates`` and ``simulate`` (what a count of words is worth); ``tables``
is for tables of anybody.
"""

from importlib import import_module
from typing import Any

__all__ = ["Verdicts", "judge", "to_html", "to_json"]


def __getattr__(name: str) -> Any:
    """Load what judges tables when it is asked for: the rule does not depend on it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("asprinted.tables"), name)
