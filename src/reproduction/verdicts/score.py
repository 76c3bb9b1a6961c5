"""Score a paper: every published cell gets a verdict, every published claim a test."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from reproduction.data.provenance import sha256_of
from reproduction.files import read_yaml, write_json, write_text
from reproduction.results.custody import CustodyError, check_result, digest_of
from reproduction.results.published import load_published
from reproduction.results.rows import read_rows, table_text
from reproduction.results.tables import Tables
from reproduction.rooms import find_paper, open_module, room, tables_of
from reproduction.verdicts.agreement import TOLERANCES, load_tolerances
from reproduction.verdicts.claims import ClaimResult, real_rows, untestable
from reproduction.verdicts.data_facts import (
    DataFacts,
    combined_facts,
    data_facts,
    published_name,
)
from reproduction.verdicts.ledger import FileFacts, LedgerError, build_ledger

CLAIM_COLUMNS = (
    "id", "paper", "where", "statement", "verdict", "effect", "p_value", "n", "detail", "check",
)  # fmt: skip
_CLAIM_FIELDS = {"id", "where", "statement", "check", "params"}
_ROW_COLUMNS = ("paper", "dataset", "table", "method", "role", "metric", "reading", "run", "value")


Check = Callable[[pd.DataFrame, dict[str, Any]], Any]


class ClaimError(ValueError):
    """The claims file is wrong or a check failed; the text names the claim."""


def load_claims_file(paper: str, path: Path | str | None = None) -> list[dict[str, Any]]:
    """Read and check a paper's ``claims.yaml``; ids become ``<paper>.<id>``."""
    source = Path(path) if path is not None else room(paper) / "claims.yaml"
    claims = read_yaml(source)
    if not isinstance(claims, list) or not claims:
        raise ClaimError(f"{source}: holds no list of claims; a paper without claims is no paper")
    seen: set[str] = set()
    checked = []
    for entry in claims:
        name = str(entry.get("id", "?"))
        unknown = set(entry) - _CLAIM_FIELDS
        lacking = _CLAIM_FIELDS - {"params"} - set(entry)
        if unknown or lacking:
            what = f"lacks {', '.join(sorted(lacking))}" if lacking else f"has unknown {unknown}"
            raise ClaimError(f"{source}: claim {name} {what}")
        if name in seen:
            raise ClaimError(f"{source}: claim {name} is there twice; ids must be unique")
        seen.add(name)
        checked.append(
            {**entry, "id": f"{paper}.{name}", "paper": paper, "params": entry.get("params") or {}}
        )
    return checked


def check_function(claim: Mapping[str, Any], checks: Any) -> Check:
    """Return the function a claim names."""
    found: Check | None = getattr(checks, str(claim["check"]), None)
    if found is None:
        raise ClaimError(
            f"claim {claim['id']}: claims.py of {claim['paper']} has no check {claim['check']!r}"
        )
    return found


def run_check(claim: Mapping[str, Any], check: Check, rows: pd.DataFrame) -> ClaimResult:
    """Run the check of a claim; one that fails to answer is an error."""
    try:
        result = check(rows, dict(claim["params"]))
    except Exception as error:
        raise ClaimError(
            f"claim {claim['id']}: {claim['check']} failed: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(result, ClaimResult):
        raise ClaimError(f"claim {claim['id']}: {claim['check']} returned no ClaimResult")
    if result.verdict != "untestable" and math.isnan(result.effect) and not result.n:
        raise ClaimError(f"claim {claim['id']}: a verdict without an effect or a count")
    return result


def without_surrogates(
    claim: Mapping[str, Any], check: Check, rows: pd.DataFrame, result: ClaimResult
) -> ClaimResult:
    """Return what a check finds when surrogates have no vote.

    Parameters
    ----------
    claim, check
        The claim and its check.
    rows
        All rows of the paper, with their ``provenance``.
    result
        What the check found on all rows.

    Returns
    -------
    ClaimResult
        ``result`` where the real rows alone lead to the same verdict and numbers; else what they
        lead to, and "untestable" where they are too few for the check to answer.
    """
    real = real_rows(rows)
    if result.verdict == "untestable" or len(real) == len(rows):
        return result
    if real.empty:
        return untestable("all data here are surrogates, which have no vote")
    try:
        alone = run_check(claim, check, real)
    except ClaimError:  # the check answered on all rows, so it is rows that it lacks
        alone = untestable("no real data to test it on")
    if alone.verdict != "untestable" and not alone.n:
        alone = untestable("no real data to test it on")
    if (alone.verdict, alone.n) == (result.verdict, result.n) and np.array_equal(
        [alone.effect, alone.p_value], [result.effect, result.p_value], equal_nan=True
    ):
        return result
    left_out = ", ".join(sorted(set(rows["dataset"]) - set(real["dataset"])))
    return replace(alone, detail=f"surrogates ({left_out}) have no vote; {alone.detail}")


def score_claims(
    paper: str, rows: pd.DataFrame, claims: Iterable[Mapping[str, Any]], checks: Any
) -> pd.DataFrame:
    """Run the check of every claim of a paper; surrogates have no vote.

    ``checks`` holds the functions the claims name: the paper's ``claims`` module.
    """
    records = []
    for claim in claims:
        check = check_function(claim, checks)
        result = without_surrogates(claim, check, rows, run_check(claim, check, rows))
        text = {key: " ".join(str(claim[key]).split()) for key in ("where", "statement")}
        records.append(
            {
                "id": claim["id"],
                "paper": paper,
                **text,
                **{key: getattr(result, key) for key in ("verdict", "effect", "p_value", "n")},
                "detail": " ".join(result.detail.split()),
                "check": claim["check"],
            }
        )
    return pd.DataFrame(records, columns=list(CLAIM_COLUMNS))


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

    Parameters
    ----------
    paper
        Key of the paper.
    results
        Results folder.
    jobs
        ``"<dataset>/<name>"`` -> ``{"made_from": digests its stamp must carry, "datasets": [keys
        read]}``.
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
        files[place] = FileFacts(place, str(made_from.get("code", "")), f"{paper}/{job}")
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
    differences: Mapping[str, str],
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
        if key in differences and facts[key].kind == "original":
            facts[key] = replace(
                facts[key], kind="differs", comparable=False, differences=differences[key]
            )
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


def score_paper(
    paper: str,
    *,
    results: Path | str,
    jobs: Mapping[str, Mapping[str, Any]],
    registry: Any,
    provenance: Mapping[str, Mapping[str, Any]],
    tolerances: Path | str = TOLERANCES,
    claims: Path | str | None = None,
    checks: Any = None,
    partial: bool = False,
    output: Path | str | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Judge all cells and claims of a paper and write ledger, claims, provenance and custody.

    ``scored.json`` has the digests of what was scored: files that older jobs left behind are not
    among it, and the pages show nothing else.

    Parameters
    ----------
    paper, results
        Key of the paper; results folder with the files ``<paper>/<dataset>/<name>.csv``.
    jobs
        ``"<dataset>/<name>"`` -> ``{"made_from": {...}, "datasets": [...]}``: what the file must
        be made from and the data sets it depends on.
    registry
        Data set key -> registry entry.
    provenance
        Data set key -> its checked provenance.
    tolerances, claims, checks
        Other files and functions than the project's and the paper's own, for tests.
    partial
        Allow published cells that no job produced (verdict ``not run``).
    output
        Folder to write to (default: the paper's folder of results).

    Returns the ledger and the claims; the files are written only when both are complete.
    """
    folder = Path(results)
    published = load_published(paper)
    rows, files = read_results(paper, folder, jobs)
    facts = paper_facts(rows, jobs, registry, provenance, find_paper(paper).differences)
    known = [key for key in set(published["dataset"]) if key in registry]
    ledger = build_ledger(
        paper,
        rows,
        published,
        load_tolerances(tolerances),
        facts,
        files,
        names={key: published_name(registry[key], key) for key in known},
        tables=tables_of(paper),
        partial=partial,
    )
    rows["provenance"] = rows["dataset"].map(lambda key: facts[key].kind)
    scored = score_claims(
        paper,
        rows.drop(columns="source"),
        load_claims_file(paper, claims),
        checks if checks is not None else open_module(paper, "claims"),
    )
    target = Path(output) if output is not None else folder / paper
    write_json(target / "provenance.json", {key: facts[key].as_dict() for key in sorted(facts)})
    write_text(target / "claims.csv", table_text(scored))
    write_text(target / "ledger.csv", table_text(ledger))
    sources = [claims or room(paper) / "claims.yaml", tolerances, room(paper) / "published.csv"]
    custody = {
        "jobs": {job: scored_digests(folder / paper / f"{job}.csv") for job in sorted(jobs)},
        "made_from": {Path(path).name: sha256_of(Path(path)) for path in sources},
        "provenance": {key: digest_of(provenance[key]) for key in sorted({*facts} & {*provenance})},
        "holds": {name: sha256_of(target / f"{name}.csv") for name in ("ledger", "claims")},
    }
    write_json(target / "scored.json", custody)
    return ledger, scored


def scored_digests(table: Path) -> dict[str, str]:
    """Return the digests of a result's two files that are the same in every run."""
    return {"table": sha256_of(table), "details": sha256_of(table.with_suffix(".json"))}
