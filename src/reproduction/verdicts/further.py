"""Further runs of a job whose figures are near an edge: made by the rule, and held to it.

The rule is that of ``docs/decisions/0020-further-runs-near-an-edge.md``. The first runs stay in
their file. The further ones lie beside it and carry what decided their number; scoring takes the
same steps again on the rows that are there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pandas as pd
from threadpoolctl import threadpool_limits

from reproduction.data.provenance import sha256_of
from reproduction.files import shown_path
from reproduction.results.custody import (
    CustodyError,
    digest_of,
    further_code,
    inputs_of,
    read_details,
)
from reproduction.results.further import Limits
from reproduction.results.jobs import Job, further_job, view_keys_behind
from reproduction.results.rows import Result, Row, read_rows
from reproduction.results.runner import checked_frames, open_context, write_frames
from reproduction.rooms import room, tables_of
from reproduction.verdicts.data_facts import data_facts
from reproduction.verdicts.edges import Edges, Near, Plan, is_further, steps
from reproduction.verdicts.margins import MARGINS
from reproduction.verdicts.readings import READINGS_FILE

#: What makes a group of runs: all but the number of the run.
_PLACE = ["table", "setting", "method", "role", "metric", "reading"]


def is_judged(job: Job, registry: Any, provenance: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether the data of a job can be compared with the paper's; no other figure is near."""
    keys = {registry.resolve(key)[0].key for key in view_keys_behind(job)}
    return all(data_facts(key, registry[key], provenance[key]).judged for key in sorted(keys))


def further_inputs(
    job: Job,
    settings: Mapping[str, Any],
    plan: Plan,
    judged: bool,
    *,
    views_dir: Path,
    results_dir: Path,
) -> dict[str, Any]:
    """Return what the further runs of a job are made from, as a stamp has it."""
    folder = room(job.paper)
    files = [folder / name for name in ("published.csv", "paper.yaml", READINGS_FILE)]
    inputs = inputs_of(further_job(job), settings, views_dir=views_dir, results_dir=results_dir)
    edges = {
        "files": {path.name: sha256_of(path) for path in (*files, MARGINS)},
        "judged": judged,
        "runs": [plan.declared, plan.most],
    }
    return {**inputs, "code": further_code(job), "edges": digest_of(edges)}


def said(taken: list[tuple[int, list[Near]]]) -> str:
    """Return what the rule did, in a line for every step."""
    lines = []
    for runs, near in taken:
        cells = "; ".join(
            f"{each.cell} ({each.reading}, {100 * each.stable:.0f} %)" for each in near
        )
        lines.append(
            f"{runs} runs: "
            + (
                f"{len(near)} figures near an edge: {cells}"
                if near
                else "no figure is near an edge"
            )
        )
    return "\n".join(lines)


def _told(taken: list[tuple[int, list[Near]]]) -> list[dict[str, Any]]:
    return [{"runs": runs, "near": [asdict(each) for each in near]} for runs, near in taken]


def _first_rows(job: Job, results_dir: Path) -> pd.DataFrame:
    path = results_dir / job.paper / f"{job.place}.csv"
    return read_rows(path, tables_of(job.paper)).assign(source=f"{job.place}.csv")


def run_further(
    job: Job,
    settings: Mapping[str, Any],
    limits: Limits,
    registry: Any,
    provenance: Mapping[str, Mapping[str, Any]],
    *,
    views_dir: Path,
    results_dir: Path,
    threads: int = 1,
) -> list[tuple[int, list[Near]]]:
    """Judge a job's figures, make the further runs they need, write three files beside the first.

    Parameters
    ----------
    job
        The job that made the first runs.
    settings
        Plain settings of its paper.
    limits
        How far runs may go on.
    registry, provenance
        Data sets, and where those of the job came from.
    views_dir, results_dir
        Folders of view files and results.
    threads
        Threads of the libraries.

    Returns the number of runs and the figures near an edge, step by step.
    """
    plan = Plan.of(job, settings, limits)
    declared = plan.declared
    judged = is_judged(job, registry, provenance)
    places = {"views_dir": views_dir, "results_dir": results_dir}
    made_from = further_inputs(job, settings, plan, judged, **places)
    own, tables = further_job(job), tables_of(job.paper)
    edges, first = Edges(job, registry), _first_rows(job, results_dir)
    made: list[Row] = []
    context: list[Any] = []  # opened when the first further run is asked for

    def near(runs: int) -> list[Near]:
        if not judged:
            return []
        if runs == declared:
            return edges.near(first)
        if not context:
            context.append(open_context(own, settings, **places))
        made.extend(own.load()(replace(context[0], further=range(runs // 2, runs))).rows)
        values, _ = checked_frames(own, Result(made))
        values["setting"] = tables.written(values)
        # judged as it is read back
        values["value"] = values["value"].map(lambda value: float(f"{value:.12g}"))
        rows = [first, values.assign(source=f"{own.place}.csv")]
        return edges.near(pd.concat(rows, ignore_index=True))

    with threadpool_limits(limits=threads):
        taken = steps(declared, plan.most, near)
    details = {"first runs": declared, "runs at most": plan.most, "steps": _told(taken)}
    table = results_dir / job.paper / f"{own.place}.csv"
    if made:
        values, timings = checked_frames(own, Result(made))
        further = values.assign(setting=tables.written(values))
        _check_runs(first, further, declared, taken[-1][0])
    else:
        values = first.drop(columns=["setting", "source"]).iloc[:0]
        timings = values.assign(seconds=[], iterations=[])
    write_frames(values, timings, details, table, made_from)
    return taken


def _check_runs(first: pd.DataFrame, further: pd.DataFrame, declared: int, runs: int) -> None:
    """Refuse rows that do not go on where the first ones end, up to the last step."""
    sizes = {place: len(part) for place, part in first.groupby(_PLACE)}
    for place, part in further.groupby(_PLACE):
        name = f"table {place[0]}, method {place[2]}"
        if place not in sizes:
            raise CustodyError(f"{name} has further runs and no first ones; mend the job")
        size = sizes[place]
        wanted = range(size, size * runs // declared)
        if sorted(part["run"]) != list(wanted):
            raise CustodyError(
                f"{name} has other further runs than {wanted.start} to {wanted.stop - 1}"
            )
    if runs > declared and further.empty:
        raise CustodyError("it has lost its rows")


def check_further(plan: Plan, rows: pd.DataFrame, table: Path, judged: bool, registry: Any) -> None:
    """Refuse further runs that the rule does not ask for, or too few of them.

    Parameters
    ----------
    plan
        Of the job that made the first runs.
    rows
        Its rows, further runs included, with ``setting`` and ``source``.
    table
        File of the further runs.
    judged
        Whether its data can be compared with the paper's.
    registry
        Data sets.

    Raises
    ------
    CustodyError
        Naming the file and the mend.
    """
    declared = plan.declared
    is_more = rows["source"].map(is_further).to_numpy(dtype=bool)
    first = rows[~is_more]
    sizes = first.groupby(_PLACE)["run"].size()
    # runs of the same group before any went on; a group without first runs has none
    before = sizes.reindex(pd.MultiIndex.from_frame(rows[_PLACE])).to_numpy()
    edges = Edges(plan.job, registry)

    def near(runs: int) -> list[Near]:
        return edges.near(rows[rows["run"] < before * runs / declared]) if judged else []

    taken = steps(declared, plan.most, near)
    runs = taken[-1][0]
    try:
        if read_details(table).get("steps") != _told(taken):
            raise CustodyError(f"the rule of further runs asks for {runs} runs, {declared} first")
        _check_runs(first, rows[is_more], declared, runs)
    except CustodyError as error:
        place = shown_path(table)
        raise CustodyError(
            f"{place}: {error}; remove it and run `snakemake --cores all {place}`"
        ) from None
