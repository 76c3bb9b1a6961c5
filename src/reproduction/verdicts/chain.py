"""The chain of custody from fetched files to a paper's results, walked before it is judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reproduction.data.build import views_code
from reproduction.data.custody import check_views, checked_provenance
from reproduction.data.registry import Registry
from reproduction.results.custody import inputs_of
from reproduction.results.jobs import jobs_of, view_keys_behind


@dataclass(frozen=True)
class Folders:
    """Where fetched files, view files and results lie."""

    raw: Path
    views: Path
    results: Path


@dataclass(frozen=True)
class Evidence:
    """What a paper's results must be made from: per job, and where the data came from."""

    jobs: dict[str, dict[str, Any]]
    provenance: dict[str, dict[str, Any]]


def gather(
    paper: str,
    settings: Mapping[str, Any],
    options: Mapping[str, Mapping[str, Any]],
    registry: Registry,
    folders: Folders,
) -> Evidence:
    """Check a paper's fetched files and view files; return what its results must be made from.

    ``options`` is what the configuration asks of single data sets' builders. A fetched file, a
    provenance or a view file that is not what it was made as raises a ``FetchError``.
    """
    provenance: dict[str, dict[str, Any]] = {}
    jobs = jobs_of(paper)
    for view_key in sorted({key for job in jobs for key in view_keys_behind(job)}):
        dataset, _ = registry.resolve(view_key)
        key = dataset.key
        if key not in provenance:
            provenance[key] = checked_provenance(folders.raw / key, dataset)
        check_views(
            folders.views / f"{view_key}.npz",
            provenance[key],
            views_code(dataset),
            options.get(key, {}),
        )
    places = {"views_dir": folders.views, "results_dir": folders.results}
    made = {
        job.place: {
            "made_from": inputs_of(job, settings, **places),
            "datasets": sorted({registry.resolve(key)[0].key for key in view_keys_behind(job)}),
        }
        for job in jobs
    }
    return Evidence(jobs=made, provenance=provenance)
