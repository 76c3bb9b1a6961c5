"""Score a paper: every published cell gets a verdict, every published claim a test."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from asprinted.margins import MARGINS
from asprinted.words import DATA, worst
from reproduction.data.build import views_code
from reproduction.data.custody import check_views, checked_provenance
from reproduction.data.provenance import sha256_of
from reproduction.data.registry import Registry
from reproduction.files import shown_path, write_json, write_text
from reproduction.results.custody import CustodyError, check_result, digest_of, inputs_of
from reproduction.results.jobs import jobs_of, view_keys_behind
from reproduction.results.published import load_published
from reproduction.results.rows import read_rows, table_text
from reproduction.rooms import Difference, find_paper, open_module, room, tables_of
from reproduction.verdicts.claim_file import load_claims_file
from reproduction.verdicts.claim_scores import score_claims
from reproduction.verdicts.data_facts import DataFacts, combined_facts, data_facts, published_name
from reproduction.verdicts.ledger import Bench, FileFacts, LedgerError
from reproduction.verdicts.readings import READINGS_FILE, load_readings

#: Tables that scoring writes.
SCORED = ("ledger", "gaps", "claims", "claim_parts")


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
) -> Evidence:
    """Check a paper's fetched files and view files; return what its results must be made from.

    ``options`` is what the configuration asks of single data sets' builders. A fetched file, a
    provenance or a view file that is not what it was made as raises a ``FetchError``.
    """
    jobs, raw, views, results = jobs_of(paper), *folders
    behind = {job.place: {k: registry.resolve(k)[0] for k in view_keys_behind(job)} for job in jobs}
    datasets = {key: dataset for keys in behind.values() for key, dataset in keys.items()}
    each_once = {dataset.key: dataset for dataset in datasets.values()}
    provenance = {key: checked_provenance(raw / key, each) for key, each in each_once.items()}
    for view_key, dataset in sorted(datasets.items()):
        made_of, asked = provenance[dataset.key], options.get(dataset.key, {})
        check_views(views / f"{view_key}.npz", made_of, views_code(dataset), asked)
    made = {
        job.place: {
            "made_from": inputs_of(job, settings, views_dir=views, results_dir=results),
            "datasets": sorted({dataset.key for dataset in behind[job.place].values()}),
        }
        for job in jobs
    }
    return Evidence(made, provenance)


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
        if not path.is_file():
            shown = path.as_posix()
            raise LedgerError(f"{shown} is not there; run `snakemake --cores all {shown}`")
        frame = read_rows(path, tables_of(paper))
        try:
            check_result(path, frame, made_from)
        except CustodyError as error:
            problems.append(str(error))
        # a ledger never shows a place of this machine
        place = shown_path(path)
        if Path(place).is_absolute():
            place = path.relative_to(results.parent).as_posix()
        files[place] = FileFacts(made_from["code"], f"{paper}/{job}")
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
    compared["provenance"] = compared["dataset"].map(lambda key: facts[key].kind)
    listed = load_claims_file(paper, claims)
    scored, parts = score_claims(paper, compared, listed, checks or open_module(paper, "claims"))
    target = Path(output) if output is not None else folder / paper
    told = {key: {**asdict(facts[key]), "reason": facts[key].reason} for key in sorted(facts)}
    write_json(target / "provenance.json", told)
    for name, table in zip(SCORED, (ledger, gaps, scored, parts), strict=True):
        write_text(target / f"{name}.csv", table_text(table))
    sources = [MARGINS, *(own / name for name in (READINGS_FILE, "paper.yaml", "published.csv"))]
    sources.append(Path(claims or own / "claims.yaml"))
    custody = {
        "jobs": {job: scored_digests(folder / paper / f"{job}.csv") for job in sorted(jobs)},
        "made_from": {path.name: sha256_of(path) for path in sources},
        "provenance": {key: digest_of(provenance[key]) for key in sorted({*facts} & {*provenance})},
        "holds": {name: sha256_of(target / f"{name}.csv") for name in SCORED},
    }
    write_json(target / "scored.json", custody)
    return ledger, scored


def scored_digests(table: Path) -> dict[str, str]:
    """Return the digests of a result's two files that are the same in every run."""
    return {"table": sha256_of(table), "details": sha256_of(table.with_suffix(".json"))}
