"""Score a paper: every published cell gets a verdict, every published claim a test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from reproduction.data.provenance import sha256_of
from reproduction.files import write_json, write_text
from reproduction.results.custody import CustodyError, check_result, digest_of
from reproduction.results.published import load_published
from reproduction.results.rows import read_rows, table_text
from reproduction.results.tables import Tables
from reproduction.rooms import Difference, find_paper, open_module, room, tables_of
from reproduction.verdicts.claim_file import load_claims_file
from reproduction.verdicts.claim_scores import score_claims
from reproduction.verdicts.data_facts import (
    DataFacts,
    combined_facts,
    data_facts,
    published_name,
)
from reproduction.verdicts.gaps import gap_table
from reproduction.verdicts.ledger import FileFacts, LedgerError, build_ledger
from reproduction.verdicts.margins import MARGINS, load_margins
from reproduction.verdicts.readings import READINGS_FILE, load_readings
from reproduction.verdicts.rule import rule_digest
from reproduction.verdicts.words import DATA, worst

#: Tables that scoring writes.
SCORED = ("ledger", "gaps", "claims", "claim_parts")
_ROW_COLUMNS = ("paper", "dataset", "table", "method", "role", "metric", "reading", "run", "value")


def _shown(path: Path, results: Path) -> str:
    """Path as a ledger may show it: relative to the project, never a place of this machine."""
    if not path.is_absolute():
        return path.as_posix()
    if path.is_relative_to(Path.cwd()):
        return path.relative_to(Path.cwd()).as_posix()
    return path.relative_to(results.parent).as_posix()


def read_results(
    paper: str, results: Path, jobs: Mapping[str, Mapping[str, Any]]
) -> tuple[pd.DataFrame, dict[str, FileFacts]]:
    """Read the result files of the given jobs; each must be what its job made of what is here.

    ``jobs`` says for ``"<dataset>/<name>"`` what its stamp must carry (``made_from``) and which
    ``datasets`` it reads.
    """
    frames = []
    files: dict[str, FileFacts] = {}
    problems: list[str] = []
    for job in sorted(jobs):
        path = results / paper / f"{job}.csv"
        made_from: Mapping[str, Any] = jobs[job].get("made_from", {})
        try:
            frame = _checked_rows(path, tables_of(paper), made_from)
        except CustodyError as error:
            problems.append(str(error))
            continue
        place = _shown(path, results)
        code = str(made_from.get("code", ""))
        files[place] = FileFacts(place, code, f"{paper}/{job}")
        frames.append(frame.assign(source=place))
    if problems:
        raise LedgerError("\n".join(problems))
    if not frames:
        raise LedgerError(f"{paper} has no jobs to score")
    return pd.concat(frames, ignore_index=True), files


def _checked_rows(path: Path, tables: Tables, made_from: Mapping[str, Any]) -> pd.DataFrame:
    """Read one result file and compare it with its stamp."""
    if not path.is_file():
        raise LedgerError(
            f"{path.as_posix()} is not there; run `snakemake --cores all {path.as_posix()}`"
        )
    frame = read_rows(path, tables)
    lacking = [name for name in _ROW_COLUMNS if name not in frame.columns]
    if lacking:
        raise LedgerError(f"{path.as_posix()} has no column {', '.join(lacking)}; remake it")
    check_result(path, frame, made_from)
    return frame


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
    used = {str(key) for job in jobs.values() for key in job.get("datasets", ())}
    mentioned = set(rows["dataset"])
    for key in sorted(used | {key for key in mentioned if key in registry}):
        if key not in provenance:
            raise LedgerError(f"data set {key}: no provenance given; its cells cannot be judged")
        facts[key] = data_facts(key, registry[key], provenance[key])
        if key in differences:
            found, known = facts[key], differences[key]
            kind = worst((found.kind, known.data), DATA)
            if kind != found.kind:
                facts[key] = replace(found, kind=kind, differences=known.text)
    for key in sorted(mentioned - set(facts)):
        read = {
            str(name)
            for job, entry in jobs.items()
            if job.partition("/")[0] == key
            for name in entry.get("datasets", ())
        }
        # a job made from other jobs' results alone may rest on any data set of the paper
        facts[key] = combined_facts(key, [facts[name] for name in sorted(read or used)])
    return facts


def judge_cells(
    paper: str,
    rows: pd.DataFrame,
    files: Mapping[str, FileFacts],
    facts: Mapping[str, DataFacts],
    registry: Any,
    *,
    partial: bool = False,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the ledger of a paper and its gaps between methods."""
    published, card, tables = load_published(paper), find_paper(paper), tables_of(paper)
    choices, margins = load_readings(paper, published, tables), load_margins()
    known = [key for key in set(published["dataset"]) if key in registry]
    ledger = build_ledger(
        card,
        rows,
        published,
        margins,
        facts,
        files,
        tables=tables,
        choices=choices,
        names={key: published_name(registry[key], key) for key in known},
        rule=rule_digest(),
        partial=partial,
    )
    return ledger, gap_table(card, ledger, rows, published, margins, choices, tables)


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
    """Judge all cells and claims of a paper; write the tables, provenance and custody.

    ``scored.json`` has the digests of what was scored: files that older jobs left behind are not
    among it, and the pages show nothing else.

    ``jobs`` are as :func:`read_results` takes them, ``provenance`` the checked one of every data
    set; ``claims`` and ``checks`` are others than the paper's own, for tests. ``partial`` allows
    published cells that no job produced (``not run``).

    Returns the ledger and the claims; the files are written only when both are complete.
    """
    folder = Path(results)
    rows, files = read_results(paper, folder, jobs)
    facts = paper_facts(rows, jobs, registry, provenance, find_paper(paper).differences)
    ledger, gaps = judge_cells(paper, rows, files, facts, registry, partial=partial)
    compared = rows.drop(columns="source")
    compared["provenance"] = compared["dataset"].map(lambda key: facts[key].kind)
    scored, parts = score_claims(
        paper,
        compared,
        load_claims_file(paper, claims),
        checks if checks is not None else open_module(paper, "claims"),
    )
    target = Path(output) if output is not None else folder / paper
    write_json(target / "provenance.json", {key: facts[key].as_dict() for key in sorted(facts)})
    for name, table in zip(SCORED, (ledger, gaps, scored, parts), strict=True):
        write_text(target / f"{name}.csv", table_text(table))
    own = room(paper)
    sources = [
        claims or own / "claims.yaml",
        MARGINS,
        own / READINGS_FILE,
        own / "paper.yaml",
        own / "published.csv",
    ]
    custody = {
        "jobs": {job: scored_digests(folder / paper / f"{job}.csv") for job in sorted(jobs)},
        "made_from": {Path(path).name: sha256_of(Path(path)) for path in sources},
        "provenance": {key: digest_of(provenance[key]) for key in sorted({*facts} & {*provenance})},
        "holds": {name: sha256_of(target / f"{name}.csv") for name in SCORED},
    }
    write_json(target / "scored.json", custody)
    return ledger, scored


def scored_digests(table: Path) -> dict[str, str]:
    """Return the digests of a result's two files that are the same in every run."""
    return {"table": sha256_of(table), "details": sha256_of(table.with_suffix(".json"))}
