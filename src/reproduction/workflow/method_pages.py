"""Put the papers' claims, with what became of them, into the pages on methods.

A page asks for them with a line ``<!-- claims: <key of a paper> -->``.
"""

import csv
import re
from pathlib import Path

_ASKED = re.compile(r"^<!-- claims: (\w+) -->$", re.MULTILINE)


def with_claims(text: str, root: Path) -> str:
    """Return a page with a table of claims where it asks for one."""
    path = root / "reports" / "tables" / "claims.csv"

    def table(asked: re.Match[str]) -> str:
        if not path.is_file():
            return "The claims are listed here once the workflow has run.\n"
        with path.open(newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["paper"] == asked[1]]
        columns = ("statement", "in_print", "text", "inferred")
        lines = [f"| {' | '.join(_cell(row[name]) for name in columns)} |" for row in rows]
        head = ["| claim | in print | text | inferred |", "| --- | --- | --- | --- |"]
        return "\n".join([*head, *lines]) + "\n"

    return _ASKED.sub(table, text)


def _cell(text: str) -> str:
    """Return a text that cannot end a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
