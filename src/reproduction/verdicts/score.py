"""Score a paper: every published cell gets a verdict, every published claim a test."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pandas as pd

from asprinted.margins import MARGINS
from asprinted.words import DATA, worst
from reproduction.data.provenance import sha256_of
from reproduction.files import shown_path, write_json, write_text
from reproduction.results.custody import CustodyError, check_result, digest_of
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
        facts = made_from["code"], f"{paper}/{job}", jobs[job].get("changed", {})
        files[place] = FileFacts(*facts)
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
    sources = [MARGINS, *(own / name for name in (READINGS_FILE, "paper.yaml", "published.csv"))]
    sources.append(Path(claims or own / "claims.yaml"))
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
