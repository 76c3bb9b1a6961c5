"""Everything known about one published cell, as text."""

from __future__ import annotations

import difflib
import json
import math
from pathlib import Path
from typing import Any

import pandas as pd

from reproduction.files import ROOT, shown_path
from reproduction.results.published import load_published
from reproduction.results.rows import read_rows, read_table
from reproduction.rooms import paper_keys, tables_of
from reproduction.verdicts.agreement import STABLE
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
    if len(exact) == 1:
        return exact.iloc[0]
    pieces = wanted.lower().split()
    holds = [all(piece in name.lower() for piece in pieces) for name in ledger["cell"]]
    partial = ledger[holds]
    if len(partial) == 1:
        return partial.iloc[0]
    if len(partial):
        shown = "\n  ".join(partial["cell"].iloc[:15])
        more = f"\n  ... and {len(partial) - 15} more" if len(partial) > 15 else ""
        raise ValueError(f"{wanted!r} names {len(partial)} cells; say which:\n  {shown}{more}")
    near = difflib.get_close_matches(wanted, list(ledger["cell"]), n=5, cutoff=0.4)
    hint = "\n  ".join(near or list(ledger["cell"].iloc[:3]))
    raise ValueError(f"there is no cell {wanted!r}; near it are:\n  {hint}")


def cell_runs(row: pd.Series, results: Path | str) -> pd.DataFrame | None:
    """Single runs behind a cell, all readings of it; None where its result file is not there."""
    source = (
        Path(results) / row["paper"] / Path(row["source"]).parent.name / Path(row["source"]).name
    )
    if not source.is_file():
        return None
    tables = tables_of(row["paper"])
    found = select(
        read_rows(source, tables),
        table=row["table"],
        setting=tables[row["table"]].write(dict(zip(map(str, row.index), row, strict=True))),
        method=row["method"],
        metric=row["metric"],
        reading=None,
    )
    return found.sort_values(["reading", "run"], kind="stable")


def _spread(values: pd.Series) -> str:
    return f" ± {values.std(ddof=1):.4g}" if len(values) > 1 else ""


def _figure(mean: float, deviation: float) -> str:
    return f"{mean:.4g}" + ("" if math.isnan(deviation) else f" ± {deviation:.4g}")


def _data_lines(row: pd.Series, results: Path) -> list[str]:
    path = results / row["paper"] / "provenance.json"
    facts: dict[str, Any] = {}
    if path.is_file():
        facts = json.loads(path.read_text(encoding="utf-8")).get(row["data_key"], {})
    lines = [f"data        {row['data']}: {row['data_key']}, served by {row['data_source']}"]
    if facts.get("differences"):
        lines.append(f"            {facts['differences']}")
    return lines


def _run_lines(row: pd.Series, results: Path) -> list[str]:
    runs = cell_runs(row, results)
    if runs is None:
        return [f"runs        not here; run: snakemake --cores all {row['target']}"]
    lines = []
    for reading, group in runs.groupby("reading", sort=False):
        mark = " (compared)" if reading == INFERRED else ""
        values = " ".join(f"{value:.4g}" for value in group["value"])
        mean = group["value"].mean()
        lines.append(f"runs        {reading}{mark}: {mean:.4g}{_spread(group['value'])} = {values}")
    return lines


def _agreement_lines(row: pd.Series) -> list[str]:
    """What the rule says under both readings, and what it says it from."""
    factor = "" if row["unit"] != "probability" else " (in powers of ten)"
    lines = [
        f"ours        {_figure(row['ours'], row['ours_std'])} over {int(row['runs'])} runs",
        f"difference  {row['difference']:+.4g} [{row['low']:.4g}, {row['high']:.4g}], margin "
        f"{row['margin']:.4g}{factor}, unit {row['unit']}",
        f"predicted   {row['prediction_low']:.4g} to {row['prediction_high']:.4g}, if print is "
        "right",
        f"agreement   {row['agreement']}" + (f": {row['reason']}" if row["reason"] else ""),
    ]
    if not math.isnan(row["stable"]):
        note = "; may change with other seeds" if row["stable"] < STABLE else ""
        lines.append(f"seeds       {100 * row['stable']:.0f} % of resampled runs agree{note}")
    if int(row["text_runs"]):
        told = f"{_figure(row['text_ours'], row['text_std'])} over {int(row['text_runs'])} runs"
        lines.append(f"text says   {told}: {row['text_agreement']}")
    else:
        lines.append("text says   this reading was not run")
    if int(row["n_readings"]) > 1:
        span = f"{row['readings_low']:.4g} to {row['readings_high']:.4g}"
        lines.append(f"readings    {int(row['n_readings'])}, from {span}")
    if row["repeats"]:
        lines.append(f"repeats     {row['repeats']}, where it counts")
    return lines


def _choice_lines(row: pd.Series) -> list[str]:
    """What the paper leaves open about this cell, and how it was read."""
    paper = str(row["paper"])
    tables = tables_of(paper)
    printed = load_published(paper)
    # a ledger lists the cells in the order of print
    cells = [{str(k): v for k, v in cell.items()} for cell in printed.to_dict("records")]
    settings = [name for name in tables.columns if name in printed.columns and name in row.index]
    own = [
        cell
        for cell in cells
        if all(cell[name] == row[name] for name in ("table", "method", "metric"))
        and cell["mean"] == row["published"]
        and all(str(cell[name]) == str(row[name]) for name in settings)
    ]
    lines = [f"protocol    {row['protocol']}; as the text says: {row['text_protocol']}"]
    for choice in touching(load_readings(paper, printed, tables), own[0]) if own else []:
        taken, told = choice.option(INFERRED), choice.option(TEXT)
        other = "" if taken == told else f" (text: {told.name}, {told.status})"
        lines.append(f"            {choice.question} {taken.name}, {taken.status}{other}")
    return lines


def explain(cell: str, results: Path | str = "results", reported: Path | str = REPORTED) -> str:
    """Text about one cell: published, ours, every run, data, verdict, how to rerun."""
    folder = Path(results)
    known = read_ledger(folder, reported)
    row = find_cell(cell, known)
    lines = [
        row["cell"],
        "",
        f"read from   {row['read_from']}",
        f"paper       {row['paper']}, table {row['table']}",
        f"cell        {row['dataset']} | {row['setting']} | {row['method']} | {row['metric']}",
        f"published   {_figure(row['published'], row['published_std'])}"
        + ("" if math.isnan(row["published_runs"]) else f" over {int(row['published_runs'])} runs"),
    ]
    if not int(row["runs"]):
        return "\n".join([*lines, f"agreement   {row['agreement']}: {row['reason']}"])
    lines += [
        *_agreement_lines(row),
        *_choice_lines(row),
        *_data_lines(row, folder),
        f"seed        {row['seed']} (keyed by name, see manyviews.seeding)",
        f"code        {row['code'] or 'not stamped'}",
        f"rule        {row['rule_digest']}",
        f"file        {row['source']}",
    ]
    lines += _run_lines(find_cell(row["repeats"], known) if row["repeats"] else row, folder)
    ledger = f"{folder.as_posix()}/{row['paper']}/ledger.csv"
    lines += [
        "",
        f"rerun       snakemake --cores all {ledger} --forcerun {row['target']}"
        + ("" if row["target"].startswith("results/") else " --configfile <that of this run>"),
    ]
    return "\n".join(lines)
