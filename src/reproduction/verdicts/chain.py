"""The chain of custody from fetched files to a paper's results, walked before it is judged."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from manyviews.seeding import reseeded
from reproduction.data.build import views_code
from reproduction.data.custody import check_views, checked_provenance
from reproduction.data.provenance import PROVENANCE_FILE
from reproduction.data.registry import Registry
from reproduction.results.custody import inputs_of, read_details
from reproduction.results.jobs import Job, jobs_of, not_the_papers, view_keys_behind
from reproduction.verdicts.score import score_paper


class Folders(NamedTuple):
    """Where fetched files, view files and results lie."""

    raw: Path
    views: Path
    results: Path


class Evidence(NamedTuple):
    """What a paper's results must be made from: per job, and where the data came from."""

    jobs: dict[str, dict[str, Any]]
    provenance: dict[str, dict[str, Any]]


def gather(
    paper: str,
    settings: Mapping[str, Any],
    options: Mapping[str, Mapping[str, Any]],
    registry: Registry,
    folders: Folders,
    *,
    fetched: bool = True,
) -> Evidence:
    """Check a paper's fetched files and view files; return what its results must be made from.

    ``options`` is what the configuration asks of single data sets' builders. A fetched file, a
    provenance or a view file that is not what it was made as raises a ``FetchError``. Where the
    data were not ``fetched``, provenance and results are believed about files and views.
    """
    jobs, raw, views, results = jobs_of(paper), *folders
    behind = {job.place: {k: registry.resolve(k)[0] for k in view_keys_behind(job)} for job in jobs}
    datasets = {key: dataset for keys in behind.values() for key, dataset in keys.items()}
    each_once = {dataset.key: dataset for dataset in datasets.values()}
    if fetched:
        provenance = {key: checked_provenance(raw / key, each) for key, each in each_once.items()}
    else:
        read = {key: (raw / key / PROVENANCE_FILE).read_text("utf-8") for key in each_once}
        provenance = {key: json.loads(text) for key, text in read.items()}
    for view_key, dataset in sorted(datasets.items()) if fetched else ():
        made_of, asked = provenance[dataset.key], options.get(dataset.key, {})
        check_views(views / f"{view_key}.npz", made_of, views_code(dataset), asked)

    def changed(job: Job) -> dict[str, dict[str, str]]:
        """Settings and builders' options that are not the paper's, by table of a job."""
        given = {d.key: (d, options.get(d.key, {})) for d in behind[job.place].values()}
        data = {
            f"data.options.{key}.{name}": f"{value} in place of {dataset.options.get(name, 'all')}"
            for key, (dataset, asked) in given.items()
            for name, value in asked.items()
            if value != dataset.options.get(name)
        }
        return {table: own | data for table, own in not_the_papers(job, settings).items()}

    def made_from(job: Job) -> dict[str, Any]:
        if fetched:
            return inputs_of(job, settings, views_dir=views, results_dir=results)
        stamp = read_details(results / paper / f"{job.place}.csv").get("stamp", {})
        without = replace(job, views=())
        known = inputs_of(without, settings, views_dir=views, results_dir=results)
        return known | {"views": stamp.get("made_from", {}).get("views")}

    made = {
        job.place: {
            "made_from": made_from(job),
            "datasets": sorted({dataset.key for dataset in behind[job.place].values()}),
            "changed": changed(job),
        }
        for job in jobs
    }
    return Evidence(made, provenance)


def judge(
    paper: str,
    settings: Mapping[str, Any],
    options: Mapping[str, Mapping[str, Any]],
    registry: Registry,
    folders: Folders,
    *,
    seed: int,
    partial: bool,
    fetched: bool = True,
    output: Path | None = None,
) -> None:
    """Walk a paper's chain and score what it ends in, into ``output`` or beside the results."""
    with reseeded(seed):
        evidence = gather(paper, settings, options, registry, folders, fetched=fetched)
    score_paper(
        paper,
        results=folders.results,
        jobs=evidence.jobs,
        registry=registry,
        provenance=evidence.provenance,
        partial=partial,
        output=output,
    )
