"""Everything known about one published cell, as text: its row of the ledger, and choices."""

import difflib
from pathlib import Path
from typing import Any

import pandas as pd

from asprinted.words import INFERRED, TEXT
from reproduction.files import ROOT, shown_path
from reproduction.results.published import load_published
from reproduction.results.rows import read_table
from reproduction.rooms import paper_keys, tables_of
from reproduction.verdicts.cells import given, records
from reproduction.verdicts.readings import load_readings, touching

#: The ledger of the last full run, committed with the pages.
REPORTED = ROOT / "reports" / "tables" / "ledger.csv"


def read_ledger(results: Path | str, reported: Path | str = REPORTED) -> pd.DataFrame:
    """Return what is known about every cell, without running anything.

    A paper's rows come from the results folder where it has been scored, else from the table of
    the report; the column ``read_from`` says which.
    """
    numbers = {name for paper in paper_keys() for name in tables_of(paper).numbers}
    frames = []
    for paper in paper_keys():
        scored = Path(results) / paper / "ledger.csv"
        path = scored if scored.is_file() else Path(reported)
        if path.is_file():
            frame = read_table(path, numbers).assign(read_from=shown_path(path))
            frames.append(frame[frame["paper"] == paper])
    if not frames:
        places = f"{results} and none in {shown_path(Path(reported))}"
        raise ValueError(f"no ledger in {places}; run the workflow first (`make` or `make quick`)")
    return pd.concat(frames, ignore_index=True)


def find_cell(cell: str, ledger: pd.DataFrame) -> dict[str, Any]:
    """Row of the ledger for a cell's id; a part of the id is enough when it names one cell."""
    wanted, names = cell.strip().strip("/"), list(ledger["cell"])
    pieces = wanted.lower().split()
    found = [name for name in names if all(piece in name.lower() for piece in pieces)]
    if wanted in names:
        found = [wanted]
    if len(found) == 1:
        return records(ledger[ledger["cell"] == found[0]])[0]
    told = f"{wanted!r} names {len(found)} cells; say which:"
    if not found:
        told = f"there is no cell {wanted!r}; near it are:"
        found = difflib.get_close_matches(wanted, names, n=5, cutoff=0.4)
    raise ValueError("\n  ".join([told, *found[:15]]))


def _told(name: str, value: Any) -> str:
    return f"{name.replace('_', ' '):<16}{f'{value:.6g}' if isinstance(value, float) else value}"


def explain(cell: str, results: Path | str = "results", reported: Path | str = REPORTED) -> str:
    """Text about one cell: its row of the ledger, open choices, and how to make its runs again."""
    folder = Path(results)
    row = find_cell(cell, read_ledger(folder, reported))
    lines = [row["cell"], "", *(_told(k, v) for k, v in row.items() if k != "cell" and given(v))]
    if not row["runs"]:
        return "\n".join(lines)
    known = load_readings(row["paper"], load_published(row["paper"]), tables_of(row["paper"]))
    for choice in touching(known, {**row, "dataset": row["data_key"]}):
        taken, told = choice.option(INFERRED), choice.option(TEXT)
        other = "" if taken == told else f" (text: {told.name}, {told.status})"
        lines.append(_told("choice", f"{choice.question} {taken.name}, {taken.status}{other}"))
    ledger = f"{folder.as_posix()}/{row['paper']}/ledger.csv"
    own = "" if row["target"].startswith("results/") else " --configfile <that of this run>"
    rerun = f"snakemake --cores all {ledger} --forcerun {row['target']}{own}"
    return "\n".join([*lines, "", _told("rerun", rerun)])
