"""The chain of custody of a result: what it was made from, and what it holds.

Every job's JSON carries a ``stamp``. ``made_from`` has the digests of the job's inputs: sources,
settings, views, other results, and the first numbers of its generator. ``holds`` has those of
its outputs: rows, details, rows and runs of every method. Scoring compares both with what is there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manyviews.seeding import generator
from reproduction.closure import closure_hash
from reproduction.data.format import content_digest
from reproduction.data.provenance import sha256_of
from reproduction.files import shown_path
from reproduction.results.jobs import Job, only_read
from reproduction.results.metrics import range_problem
from reproduction.rooms import settings_of

if TYPE_CHECKING:
    import pandas as pd

_WORDS = {
    "code": "another version of the code",
    "settings": "other settings",
    "views": "other views",
    "results": "other results of the same paper",
    "seeds": "another rule of seeds",
}


class CustodyError(ValueError):
    """Something is not what it was made as; the text names the file and what to do."""


def digest_of(value: Any) -> str:
    """Return the sha256 of a JSON-able value, whatever the order of its keys.

    The value takes the way of a file first: keys that are numbers become texts there.
    """
    plain = json.loads(json.dumps(value))
    text = json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def job_code(job: Job) -> str:
    """Return the hash of the sources a job's result depends on."""
    return closure_hash(["reproduction.results.runner", job.module])


def inputs_of(
    job: Job, settings: Mapping[str, Any], *, views_dir: Path, results_dir: Path
) -> dict[str, Any]:
    """Return what a job is made from, under settings of its paper, read from what is there now."""
    checked = settings_of(job.paper, settings).model_dump(mode="json")
    views = {key: views_dir / f"{key}.npz" for key in job.view_keys}
    results = {place: results_dir / job.paper / f"{place}.csv" for place in job.after}
    # the first number of a generator stands for the whole rule, numpy's part in it included
    probe = int(generator(job.paper, job.dataset, job.name).integers(2**53))
    return {
        "code": job_code(job),
        "settings": digest_of(only_read(job, checked)),
        "views": {key: content_digest(path) for key, path in views.items()},
        "results": {place: sha256_of(path) for place, path in results.items()},
        "seeds": probe,
    }


def contents_of(text: str, rows: pd.DataFrame, details: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a result holds: digests of its rows and details, rows and runs per method."""
    plain = {key: value for key, value in details.items() if key != "stamp"}
    groups = rows.groupby(["table", "method"], sort=True)
    return {
        "table": hashlib.sha256(text.encode("utf-8")).hexdigest(),
        "details": digest_of(plain),
        "rows": len(rows),
        "methods": {
            f"{table}: {method}": {"rows": len(part), "runs": int(part["run"].nunique())}
            for (table, method), part in groups
        },
    }


def read_details(table: Path) -> dict[str, Any]:
    """Return the details beside a result table; an unreadable file is refused by name."""
    path = table.with_suffix(".json")
    try:
        details = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        details = None
    if not isinstance(details, dict):
        raise CustodyError(f"{shown_path(path)} is missing or no JSON object; {_remake(table)}")
    return details


def check_result(table: Path, rows: pd.DataFrame, expected: Mapping[str, Any]) -> None:
    """Refuse a result that was made from something else, or changed after it was made.

    ``rows`` are those of its CSV file ``table``, ``expected`` is as :func:`inputs_of` returns it.
    """
    details = read_details(table)
    stamp = details.get("stamp")
    if not isinstance(stamp, dict) or not {"made_from", "holds"} <= set(stamp):
        raise CustodyError(f"{shown_path(table)} has no stamp of what made it; {_remake(table)}")
    for what, digest in expected.items():
        if stamp["made_from"].get(what) != digest:
            raise CustodyError(
                f"{shown_path(table)} was made from {_WORDS[what]}; {_remake(table)}"
            )
    found = contents_of(table.read_bytes().decode("utf-8"), rows, details)
    if found != stamp["holds"]:
        raise CustodyError(
            f"{shown_path(table)} was changed after it was made: {_change(stamp['holds'], found)}; "
            f"{_remake(table)}"
        )
    for metric, value in zip(rows["metric"], rows["value"], strict=True):
        problem = range_problem(metric, value)
        if problem:
            raise CustodyError(f"{shown_path(table)}: {problem}; mend the job that measured it")


def _change(made: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    """Say in words how the content differs from what was written."""
    if made.get("rows") != found["rows"]:
        return f"{found['rows']} rows in place of {made.get('rows')}"
    before, after = made.get("methods", {}), found["methods"]
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            return f"other rows or runs of table {name}"
    return "its values" if made.get("table") != found["table"] else "the details beside it"


def _remake(table: Path) -> str:
    return f"remove it and run `snakemake --cores all {shown_path(table)}`"
