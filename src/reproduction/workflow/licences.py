"""Licences of all locked packages in one table, read from the metadata of what is installed.

``python -m reproduction.workflow.licences`` (``make licences``) writes ``docs/licences.md``.
"""

import re
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from reproduction.files import ROOT, write_text
from reproduction.workflow.packaging import locked_conditions, locked_versions

PAGE = Path("docs", "licences.md")
#: Packages whose own files name no licence: what their repository says, and where.
ELSEWHERE = {"mlcroissant": ("Apache-2.0", "LICENSE.md of github.com/mlcommons/croissant")}
_LONGEST = 60
_COPYLEFT = re.compile(r"\b(A?GPL|GNU (Affero )?General Public)")
_LICENCE_FILE = re.compile(r"(^|/)(LICEN[CS]E|COPYING)[^/]*$", re.IGNORECASE)


@dataclass(frozen=True)
class Licence:
    """What a package says of its licence, and where it says it."""

    name: str
    version: str
    licence: str
    stated_in: str


def _first_line(text: str) -> str:
    lines = (line.strip(" =#*-") for line in text.splitlines())
    return next((line for line in lines if line), "")


def _stated(found: Distribution) -> tuple[str, str]:
    """Return the licence and the place that states it, the most exact place first."""

    def stated(field: str) -> list[str]:
        return [str(line) for line in found.metadata.get_all(field) or []]

    expression = "".join(stated("License-Expression"))
    if expression:
        return expression, "expression"
    text = "".join(stated("License"))
    if text and text != "UNKNOWN" and "\n" not in text and len(text) <= _LONGEST:
        return text, "text"
    classes = [
        line.rpartition(" :: ")[2]
        for line in stated("Classifier")
        if line.startswith("License :: ")
    ]
    if classes:
        return " or ".join(classes), "classifier"
    for path in sorted(found.files or [], key=str):
        if _LICENCE_FILE.search(str(path)):
            line = _first_line(Path(str(found.locate_file(path))).read_text(encoding="utf-8"))
            return line[:_LONGEST], "licence file"
    return ELSEWHERE.get(found.name, ("not stated", "nowhere"))


def locked_licences(root: Path = ROOT) -> list[Licence]:
    """Return the licences of all pins, in the order of the lock file."""
    conditions = locked_conditions(root)
    rows = []
    for name, version in locked_versions(root).items():
        try:
            licence, place = _stated(distribution(name))
        except PackageNotFoundError:
            where = conditions[name] or "run `make .venv/.ready`"
            licence, place = "not read", f"not installed here: {where}"
        rows.append(Licence(name, version, licence, place))
    return rows


def page_text(rows: list[Licence]) -> str:
    """Return the page: what to look out for, then the table."""
    copyleft = [row.name for row in rows if _COPYLEFT.search(row.licence)]
    unread = [row.name for row in rows if row.licence in ("not read", "not stated")]
    lines = [
        "# Licences of the locked packages",
        "",
        "Written by `make licences` from the metadata of the installed packages. This repository "
        "contains none of them; `make` installs them from the package index.",
        "",
        f"- {len(rows)} packages are locked.",
        f"- The General Public Licence is named by: {', '.join(copyleft) or 'none'}.",
        f"- No licence could be read for: {', '.join(unread) or 'none'}.",
        "",
        "| package | version | licence | stated in |",
        "|---|---|---|---|",
    ]
    cells = ((row.name, row.version, row.licence, row.stated_in) for row in rows)
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in cells]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    write_text(ROOT / PAGE, page_text(locked_licences()))
