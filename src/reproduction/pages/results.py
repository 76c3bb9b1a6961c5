"""Read what the workflow wrote: tidy rows, ledgers, claims, details, run times.

The folder is the environment variable ``MANYVIEWS_RESULTS``, or the nearest one found upward from
the working directory: ``results``, else ``build/quick/results`` of a quick run.
"""

import json
import os
import warnings
from functools import cache, partial
from pathlib import Path
from typing import Any

import pandas as pd

from reproduction.files import ROOT
from reproduction.results.rows import read_rows, read_table
from reproduction.rooms import find_paper, paper_keys, tables_of

#: Names the folder of results.
RESULTS = "MANYVIEWS_RESULTS"
QUICK = "build/quick/results"
#: Names the configuration that made them.
CONFIGURATION = "MANYVIEWS_CONFIGURATION"
#: Set while a notebook is executed for a page.
NO_CLOCKS = "MANYVIEWS_WITHOUT_CLOCKS"
FULL = "full"  #: the configuration with the papers' own settings


def results_root() -> Path:
    """Folder of the results; an error that says what to do when there is none."""
    here = Path.cwd()
    names = ("results", QUICK)
    above = [folder / name for folder in (here, *here.parents) for name in names]
    places = [Path(os.environ[RESULTS]).resolve()] if os.environ.get(RESULTS) else above
    for place in places:
        if place.is_dir():
            if place.match(QUICK) and not os.environ.get(RESULTS):
                warnings.warn(f"these are the results of a quick run: {place}", stacklevel=2)
            return place
    raise ValueError(f"no folder {places[0]}; run `make quick`, or set {RESULTS}")


def snakemake_command(target: str) -> str:
    """Command that remakes a target, in the configuration that made the results."""
    name = os.environ.get(CONFIGURATION, "")
    file = f"config/{name.partition(',')[0]}.yaml"
    overlay = f" --configfile {file}" if (ROOT / file).is_file() else ""
    return f"snakemake --cores all {target}{overlay}".rstrip()


def result_target(paper: str, file: str) -> str:
    """Target of a file beside a paper's ledger, such as ``results/mvplsa/claims.csv``."""
    targets = [target for target in load_ledger(paper)["target"] if target]
    folder = targets[0].rpartition(f"/{paper}/")[0] if targets else "results"
    return f"{folder}/{paper}/{file}"


def need(path: Path, target: str) -> Path:
    """Return a path; where nothing is there, an error that says how to make it."""
    if not path.is_file():
        raise ValueError(f"{path} is not there; make it with `snakemake --cores all {target}`")
    return path


def _concatenate(frames: list[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat([frame for frame in frames if len(frame)] or frames[:1], ignore_index=True)


def load_provenance(paper: str) -> dict[str, dict[str, Any]]:
    """Where each data set of a paper came from: data set key -> kind, source, difference."""
    path = results_root() / paper / "provenance.json"
    return _read_provenance(path, path.stat().st_mtime_ns) if path.is_file() else {}


@cache
def _read_provenance(path: Path, changed: int) -> dict[str, dict[str, Any]]:
    """Read the file once for every time it changed: names ask for it row by row."""
    return dict(json.loads(path.read_text(encoding="utf-8")))


def scored_files(paper: str, ending: str = ".csv") -> list[Path]:
    """Files of the jobs that were scored; what older jobs left in the folder is not read."""
    folder = results_root() / paper
    scored = need(folder / "scored.json", f"results/{paper}/scored.json")
    jobs = json.loads(scored.read_text(encoding="utf-8"))["jobs"]
    return [path for path in (folder / f"{job}{ending}" for job in sorted(jobs)) if path.is_file()]


@cache
def _read_rows(path: Path, changed: int, paper: str) -> pd.DataFrame:
    """Read a file once for every time it changed; who gets the frame must not change it."""
    return read_rows(path, tables_of(paper))


def load_results(paper: str) -> pd.DataFrame:
    """All typed rows of a paper, with the column ``provenance``."""
    files = scored_files(find_paper(paper).key)
    frames = [_read_rows(path, path.stat().st_mtime_ns, paper) for path in files]
    rows = _concatenate(frames)
    known = {key: str(entry.get("kind", "")) for key, entry in load_provenance(paper).items()}
    rows["provenance"] = rows["dataset"].map(lambda key: known.get(key, "")).astype("str")
    return rows


def _scored(name: str, paper: str | None = None) -> pd.DataFrame:
    """A table that scoring wrote, of one paper or of all."""
    keys = paper_keys() if paper is None else (find_paper(paper).key,)
    places = {key: need(results_root() / key / name, f"results/{key}/{name}") for key in keys}
    frames = [read_table(path, tables_of(key).numbers) for key, path in places.items()]
    return _concatenate(frames)


#: One row per published cell, of one paper or of all; so with the others.
load_ledger = partial(_scored, "ledger.csv")
load_claims = partial(_scored, "claims.csv")
#: One row per single part of a claim.
load_claim_parts = partial(_scored, "claim_parts.csv")
#: One row per gap between a paper's own method and another.
load_gaps = partial(_scored, "gaps.csv")


def load_details(paper: str, dataset: str, name: str) -> dict[str, Any]:
    """Free-form details a job wrote beside its rows (searches, top words, notes)."""
    place = f"{paper}/{dataset}/{name}"
    path = need(results_root() / f"{place}.json", f"results/{place}.csv")
    return dict(json.loads(path.read_text(encoding="utf-8")))


def load_timings(paper: str) -> pd.DataFrame:
    """Seconds and iterations of all runs of a paper; refused while a page is written."""
    if os.environ.get(NO_CLOCKS):
        raise ValueError(
            "a page shows no measured times; draw them in times.py of the paper's room, which "
            "writes into reports/times/, and link to that"
        )
    frames = [read_rows(path, tables_of(paper)) for path in scored_files(paper, ".timing.csv")]
    return _concatenate(frames)
