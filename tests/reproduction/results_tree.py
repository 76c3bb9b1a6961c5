"""A complete results folder made of invented numbers, for the tests of the ledger and the pages."""

import json
import math
import types
from pathlib import Path

import numpy as np
import pandas as pd

from asprinted.margins import load_margins
from asprinted.parts import exact, untestable
from asprinted.words import DATA, worst
from reproduction.results.custody import contents_of
from reproduction.results.metrics import range_of
from reproduction.results.published import load_published
from reproduction.results.rows import read_rows, table_text
from reproduction.rooms import paper_keys, tables_of
from reproduction.verdicts.chain import score_paper

ROOT = Path(__file__).resolve().parents[2]
CODE = "feedface"
PAPERS = paper_keys()
MARGINS = load_margins()
#: Data set -> (source, comparable); the others are plain originals.
SPECIAL = {
    "product_review": ("surrogate", "no"),
    "tvgraz": ("surrogate", "no"),
    "nus_wide": ("surrogate", "no"),
    "reuters": ("mirror", "subset"),
    "nell_mv": ("surrogate", "no"),
}
#: Names in the papers' tables that differ from the keys, as far as tests look at them.
NAMES = {"cornell": "Cornell", "ads": "Ads", "reuters": "Reuters Multilingual"}

CHECKS = types.SimpleNamespace(
    holds=lambda rows, params: exact(
        True, "an ordering", data=worst(rows["provenance"], DATA), n=len(rows), effect=1.5
    ),
    nothing=lambda rows, params: untestable("its data was never published"),
    broken=lambda rows, params: rows["no such column"],
)
CLAIM = """
- id: {0}
  at: {{section: '5', paragraph: 1, sentence: 1}}
  statement: The proposed method is ahead of the others.
  origin: published
  scope: universal
  about: these data
  check: {1}
"""


def stamp_result(paper: str, table: Path, code: str = CODE) -> None:
    """Stamp a result file as the job that wrote it would."""
    details = {"note": 1}
    rows = read_rows(table, tables_of(paper))
    holds = contents_of(table.read_text(), rows, details)
    stamp = {"made_from": {"code": code}, "holds": holds}
    table.with_suffix(".json").write_text(json.dumps({**details, "stamp": stamp}))


class Tree:
    """Results of all papers: one job per data set, three runs a cell, seeded by hand."""

    def __init__(self, folder: Path, papers=PAPERS, runs: int = 3, noise: float = 1.0):
        self.results = folder / "results"
        self.raw = folder / "raw"
        self.claims = folder / "claims.yaml"
        self.papers = papers
        self.registry: dict[str, dict[str, object]] = {}
        self.jobs: dict[str, dict[str, dict[str, object]]] = {paper: {} for paper in papers}
        rng = np.random.default_rng(7)
        for paper in papers:
            groups = dict(iter(load_published(paper).groupby("dataset")))
            for key in sorted(groups, key=lambda name: (name == "all", name)):
                self._add_job(paper, str(key), groups[key], rng, runs, noise)
            if paper == "twoview_pa":
                self._add_stand_in(paper)
        self.claims.write_text(
            "".join(map(CLAIM.format, ("best", "nothing"), ("holds", "nothing")))
        )

    def _add_data(self, key: str, **facts: object) -> None:
        source, comparable = SPECIAL.get(key, ("mirror", "same"))
        self.registry[key] = {
            "name": NAMES.get(key, key), "published_name": NAMES.get(key, key), "role": "paper",
            "comparable": comparable, "stands_in_for": None,
            "differences": "None known." if comparable == "same" else "Six hundred of many.",
            **facts,
        }  # fmt: skip
        place = self.raw / key / "PROVENANCE.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps({"dataset": key, "source": source}))

    def _add_stand_in(self, paper: str) -> None:
        stands = {"role": "stand_in", "stands_in_for": "product_review", "published_name": None}
        self._add_data("opinion_spam", **stands, comparable="no", differences="Hotel reviews.")
        cell = load_published(paper).iloc[0]
        row = {
            **{name: cell[name] for name in tables_of(paper).columns if name in cell.index},
            "paper": paper, "dataset": "opinion_spam", "table": cell["table"],
            "method": cell["method"], "role": "published", "metric": cell["metric"],
            "reading": "inferred", "run": 0, "value": 88.0,
        }  # fmt: skip
        self._write_job(paper, "opinion_spam", pd.DataFrame([row]), ["opinion_spam"])

    def _add_job(self, paper, key, part, rng, runs, noise) -> None:
        if key != "all":
            self._add_data(key)
        settings = [name for name in tables_of(paper).columns if name in part.columns]
        records = []
        for cell in part.to_dict("records"):
            scale = 0.02 if cell["metric"] in ("map_at_10", "view_agreement", "p_value") else 1.0
            shift = rng.normal(0, 2.5 * noise * scale)
            base = {
                "paper": paper, "dataset": key, **{name: cell[name] for name in settings},
                **{name: cell[name] for name in ("table", "method", "metric")},
                "role": "published", "reading": "inferred",
            }  # fmt: skip
            folds = cell.get("folds", math.nan)
            # a repetition of a cross-validation has all its folds
            for run in range(runs if math.isnan(folds) else runs * int(folds)):
                value = float(cell["mean"]) + shift + rng.normal(0, 0.5 * noise * scale)
                value = float(np.clip(value, *range_of(cell["metric"])))
                records.append({**base, "run": run, "value": value})
            if MARGINS.is_score(cell["metric"]):
                guess = 0.1 if cell["metric"] == "map_at_10" else 30.0
                control = {"method": "majority", "role": "control", "run": 0, "value": guess}
                records.append({**base, **control})
                records.append({**records[-2], "reading": "another reading"})
        keys = ["table", *settings, "method", "role", "metric", "reading", "run"]
        frame = pd.DataFrame(records).drop_duplicates(keys)
        own = {str(name) for job in self.jobs[paper].values() for name in job["datasets"]}
        self._write_job(paper, key, frame, sorted(own) if key == "all" else [key])

    def _write_job(self, paper: str, key: str, frame: pd.DataFrame, datasets: list[str]) -> None:
        place = self.results / paper / key / "main.csv"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(table_text(frame))
        stamp_result(paper, place)
        place.with_suffix(".timing.csv").write_text(table_text(frame))
        self.jobs[paper][f"{key}/main"] = {"made_from": {"code": CODE}, "datasets": datasets}

    def file(self, paper: str, key: str) -> Path:
        return self.results / paper / key / "main.csv"

    def score(self, paper: str, **options):
        return score_paper(
            paper,
            results=self.results,
            jobs=self.jobs[paper],
            registry=self.registry,
            provenance={
                key: json.loads((self.raw / key / "PROVENANCE.json").read_text())
                for key in self.registry
            },
            claims=self.claims,
            checks=CHECKS,
            **options,
        )

    def score_all(self) -> None:
        for paper in self.papers:
            self.score(paper)
