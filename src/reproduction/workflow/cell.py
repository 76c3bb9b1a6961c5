"""Fit one published number again, and nothing else: ``python -m reproduction cell <id>``."""

import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from asprinted.agreement import figure_of, judge
from asprinted.margins import load_margins
from asprinted.words import INFERRED, JUDGED, NOT_COMPARABLE
from manyviews.seeding import reseeded
from reproduction.data.build import build_views, views_code
from reproduction.data.custody import check_views, checked_provenance
from reproduction.data.fetch_all import fetch_all
from reproduction.data.registry import PROJECT_REGISTRY, load_registry
from reproduction.results.cases import Plan, Step
from reproduction.results.jobs import Job, find_job, not_the_papers
from reproduction.results.published import load_published, printed_methods
from reproduction.results.rows import result_frames
from reproduction.results.runner import open_context
from reproduction.results.study import Study
from reproduction.rooms import find_paper, study_of, tables_of
from reproduction.verdicts.cells import given, printed_figure, records
from reproduction.verdicts.explain import find_cell, read_ledger
from reproduction.verdicts.readings import RowFinder, load_readings, touching
from reproduction.workflow.config import Config, place_settings


def refit(name: str, config: Config, raw: Path, results: Path) -> str:
    """Fetch the data set of a cell and fit its runs; say ours beside print, the word, the cost."""
    start, ledger = time.perf_counter(), read_ledger(results)
    row = find_cell(name, ledger)
    first = find_cell(row["repeats"], ledger) if row["repeats"] else row
    paper, tables, published = row["paper"], tables_of(row["paper"]), load_published(row["paper"])
    place = {key: first.get(key) for key in ("table", "method", "metric", *tables.columns)}
    place = {k: v for k, v in place.items() if given(v)} | {"dataset": first["data_key"]}
    cell = next(c for c in records(published) if all(c.get(k) == v for k, v in place.items()))
    settings, study = config.settings(paper).model_dump(), study_of(paper)
    job = find_job(paper, *Path(row["target"]).with_suffix("").parts[-2:])
    plans = _asked(study, cell)
    if not plans or not all((results / paper / f"{each}.csv").is_file() for each in job.after):
        raise ValueError(f"{name} is made of other results: snakemake --cores all {row['target']}")
    with reseeded(config.seed), threadpool_limits(1), tempfile.TemporaryDirectory() as views:
        _make_views(job, config, raw, Path(views))
        context = open_context(job, settings, views_dir=Path(views), results_dir=results)
        made = study.run(context, plans).rows
    rows, _ = result_frames(paper, job.dataset, made, tables, printed_methods(paper))
    rows = rows.assign(setting=tables.written(rows), source="")
    choices = touching(load_readings(paper, published, tables), cell)
    found = RowFinder(rows, tables).under(cell, choices, INFERRED)
    if found is None:
        raise ValueError(f"{name} is read elsewhere: snakemake --cores all {row['target']}")
    ours, theirs = figure_of(found.values), printed_figure(find_paper(paper), row, found.runs.size)
    word = judge(theirs, ours, load_margins().unit(cell["metric"])).word
    changed = "; ".join(map(": ".join, not_the_papers(job, settings)[cell["table"]].items()))
    if changed or row["data"] not in JUDGED:
        word = f"{NOT_COMPARABLE} ({changed or row['reason']})"
    read = {key: settings[key] for plan in plans for key in sorted(plan.reads())}
    said = {
        "printed": f"{theirs.mean:g} ± {theirs.std:g}",
        "ours": f"{ours.mean:.6g} ± {ours.std:.4g}, {ours.runs} runs",
        "last run": f"{row['ours']:.6g} ± {row['ours_std']:.4g}, {row['read_from']}",
        "verdict": word,
        "settings": f"{config.title}: {', '.join(f'{k} {v}' for k, v in read.items())}",
        "seconds": f"{time.perf_counter() - start:.1f}",
    }
    return "\n".join([row["cell"], *(f"{key:<10}{text}" for key, text in said.items())])


def _asked(study: Study, cell: Mapping[str, Any]) -> list[Plan]:
    """Return the tables of a cell, cut down to it."""

    def only(step: Step, value: Any) -> Step:
        return Step(lambda **there: [v for v in step.call(**there) if v == value], step.asks)

    plans = []
    for plan in study.plans:
        own = tuple(method for method in plan.methods if method.name == cell["method"])
        here = plan.name == cell["table"] and cell["dataset"] in plan.datasets and own
        if here and plan.reading == INFERRED and not plan.named:
            asked = {s: cell.get(c.name) for s, c in plan.columns.items() if s != plan.over}
            known = {
                s: only(plan.vary[s], v) for s, v in asked.items() if s in plan.vary and given(v)
            }
            plans.append(replace(plan, methods=own, vary={**plan.vary, **known}))
    return plans


def _make_views(job: Job, config: Config, raw: Path, target: Path) -> None:
    """Fetch the data sets of a job; bring its views, built anew where there are none of them."""
    data = config.data
    registry = load_registry([PROJECT_REGISTRY, *data.registries])
    asked: dict[str, Any] = {"mode": data.source, "scale": data.surrogate_scale}
    for key in job.view_keys:
        dataset, variant = registry.resolve(key)
        (outcome,) = fetch_all([dataset.key], registry, raw, place_settings(data), **asked)
        if outcome.error:
            raise ValueError(outcome.error)
        there = Path(config.output.views, f"{key}.npz")
        facts = checked_provenance(raw / dataset.key, dataset)
        options = data.options.get(dataset.key, {})
        try:
            check_views(there, facts, views_code(dataset), options)
            shutil.copy(there, target)
        except (OSError, ValueError):
            build_views(
                dataset.key, raw_dir=raw / dataset.key, registry_entry=dataset, variant=variant,
                provenance=facts, options=options,
            ).save(target / there.name)  # fmt: skip
