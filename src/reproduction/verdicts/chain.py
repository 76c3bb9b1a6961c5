"""Score a paper: its chain is walked, then every published cell and claim gets its verdict.

The chain of custody goes from fetched files over view files to a paper's results.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from asprinted.margins import MARGINS
from asprinted.words import DATA, worst
from manyviews.seeding import reseeded
from reproduction.data.build import views_code
from reproduction.data.custody import check_views, checked_provenance
from reproduction.data.provenance import PROVENANCE_FILE, sha256_of
from reproduction.data.registry import Registry
from reproduction.files import shown_path, write_json, write_text
from reproduction.results.custody import (
    CustodyError,
    check_result,
    digest_of,
    inputs_of,
    read_details,
)
from reproduction.results.jobs import Job, jobs_of, not_the_papers, view_keys_behind
from reproduction.results.published import load_published
from reproduction.results.rows import read_rows, table_text
from reproduction.rooms import Difference, find_paper, open_module, room, tables_of
from reproduction.verdicts.claim_scores import load_claims_file, score_claims
from reproduction.verdicts.data_facts import DataFacts, combined_facts, data_facts, published_name
from reproduction.verdicts.ledger import Bench, FileFacts, LedgerError
from reproduction.verdicts.readings import READINGS_FILE, load_readings

#: Tables that scoring writes.
SCORED = ("ledger", "gaps", "claims", "claim_parts")
#: All that scoring writes for a paper.
BY_SCORING = (*(f"{table}.csv" for table in SCORED), "provenance.json", "scored.json")
#: What people write of a paper, and verdicts follow from.
WRITTEN = ("published.csv", "claims.yaml", "paper.yaml", READINGS_FILE)


class Folders(NamedTuple):
    """Where fetched files, view files and results lie."""

    raw: Path
    views: Path
    results: Path


def gather(
    paper: str,
    settings: Mapping[str, Any],
    options: Mapping[str, Mapping[str, Any]],
    registry: Registry,
    folders: Folders,
    *,
    fetched: bool = True,
) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """Check a paper's fetched files and view files; return what its results must be made from.

    That is what each job must be made from, and where each data set came from.
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
    return made, provenance


def read_results(
    paper: str, results: Path, jobs: Mapping[str, Mapping[str, Any]]
) -> tuple[pd.DataFrame, dict[str, FileFacts]]:
    """Read the result files of the given jobs; each must be what its job made of what is here.

    ``jobs`` says for ``"<dataset>/<name>"`` what its stamp must carry (``made_from``) and which
    ``datasets`` it reads.
    """
    frames: list[pd.DataFrame] = []
    problems: list[str] = []
    files: dict[str, FileFacts] = {}
    for job in sorted(jobs):
        path, made_from = results / paper / f"{job}.csv", jobs[job]["made_from"]
        frame = read_rows(path, tables_of(paper))
        try:
            check_result(path, frame, made_from)
        except CustodyError as error:
            problems.append(str(error))
        # a ledger never shows a place of this machine
        place = shown_path(path)
        if Path(place).is_absolute():
            place = path.relative_to(results.parent).as_posix()
        files[place] = FileFacts(made_from["code"], f"{paper}/{job}", jobs[job].get("changed", {}))
        frames.append(frame.assign(source=place))
    if problems or not frames:
        raise LedgerError("\n".join(problems) or f"{paper} has no jobs to score")
    return pd.concat(frames, ignore_index=True), files


def paper_facts(
    rows: pd.DataFrame,
    jobs: Mapping[str, Mapping[str, Any]],
    registry: Any,
    provenance: Mapping[str, Mapping[str, Any]],
    differences: Mapping[str, Difference],
) -> dict[str, DataFacts]:
    """Facts of every data set the rows mention and every data set the jobs read.

    ``differences`` says where a copy that another paper used as it is differs from this paper's.
    """
    facts: dict[str, DataFacts] = {}
    used = {key for job in jobs.values() for key in job["datasets"]}
    mentioned = set(rows["dataset"])
    for key in sorted(used | {key for key in mentioned if key in registry}):
        facts[key] = found = data_facts(key, registry[key], provenance[key])
        if key in differences:
            kind = worst((found.kind, differences[key].data), DATA)
            if kind != found.kind:
                facts[key] = replace(found, kind=kind, differences=differences[key].text)
    for key in sorted(mentioned - set(facts)):
        own = [entry for job, entry in jobs.items() if job.partition("/")[0] == key]
        read = {name for entry in own for name in entry["datasets"]}
        # a job made from other jobs' results alone may rest on any data set of the paper
        facts[key] = combined_facts(key, [facts[name] for name in sorted(read or used)])
    return facts


def score_paper(
    paper: str,
    *,
    results: Path | str,
    jobs: Mapping[str, Mapping[str, Any]],
    registry: Any,
    provenance: Mapping[str, Mapping[str, Any]],
    claims: Path | str | None = None,
    checks: Any = None,
    partial: bool = False,
    output: Path | str | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Judge all cells and claims of a paper; write the tables when both are complete.

    ``scored.json`` has the digests of what was scored: files that older jobs left behind are not
    among it, and the pages show nothing else. ``jobs`` are as :func:`read_results` takes them,
    ``provenance`` the checked one of every data set; ``claims`` and ``checks`` are others than the
    paper's own, for tests. ``partial`` allows published cells that no job produced (``not run``).
    """
    folder, own, card = Path(results), room(paper), find_paper(paper)
    rows, files = read_results(paper, folder, jobs)
    facts = paper_facts(rows, jobs, registry, provenance, card.differences)
    published, tables = load_published(paper), tables_of(paper)
    choices = load_readings(paper, published, tables)
    known = [key for key in set(published["dataset"]) if key in registry]
    names = {key: published_name(registry[key], key) for key in known}
    bench = Bench(
        card, rows, published, tables=tables, choices=choices, data=facts, files=files, names=names
    )
    ledger = bench.ledger(partial)
    gaps = bench.gaps(ledger)
    compared = rows.drop(columns="source")
    if any(each for file in files.values() for each in file.changed.values()):
        compared["changed"] = [
            "; ".join(map(": ".join, files[source].not_the_papers(table).items()))
            for source, table in zip(rows["source"], rows["table"], strict=True)
        ]
    compared["provenance"] = compared["dataset"].map(lambda key: facts[key].kind)
    listed = load_claims_file(paper, claims)
    scored, parts = score_claims(paper, compared, listed, checks or open_module(paper, "claims"))
    target = Path(output) if output is not None else folder / paper
    told = {key: {**asdict(facts[key]), "reason": facts[key].reason} for key in sorted(facts)}
    write_json(target / "provenance.json", told)
    for name, table in zip(SCORED, (ledger, gaps, scored, parts), strict=True):
        write_text(target / f"{name}.csv", table_text(table))
    sources = [MARGINS, *(own / name for name in WRITTEN)]
    custody = {
        # the two files of a result that are the same in every run
        "jobs": {
            job: {
                name: sha256_of(folder / paper / f"{job}{end}")
                for name, end in (("table", ".csv"), ("details", ".json"))
            }
            for job in sorted(jobs)
        },
        "made_from": {path.name: sha256_of(path) for path in sources},
        "provenance": {key: digest_of(provenance[key]) for key in sorted({*facts} & {*provenance})},
        "holds": {name: sha256_of(target / f"{name}.csv") for name in SCORED},
    }
    write_json(target / "scored.json", custody)
    return ledger, scored


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
        jobs, provenance = gather(paper, settings, options, registry, folders, fetched=fetched)
    made: dict[str, Any] = {"jobs": jobs, "registry": registry, "provenance": provenance}
    score_paper(paper, results=folders.results, partial=partial, output=output, **made)
