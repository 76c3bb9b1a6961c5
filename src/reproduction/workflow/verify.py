"""Walk the chain of custody: do the reports here follow from what is here?

The reports are compared with their manifest, with each other and with what the papers' rooms hold,
and every verdict is judged once more from the rows. With results the whole chain is walked: fetched
files, views, results, verdicts, reports; a fresh clone has the rows of ``rows.zip`` alone. Nothing
is written and no network is used. What it cannot prove: that rows with a stamp of their own were
ever measured; ``rerun`` fits some jobs once more and compares. ``remake`` writes verdicts and pages
once more from the rows: minutes, and no data.
"""

import html
import json
import random
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manyviews.seeding import reseeded
from reproduction.data.provenance import sha256_of
from reproduction.data.registry import Registry
from reproduction.files import ROOT, shown_path
from reproduction.pages.front import outcome_words
from reproduction.pages.overview import summary_markdown, write_overview
from reproduction.pages.page import write_page
from reproduction.pages.stamp import code_stamp, page_stamp
from reproduction.results.jobs import jobs_of
from reproduction.results.rows import read_table
from reproduction.results.runner import run_job
from reproduction.rooms import tables_of
from reproduction.verdicts.chain import SCORED, Folders, judge
from reproduction.workflow.config import Config
from reproduction.workflow.manifest import (
    MANIFEST,
    environment_here,
    inputs_here,
    report_files,
    write_manifest,
)
from reproduction.workflow.rows import ROWS, unpacked

_AGAIN = "run the workflow again, or restore the file"


@dataclass
class Chain:
    """What is verified: configuration, papers, data sets, and where everything lies."""

    config: Config
    papers: tuple[str, ...]
    registry: Registry
    folders: Folders
    reports: Path
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    has_results: bool = False
    other_code: bool = False

    @property
    def status(self) -> int:
        """Exit code: 0 follows, 1 broken, 3 follows from rows without data, 4 by other code."""
        if self.other_code:  # what else differs may follow from that
            return 4
        return 1 if self.problems else 0 if self.has_results else 3


def verify(chain: Chain) -> Chain:
    """Walk the chain; ``problems`` of the chain that is returned is empty when it holds."""
    path = chain.reports / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        stamp, inputs, results, reports = (
            manifest[name] for name in ("stamp", "inputs", "results", "reports")
        )
    except (OSError, ValueError, TypeError, KeyError):
        end = "is missing or no manifest; run the workflow to its end"
        chain.problems.append(f"{shown_path(path)} {end}")
        return chain
    chain.problems += _files(chain.reports, reports, report_files(chain.reports))
    chain.problems += _inputs(chain, inputs)
    chain.other_code = stamp.get("Code") != code_stamp()
    if chain.other_code:
        chain.notes.append(f"made by {stamp.get('Code')}; here is {code_stamp()}")
    made_with = manifest.get("environment", {})
    for name, here in environment_here().items():
        if made_with.get(name) != here:
            chain.notes.append(f"made with {name} {made_with.get(name)}; here is {here}")
    chain.problems += _texts(chain.reports)
    chain.has_results = any((chain.folders.results / paper).is_dir() for paper in chain.papers)
    if chain.has_results:
        chain.problems += _results(chain, chain.folders, results)
    elif not chain.other_code:
        try:
            with unpacked(chain.reports / ROWS) as folders:
                chain.problems += _results(chain, folders, results)
        except ValueError as error:
            chain.problems.append(str(error))
    return chain


def remake(config: Config, papers: tuple[str, ...], registry: Registry, reports: Path) -> None:
    """Judge all papers and write all pages again from the rows in ``reports``.

    Rows that other code or settings made are refused. Who measured them stays in the manifest.
    """
    stamp, target = page_stamp(config.title), reports / MANIFEST
    with unpacked(reports / ROWS) as folders:
        measured_with = json.loads(target.read_text(encoding="utf-8"))["environment"]
        for paper in papers:
            _judge(paper, config, registry, folders, fetched=False)
        made: dict[str, Any] = {"results": folders.results, "stamp": stamp}
        for notebook in sorted((ROOT / "notebooks").glob("*.ipynb")):
            write_page(notebook, reports / f"{notebook.stem}.html", **made)
        write_overview(reports / "index.html", **made)
        write_manifest(
            target,
            config,
            papers=papers,
            registry=registry,
            raw=folders.raw,
            results=folders.results,
            environment=measured_with,
        )


def rerun(chain: Chain, number: int) -> None:
    """Fit some jobs once more, chosen at random, and compare every byte of their rows."""
    jobs = [job for paper in chain.papers for job in jobs_of(paper)]
    views, results = chain.folders.views, chain.folders.results
    folders: dict[str, Any] = {"views_dir": views, "results_dir": results}
    for job in random.sample(jobs, min(number, len(jobs))):
        there = results / job.paper / f"{job.place}.csv"
        settings = chain.config.settings(job.paper).model_dump()
        with tempfile.TemporaryDirectory() as again:
            try:
                with reseeded(chain.config.seed):
                    made = run_job(job, settings, output_dir=Path(again), **folders)
                same = made.read_bytes() == there.read_bytes()
            except (OSError, ValueError) as error:
                chain.problems.append(f"{job.paper}/{job.place} cannot be fitted again: {error}")
                continue
        if same:
            chain.notes.append(f"{job.paper}/{job.place} fitted again, the same bytes")
        else:
            others = f"{shown_path(there)}: fitted again, its rows are others; {_AGAIN}"
            chain.problems.append(others)


def summary(chain: Chain) -> str:
    """Return the answer in one line, then a line for every broken link and for every note."""
    said = {
        0: "follows from what is here",
        1: f"does not follow from what is here: {len(chain.problems)} broken",
        3: "follows from its rows; no data and no results are here, so the fits are believed",
        4: "was made by other code than is here; make it again to know whether it follows",
    }
    head = f"{shown_path(chain.reports)} {said[chain.status]}"
    return "\n".join([head, *(f"  {line}" for line in (*chain.problems, *chain.notes))])


def _files(folder: Path, listed: dict[str, str], there: Iterable[str] = ()) -> Iterator[str]:
    """Compare files with the digests of the manifest; files that it does not list are named."""
    for name, digest in listed.items():
        path = folder / name
        if not path.is_file():
            yield f"{shown_path(path)} is missing; {_AGAIN}"
        elif sha256_of(path) != digest:
            yield f"{shown_path(path)} is not the file of the manifest; {_AGAIN}"
    for name in there:
        if name not in listed:
            yield f"{shown_path(folder / name)} is not in the manifest; remove it"


def _inputs(chain: Chain, made: dict[str, Any]) -> Iterator[str]:
    """Compare what people wrote with what the reports were made from."""
    try:
        here = inputs_here(chain.config, chain.papers, chain.registry)
    except OSError as error:
        yield f"{error.filename} cannot be read ({error.strerror}); restore it"
        return
    for name in sorted({*here, *made}):
        if here.get(name) != made.get(name):
            yield f"{name} is not what the reports were made from; run the workflow again"


def _texts(reports: Path) -> Iterator[str]:
    """Compare the summary and the picture with the tables of the reports."""
    try:
        ledger, gaps, claims = (
            read_table(reports / "tables" / f"{name}.csv") for name in ("ledger", "gaps", "claims")
        )
        texts = {
            "SUMMARY.md": summary_markdown(ledger, gaps, claims, {}).partition("## This run")[0],
            "verdicts.svg": html.escape(outcome_words(ledger, claims)),
        }
        for name, text in texts.items():
            if text not in (reports / name).read_text(encoding="utf-8"):
                yield f"{name} tells something else than the tables; {_AGAIN}"
    except (OSError, KeyError, ValueError, AttributeError, IndexError, TypeError) as error:
        yield f"the tables of the reports cannot be read ({error!r}); {_AGAIN}"


def _results(chain: Chain, folders: Folders, listed: dict[str, str]) -> Iterator[str]:
    """Compare results with the manifest, and judge every paper from them once more."""
    seen = list(_files(folders.results, listed))
    yield from seen
    for paper in chain.papers:
        try:
            yield from _verdicts(chain, paper, folders)
        except FileNotFoundError as error:
            missing = f"{shown_path(Path(error.filename))} is missing; {_AGAIN}"
            if missing not in seen:  # the manifest may have named it already
                yield missing
        except (OSError, ValueError) as error:
            yield from (f"{paper}: {line.strip()}" for line in str(error).splitlines())


def _verdicts(chain: Chain, paper: str, folders: Folders) -> Iterator[str]:
    """Walk a paper's chain from fetched files to verdicts, and compare these with those here."""
    with tempfile.TemporaryDirectory() as name:
        again, own, numbers = Path(name), folders.results / paper, tables_of(paper).numbers
        fetched = chain.has_results
        _judge(paper, chain.config, chain.registry, folders, fetched=fetched, output=again)
        for file in (f"{table}.csv" for table in SCORED):
            judged = read_table(again / file, numbers)
            if not _alike(read_table(own / file, numbers), judged):
                yield f"{shown_path(own / file)} does not follow from the results; {_AGAIN}"
            reported = read_table(chain.reports / "tables" / file, numbers)
            part = reported.loc[reported["paper"] == paper, list(judged.columns)]
            if not _alike(part, judged):
                yield f"tables/{file} says something else of {paper} than its results; {_AGAIN}"
        for file in ("provenance.json", "scored.json"):
            there, made = (
                json.loads((place / file).read_text(encoding="utf-8")) for place in (own, again)
            )
            # digests of tables, which were compared
            if {**there, "holds": {}} != {**made, "holds": {}}:
                yield f"{shown_path(own / file)} does not follow from the results; {_AGAIN}"


def _judge(paper: str, config: Config, registry: Registry, folders: Folders, **more: Any) -> None:
    """Judge a paper from its rows, as configured."""
    settings, options = config.settings(paper).model_dump(), config.data.options
    how = {"seed": config.seed, "partial": config.output.partial, **more}
    judge(paper, settings, options, registry, folders, **how)


def _alike(there: pd.DataFrame, again: pd.DataFrame) -> bool:
    """Return whether two tables say the same; last digits differ from processor to processor."""
    numbers = again.select_dtypes("number").columns
    words = [name for name in again.columns if name not in numbers]
    return (
        there.shape == again.shape
        and there[words].to_numpy().tolist() == again[words].to_numpy().tolist()
        and np.allclose(there[numbers], again[numbers], rtol=1e-6, atol=1e-9, equal_nan=True)
    )
