"""Everything known about one published cell, as text: its row of the ledger, choices, runs."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

import pandas as pd

from reproduction.files import ROOT, shown_path
from reproduction.results.published import load_published
from reproduction.results.rows import read_rows, read_table
from reproduction.rooms import paper_keys, tables_of
from reproduction.verdicts.cells import records
from reproduction.verdicts.claims import select
from reproduction.verdicts.readings import load_readings, touching
from reproduction.verdicts.words import INFERRED, TEXT

#: The ledger of the last full run, committed with the pages.
REPORTED = ROOT / "reports" / "tables" / "ledger.csv"


def read_ledger(results: Path | str, reported: Path | str = REPORTED) -> pd.DataFrame:
    """Return what is known about every cell, without running anything.

    A paper's rows come from the results folder where it has been scored, else from the table of
    the report; the column ``read_from`` says which.
    """
    numbers = {name for paper in paper_keys() for name in tables_of(paper).numbers}

    def read(path: Path) -> pd.DataFrame:
        return read_table(path, numbers).assign(read_from=shown_path(path))

    scored = {key: Path(results) / key / "ledger.csv" for key in paper_keys()}
    frames = [read(path) for path in scored.values() if path.is_file()]
    if Path(reported).is_file():
        report = read(Path(reported))
        elsewhere = [key for key, path in scored.items() if not path.is_file()]
        frames.append(report[report["paper"].isin(elsewhere)])
    if not frames:
        raise ValueError(
            f"no ledger in {results} and none in {shown_path(Path(reported))}; run the workflow "
            "first (`make` or `make quick`)"
        )
    return pd.concat(frames, ignore_index=True)


def find_cell(cell: str, ledger: pd.DataFrame) -> pd.Series:
    """Row of the ledger for a cell's id; a part of the id is enough when it names one cell."""
    wanted = cell.strip().strip("/")
    if not wanted:
        raise ValueError(
            f"no cell named; try `python -m reproduction explain {ledger['cell'].iloc[0]}`"
        )
    exact = ledger[ledger["cell"] == wanted]
    pieces = wanted.lower().split()
    holds = [all(piece in name.lower() for piece in pieces) for name in ledger["cell"]]
    found = exact if len(exact) else ledger[holds]
    if len(found) == 1:
        return found.iloc[0]
    if len(found):
        shown = "\n  ".join(found["cell"].iloc[:15])
        more = f"\n  ... and {len(found) - 15} more" if len(found) > 15 else ""
        raise ValueError(f"{wanted!r} names {len(found)} cells; say which:\n  {shown}{more}")
    near = difflib.get_close_matches(wanted, list(ledger["cell"]), n=5, cutoff=0.4)
    hint = "\n  ".join(near or list(ledger["cell"].iloc[:3]))
    raise ValueError(f"there is no cell {wanted!r}; near it are:\n  {hint}")


def _told(name: str, value: Any) -> str:
    return f"{name.replace('_', ' '):<16}{f'{value:.6g}' if isinstance(value, float) else value}"


def _runs(row: dict[str, Any], results: Path) -> list[str]:
    """Single runs behind a cell under every reading of it in its file."""
    source = results / row["paper"] / Path(*Path(row["source"]).parts[-2:])
    if not source.is_file():
        return [_told("runs", f"not here; run: snakemake --cores all {row['target']}")]
    tables = tables_of(row["paper"])
    place = {name: row[name] for name in ("table", "method", "metric")}
    setting = tables[row["table"]].write(row)
    found = select(read_rows(source, tables), setting=setting, reading=None, **place)
    found = found.sort_values(["reading", "run"], kind="stable")
    return [
        _told(f"runs, {reading}", " ".join(f"{value:.4g}" for value in part["value"]))
        for reading, part in found.groupby("reading", sort=False)
    ]


def _choices(row: dict[str, Any]) -> list[str]:
    """What the paper leaves open about this cell, and how it was read."""
    paper, tables = str(row["paper"]), tables_of(str(row["paper"]))
    printed = load_published(paper)
    same = ["table", "method", "metric", *(name for name in tables.columns if name in printed)]
    own = [
        cell
        for cell in records(printed)
        if cell["mean"] == row["published"] and all(str(cell[n]) == str(row[n]) for n in same)
    ]
    lines = []
    for choice in touching(load_readings(paper, printed, tables), own[0]) if own else []:
        taken, told = choice.option(INFERRED), choice.option(TEXT)
        other = "" if taken == told else f" (text: {told.name}, {told.status})"
        lines.append(_told("choice", f"{choice.question} {taken.name}, {taken.status}{other}"))
    return lines


def _found(cell: str, ledger: pd.DataFrame) -> dict[str, Any]:
    return records(find_cell(cell, ledger).to_frame().T.infer_objects())[0]


def explain(cell: str, results: Path | str = "results", reported: Path | str = REPORTED) -> str:
    """Text about one cell: its row of the ledger, open choices, every run, how to rerun."""
    folder = Path(results)
    known = read_ledger(folder, reported)
    row = _found(cell, known)
    lines = [row["cell"], ""]
    lines += [_told(k, v) for k, v in row.items() if k != "cell" and v != "" and not pd.isna(v)]
    if not row["runs"]:
        return "\n".join(lines)
    first = _found(row["repeats"], known) if row["repeats"] else row
    ledger = f"{folder.as_posix()}/{row['paper']}/ledger.csv"
    own = "" if row["target"].startswith("results/") else " --configfile <that of this run>"
    rerun = f"snakemake --cores all {ledger} --forcerun {row['target']}{own}"
    return "\n".join([*lines, *_choices(row), *_runs(first, folder), "", _told("rerun", rerun)])
