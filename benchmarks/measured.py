"""Tables of the documentation that benchmarks write: a CSV file and a block of a page made from it.

A block stands between ``<!-- measured: name -->`` and ``<!-- end: name -->``. What a page says of a
measurement is in such a block, and a test makes it from the CSV file again.
"""

import csv
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
#: What a block says before its benchmark has run.
NOT_YET = "\nNot measured yet: the command on this page writes the table here.\n\n"


def read_csv(path):
    """Return the rows of a table; what reads as a number is one."""
    with path.open(newline="", encoding="utf-8") as file:
        return [{k: _number(v) for k, v in row.items()} for row in csv.DictReader(file)]


def _number(text):
    try:
        return int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        return text


def write_csv(path, rows):
    """Write rows that all have the columns of the first."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _cut(page, name):
    """Return what stands before, in and after a block."""
    start, end = f"<!-- measured: {name} -->\n", f"<!-- end: {name} -->"
    text = page.read_text(encoding="utf-8")
    if text.count(start) != 1 or text.count(end) != 1:
        raise ValueError(f"{page} needs the lines {start.strip()} and {end}, once each")
    before, rest = text.split(start)
    block, after = rest.split(end)
    return before + start, block, end + after


def read_block(page, name):
    """Return a block of a page."""
    return _cut(page, name)[1]


def write_block(page, name, text):
    """Replace a block of a page."""
    before, _, after = _cut(page, name)
    page.write_text(before + text + after, encoding="utf-8")


def markdown(header, rows):
    """Return a table as Markdown, with blank lines around it; a bar in a cell would end it."""
    lines = [header, ["---"] * len(header), *rows]
    texts = [[str(cell).replace("|", "/") for cell in line] for line in lines]
    return "\n" + "\n".join(f"| {' | '.join(line)} |" for line in texts) + "\n\n"
