"""Does it come out as printed? Verdicts on a reproduction, with the uncertainty of both sides.

``judge(published, runs)`` takes two tables and returns a word for each published number, with
intervals, base rates and how many more runs would decide. The rule knows no paper: ``words``,
``margins``, ``agreement`` (a cell), ``statistics``, ``parts``, ``claims``, ``declared`` (a
sentence), ``base_rates`` and ``simulate`` (what a count of words is worth); ``tables``,
``sentences`` and ``report`` are for tables of anybody.
"""

from asprinted.report import to_html, to_json
from asprinted.tables import Verdicts, judge

__all__ = ["Verdicts", "judge", "to_html", "to_json"]
