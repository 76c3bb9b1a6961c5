"""A whole run in seconds: one small paper on files of its own, from fetched files to manifest."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from asprinted.margins import MARGINS
from reproduction.data.build import build_views
from reproduction.data.fetch import fetch
from reproduction.data.registry import load_registry
from reproduction.files import write_text
from reproduction.pages.figures import standalone_svg
from reproduction.pages.front import outcome_figure, outcome_words
from reproduction.pages.overview import summary_markdown
from reproduction.pages.stamp import page_stamp
from reproduction.results.jobs import jobs_of
from reproduction.results.rows import read_table
from reproduction.results.runner import run_job
from reproduction.rooms import PAPERS
from reproduction.verdicts.chain import SCORED, Folders, judge
from reproduction.verdicts.readings import READINGS_FILE
from reproduction.workflow.config import read_config, read_config_files
from reproduction.workflow.manifest import MANIFEST, write_manifest
from reproduction.workflow.verify import Chain, verify

PAPER, DATASET = "cotraining", "webkb_course"
ENTRY = """\
name: Pages
role: own
comparable: same
files:
  - {path: page.csv, view: page, id: id, label: topic}
  - {path: link.csv, view: link, id: id}
"""
SETTINGS = f"name: small\npapers: {{{PAPER}: {{rounds: 30}}}}\n"


@dataclass
class SmallRun:
    """Everything of a run below one folder, the papers' rooms and the rules included."""

    root: Path

    @property
    def folders(self) -> Folders:
        return Folders(self.root / "raw", self.root / "views", self.root / "results")

    @property
    def reports(self) -> Path:
        return self.root / "reports"

    def config(self):
        return read_config(read_config_files([self.root / "config.yaml"]))

    def registry(self):
        return load_registry([self.root / "registry"])

    def copy(self, target: Path, *, results: bool = True) -> "SmallRun":
        """Copy the run, or what a clone has of it."""
        shutil.copytree(self.root, target)
        for name in () if results else ("results", "views", "raw"):
            shutil.rmtree(target / name)
        return SmallRun(target)

    def verified(self) -> Chain:
        return verify(Chain(self.config(), (PAPER,), self.registry(), self.folders, self.reports))


def write_inputs(run: SmallRun, rng: np.random.Generator) -> None:
    """Write registry, own files, rooms, rules and settings."""
    registry, room = run.root / "registry", run.root / "papers" / PAPER
    registry.mkdir(parents=True)
    (registry / f"{DATASET}.yaml").write_text(ENTRY)
    labels = np.where(np.arange(80) % 4 == 0, "z course", "other")
    shares = np.where(labels[:, None] == "z course", [0.8] * 4 + [0.2] * 4, [0.2] * 4 + [0.8] * 4)
    ids = pd.Index([f"d{i}" for i in range(80)], name="id")
    for name, more in (("page", {"topic": labels}), ("link", {})):
        words = (rng.random(shares.shape) < shares).astype(int)
        frame = pd.DataFrame(words, ids).add_prefix("w").assign(**more)
        frame.to_csv(registry / f"{name}.csv", lineterminator="\n")
    room.mkdir(parents=True)
    for file in ("paper.py", "paper.yaml", "published.csv", "claims.yaml", READINGS_FILE):
        shutil.copy(PAPERS / PAPER / file, room / file)
    shutil.copy(MARGINS, run.root / "margins.toml")
    (run.root / "config.yaml").write_text(SETTINGS)


def write_reports(run: SmallRun) -> None:
    """Write what follows from the tables of the report."""
    ledger, gaps, claims = (
        read_table(run.reports / "tables" / f"{name}.csv") for name in ("ledger", "gaps", "claims")
    )
    summary = summary_markdown(ledger, gaps, claims, page_stamp("small"))
    write_text(run.reports / "SUMMARY.md", summary)
    svg = standalone_svg(outcome_figure(ledger, claims), "verdicts", outcome_words(ledger, claims))
    write_text(run.reports / "verdicts.svg", svg)


def build(root: Path, rng: np.random.Generator) -> SmallRun:
    """Make a whole small run below an empty folder, station after station."""
    run = SmallRun(root)
    write_inputs(run, rng)
    registry, folders, config = run.registry(), run.folders, run.config()
    settings = config.settings(PAPER).model_dump()
    provenance = fetch(DATASET, registry=registry, raw_dir=folders.raw)
    raw = folders.raw / DATASET
    entry = registry[DATASET]
    data = build_views(DATASET, raw_dir=raw, registry_entry=entry, provenance=provenance)
    data.save(folders.views / f"{DATASET}.npz")
    for job in jobs_of(PAPER):
        run_job(job, settings, views_dir=folders.views, results_dir=folders.results)
    judge(PAPER, settings, {}, registry, folders, seed=config.seed, partial=False)
    tables = run.reports / "tables"
    tables.mkdir(parents=True)
    for name in SCORED:
        shutil.copy(folders.results / PAPER / f"{name}.csv", tables)
    write_reports(run)
    for page in ("index.html", f"{PAPER}.html"):
        write_text(run.reports / page, f"<p>{page}: cells</p>\n")
    made = {"registry": registry, "raw": folders.raw, "results": folders.results}
    write_manifest(run.reports / MANIFEST, config, papers=(PAPER,), **made)
    return run
