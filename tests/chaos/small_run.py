"""A whole run in seconds: one small paper on files of its own, from fetched files to manifest."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reproduction.data.build import build_views
from reproduction.data.fetch import fetch
from reproduction.data.registry import load_registry
from reproduction.files import write_text
from reproduction.pages.figures import standalone_svg
from reproduction.pages.overview import summary_markdown, verdict_alt, verdict_figure
from reproduction.pages.stamp import page_stamp
from reproduction.results.jobs import jobs_of
from reproduction.results.rows import read_table
from reproduction.results.runner import run_job
from reproduction.rooms import PAPERS
from reproduction.verdicts.chain import Folders, gather
from reproduction.verdicts.margins import MARGINS
from reproduction.verdicts.readings import READINGS_FILE
from reproduction.verdicts.score import score_paper
from reproduction.workflow.config import Config, read_config
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
SETTINGS = {
    "draws": 3, "choice_draws": 2, "rounds": 2, "pool": 20, "positive": 3, "negative": 5,
    "smoothing_grid": [1.0],
}  # fmt: skip


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

    @property
    def room(self) -> Path:
        return self.root / "papers" / PAPER

    @property
    def margins(self) -> Path:
        return self.root / "margins.yaml"

    @property
    def settings_file(self) -> Path:
        return self.root / "config.yaml"

    def config(self) -> Config:
        from reproduction.workflow.config import read_config_files

        return read_config(read_config_files([self.settings_file]))

    def registry(self):
        return load_registry([self.root / "registry"])

    def scored(self, name: str) -> Path:
        return self.folders.results / PAPER / name

    def copy(self, target: Path) -> SmallRun:
        shutil.copytree(self.root, target)
        return SmallRun(target)

    def problems(self) -> list[str]:
        """What `verify` finds broken; an input that cannot even be read counts."""
        return self.verified().problems

    def verified(self) -> Chain:
        return verify(Chain(self.config(), (PAPER,), self.registry(), self.folders, self.reports))


def write_inputs(run: SmallRun, rng: np.random.Generator) -> None:
    """Write registry, own files, rooms, rules and settings."""
    (run.root / "registry").mkdir(parents=True)
    (run.root / "registry" / f"{DATASET}.yaml").write_text(ENTRY)
    n = 80
    labels = np.where(np.arange(n) % 4 == 0, "z course", "other")
    shares = np.where(labels[:, None] == "z course", [0.8] * 4 + [0.2] * 4, [0.2] * 4 + [0.8] * 4)
    for name in ("page", "link"):
        words = (rng.random((n, 8)) < shares).astype(int)
        head = ["id", *(f"w{j}" for j in range(8)), *(["topic"] if name == "page" else [])]
        lines = [",".join(head)]
        for i in range(n):
            own = [labels[i]] if name == "page" else []
            lines.append(",".join([f"d{i}", *map(str, words[i]), *own]))
        (run.root / "registry" / f"{name}.csv").write_text("\n".join(lines) + "\n")
    (run.root / "papers" / PAPER).mkdir(parents=True)
    for file in ("paper.py", "paper.yaml", "published.csv", "claims.yaml", READINGS_FILE):
        shutil.copy(PAPERS / PAPER / file, run.room / file)
    shutil.copy(MARGINS, run.margins)
    text = "".join(f"    {key}: {value}\n" for key, value in SETTINGS.items())
    run.settings_file.write_text(f"name: small\npapers:\n  {PAPER}:\n{text}")


def write_reports(run: SmallRun) -> None:
    """Write what follows from the tables of the report."""
    ledger, gaps, claims = (
        read_table(run.reports / "tables" / f"{name}.csv") for name in ("ledger", "gaps", "claims")
    )
    summary = summary_markdown(ledger, gaps, claims, page_stamp("small"))
    write_text(run.reports / "SUMMARY.md", summary)
    svg = standalone_svg(verdict_figure(ledger, claims), "verdicts", verdict_alt(ledger, claims))
    write_text(run.reports / "verdicts.svg", svg)


def make(run: SmallRun) -> None:
    """Do what the workflow does, station after station."""
    registry, folders = run.registry(), run.folders
    settings = run.config().settings(PAPER).model_dump()
    provenance = fetch(DATASET, registry=registry, raw_dir=folders.raw)
    raw = folders.raw / DATASET
    entry = registry[DATASET]
    data = build_views(DATASET, raw_dir=raw, registry_entry=entry, provenance=provenance)
    data.save(folders.views / f"{DATASET}.npz")
    places = {"views_dir": folders.views, "results_dir": folders.results}
    for job in jobs_of(PAPER):
        run_job(job, settings, **places)
    evidence = gather(PAPER, settings, {}, registry, folders)
    score_paper(
        PAPER,
        results=folders.results,
        jobs=evidence.jobs,
        registry=registry,
        provenance=evidence.provenance,
    )
    tables = run.reports / "tables"
    tables.mkdir(parents=True)
    for name in ("ledger.csv", "gaps.csv", "claims.csv", "claim_parts.csv"):
        shutil.copy(run.scored(name), tables / name)
    write_reports(run)
    for page in ("index.html", f"{PAPER}.html"):
        write_text(run.reports / page, f"<p>{page}: cells</p>\n")
    write_manifest(
        run.reports / MANIFEST,
        run.config(),
        papers=(PAPER,),
        registry=registry,
        raw=folders.raw,
        results=folders.results,
    )


def build(root: Path, rng: np.random.Generator) -> SmallRun:
    """Make a whole small run below an empty folder."""
    run = SmallRun(root)
    write_inputs(run, rng)
    make(run)
    return run
