"""A complete results folder made of invented numbers, for the tests of the ledger and the pages."""

import json
import sys
import types
from pathlib import Path

import numpy as np
import pandas as pd

from reproduction.results.rows import PAPERS, read_table
from reproduction.verdicts.claims import ClaimResult, untestable
from reproduction.verdicts.ledger import SCORES
from reproduction.verdicts.score import score_paper

ROOT = Path(__file__).resolve().parents[1]
PUBLISHED = ROOT / "data" / "published"
CODE = "feedface"
CLAIMS_MODULE = "reproduction.verdicts.claims.invented"
#: Published label -> (registry key, source, comparable); the others are plain originals.
SPECIAL = {
    "Product Review": ("product_review", "surrogate", "no"),
    "TVGraz": ("tvgraz", "surrogate", "no"),
    "NUS-Wide Object": ("nus_wide", "surrogate", "no"),
    "Reuters Multilingual": ("reuters", "mirror", "subset"),
    "NELL_mv": ("nell_mv", "surrogate", "no"),
    "NELL_mv level=2": ("nell_mv", "surrogate", "no"),
    "NELL_mv level=3": ("nell_mv", "surrogate", "no"),
    "all": ("all", "", ""),
}


def _claims_module() -> None:
    """Checks for the invented claims, importable by the name the claims file gives."""
    module = types.ModuleType(CLAIMS_MODULE)
    module.holds = lambda rows, params: ClaimResult("holds", 1.5, 0.01, len(rows), "an ordering")
    module.nothing = lambda rows, params: untestable("its data was never published")
    module.broken = lambda rows, params: rows["no such column"]
    sys.modules[CLAIMS_MODULE] = module


def key_of(label: str) -> str:
    return SPECIAL.get(label, (label.lower().replace(" ", "_"), "", ""))[0]


class Tree:
    """Results of all papers: one job per data set, three runs a cell, seeded by hand."""

    def __init__(
        self, folder: Path, papers: tuple[str, ...] = PAPERS, runs: int = 3, noise: float = 1.0
    ) -> None:
        self.results = folder / "results"
        self.raw = folder / "raw"
        self.claims = folder / "claims.yaml"
        self.published = read_table(PUBLISHED / "results.csv")
        self.registry: dict[str, dict[str, object]] = {}
        self.jobs: dict[str, dict[str, dict[str, object]]] = {paper: {} for paper in PAPERS}
        _claims_module()
        rng = np.random.default_rng(7)
        for paper in papers:
            cells = self.published[self.published["paper"] == paper]
            groups = dict(iter(cells.groupby(cells["dataset"].map(key_of))))
            for key in sorted(groups, key=lambda name: (name == "all", name)):
                self._add_job(paper, str(key), groups[key], rng, runs, noise)
            if paper == "twoview_pa":
                self._add_stand_in(paper)
        self._write_claims()

    def _add_data(self, key: str, label: str) -> None:
        _, source, comparable = SPECIAL.get(label, ("", "mirror", "same"))
        self.registry[key] = {
            "published_name": label.split(" level=")[0],
            "role": "paper",
            "comparable": comparable,
            "differences": "None known." if comparable == "same" else "Six hundred of many.",
            "stands_in_for": None,
        }
        self._write_provenance(key, source)

    def _write_provenance(self, key: str, source: str) -> None:
        place = self.raw / key / "PROVENANCE.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps({"dataset": key, "source": source}))

    def _add_stand_in(self, paper: str) -> None:
        self.registry["opinion_spam"] = {
            "published_name": None, "role": "stand_in", "comparable": "no",
            "differences": "Hotel reviews.", "stands_in_for": "product_review",
        }  # fmt: skip
        self._write_provenance("opinion_spam", "mirror")
        row = {
            "paper": paper, "dataset": "opinion_spam", "label": "", "table": "2",
            "setting": "5-fold;C=0.1;gamma=0.5", "method": "PA Cat", "metric": "f1_pct",
            "reading": "paper", "run": 0, "value": 88.0,
        }  # fmt: skip
        self._write_job(paper, "opinion_spam", pd.DataFrame([row]), ["opinion_spam"])

    def _add_job(self, paper, key, part, rng, runs, noise) -> None:
        labels = list(dict.fromkeys(part["dataset"]))
        if key != "all":
            self._add_data(key, labels[0])
        records = []
        for cell in part.to_dict("records"):
            scale = 0.02 if cell["metric"] in ("map_at_10", "view_agreement", "p_value") else 1.0
            shift = rng.normal(0, 2.5 * noise * scale)
            for run in range(runs):
                value = float(cell["mean"]) + shift + rng.normal(0, 0.5 * noise * scale)
                if cell["metric"] == "p_value":
                    value = abs(value)
                label = cell["dataset"] if " level=" in cell["dataset"] or key == "all" else ""
                records.append(
                    {
                        "paper": paper,
                        "dataset": key,
                        "label": label,
                        "table": cell["table"],
                        "setting": cell["setting"],
                        "method": cell["method"],
                        "metric": cell["metric"],
                        "reading": "paper",
                        "run": run,
                        "value": value,
                    }
                )
            if cell["metric"] in SCORES:
                base = records[-1]
                guess = 0.1 if cell["metric"] == "map_at_10" else 30.0
                records.append({**base, "method": "control:majority", "run": 0, "value": guess})
                records.append({**base, "reading": "scored=unlabelled"})
        frame = pd.DataFrame(records).drop_duplicates(
            ["label", "table", "setting", "method", "metric", "reading", "run"]
        )
        own = {str(name) for job in self.jobs[paper].values() for name in job["datasets"]}
        self._write_job(paper, key, frame, sorted(own) if key == "all" else [key])

    def _write_job(self, paper: str, key: str, frame: pd.DataFrame, datasets: list[str]) -> None:
        place = self.results / paper / key / "main.csv"
        place.parent.mkdir(parents=True, exist_ok=True)
        frame.to_csv(place, index=False, lineterminator="\n")
        place.with_suffix(".json").write_text(json.dumps({"stamp": {"code": CODE}, "note": 1}))
        timing = frame.assign(seconds=0.5, iterations=12)
        timing.to_csv(place.with_suffix(".timing.csv"), index=False, lineterminator="\n")
        self.jobs[paper][f"{key}/main"] = {"code": CODE, "datasets": datasets}

    def _write_claims(self) -> None:
        lines = ["claims:"]
        for paper in PAPERS:
            for name in ("holds", "nothing"):
                lines += [
                    f"  - id: {paper}.{name}",
                    f"    paper: {paper}",
                    "    where: Section 5",
                    "    statement: The proposed method is ahead of the others.",
                    f"    check: {CLAIMS_MODULE}:{name}",
                ]
        self.claims.write_text("\n".join(lines) + "\n")

    def file(self, paper: str, key: str) -> Path:
        return self.results / paper / key / "main.csv"

    def score(self, paper: str, **options):
        return score_paper(
            paper,
            results=self.results,
            jobs=self.jobs[paper],
            registry=self.registry,
            provenance={key: self.raw / key / "PROVENANCE.json" for key in self.registry},
            published=PUBLISHED / "results.csv",
            tolerances=PUBLISHED / "tolerances.yaml",
            claims=self.claims,
            **options,
        )

    def score_all(self) -> None:
        for paper in PAPERS:
            self.score(paper)
