"""A whole small run: an honest one passes, forgeries are refused by name, clocks do not show."""

import time
from dataclasses import replace
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from small_run import PAPER, build
from tampering import FORGERIES, MANIFEST, TABLE, facts, first, refusal, rooms_of, rows, sealed

from manyviews.seeding import reseeded
from reproduction.files import ROOT
from reproduction.pages.page import write_page
from reproduction.results.jobs import find_job, jobs_of
from reproduction.results.rows import read_table
from reproduction.workflow import cell
from reproduction.workflow.config import read_config
from reproduction.workflow.manifest import report_files
from reproduction.workflow.rows import ROWS, is_evidence, take
from reproduction.workflow.verify import rerun


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    # fixed data: the forgeries edit values they expect to find
    return build(tmp_path_factory.mktemp("small") / "run", np.random.default_rng(0))


def test_an_honest_run_passes_with_and_without_its_results(run, tmp_path):
    with rooms_of(run):
        chain = run.verified()
        rerun(chain, 2)
        assert (chain.status, chain.problems) == (0, [])
        assert sum("the same bytes" in note for note in chain.notes) == 2
    clone = run.copy(tmp_path / "clone", results=False)
    with rooms_of(clone):
        assert clone.verified().status == 3, clone.verified().problems
        facts(MANIFEST, lambda m: m["stamp"].update(Code="older"))(clone)
        assert clone.verified().status == 4


def test_a_run_takes_the_rows_that_it_would_make_itself(run, tmp_path):
    files, settings = run.reports / ROWS, run.config().settings(PAPER).model_dump()
    folders = {"views_dir": run.folders.views, "results_dir": tmp_path}
    for job in jobs_of(PAPER):
        assert take(job, settings, files, **folders)
        assert not take(job, settings | {"held_out": 0.5}, files, **folders)
        assert not take(job, settings, tmp_path / "no file", **folders)
        with reseeded(1):
            assert not take(job, settings, files, **folders)
        for end in (".csv", ".json"):
            place = f"{PAPER}/{job.place}{end}"
            assert (tmp_path / place).read_bytes() == (run.folders.results / place).read_bytes()
    assert {job.name for job in jobs_of(PAPER) if is_evidence(job)} == {"choices"}
    assert not is_evidence(find_job("multiview_hier", "nell_mv", "table4"))  # has times, too


def test_a_sealed_forgery_of_rows_is_found_by_fitting_again(run, tmp_path):
    forged = run.copy(tmp_path / "forged")
    with rooms_of(forged):
        sealed(rows(TABLE, first("value", "1.5")))(forged)
        chain = forged.verified()
        chain.problems.clear()
        rerun(chain, 3)
        assert "fitted again, its rows are others" in "".join(chain.problems)


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_refused_by_name(run, tmp_path, name):
    assert refusal(run, name, tmp_path / "forged"), "nobody noticed"


def test_a_cell_that_is_fitted_alone_has_the_number_of_the_run(run, tmp_path, monkeypatch):
    monkeypatch.setattr(cell, "load_registry", lambda places: run.registry())
    monkeypatch.chdir(tmp_path)  # no views here: they are built
    ledger = read_table(run.folders.results / PAPER / "ledger.csv")
    row = ledger.iloc[-1]
    start = time.perf_counter()
    said = cell.refit(row["cell"], run.config(), run.folders.raw, run.folders.results)
    assert float(said.split()[-1]) <= time.perf_counter() - start + 0.1
    assert f"ours      {row['ours']:.6g} ± {row['ours_std']:.4g}, {row['runs']:.0f} runs" in said
    assert f"verdict   {row['agreement']}" in said
    other = read_config({"papers": {PAPER: {"rounds": 1}}})
    said = cell.refit(row["cell"], other, run.folders.raw, run.folders.results)
    assert "verdict   not comparable (rounds: 1 in place of 30)" in said
    with pytest.raises(ValueError, match=f"near it are:\n  {PAPER}/"):
        cell.refit(row["cell"].replace("/2/", "/22/"), other, run.folders.raw, run.folders.results)
    job = replace(
        cell.find_job(PAPER, *Path(row["target"]).with_suffix("").parts[-2:]), after=("no",)
    )
    for name, found in (("find_job", job), ("_asked", [])):  # made of what is not there, or apart
        with monkeypatch.context() as change:
            change.setattr(cell, name, lambda *_, found=found: found)
            with pytest.raises(ValueError, match="is made of other results"):
                cell.refit(row["cell"], run.config(), run.folders.raw, run.folders.results)


def slow_down(run, factor):
    """Let every row of the run have taken some time, longer with a larger factor."""
    for path in run.folders.results.rglob("*.timing.csv"):
        rows = pd.read_csv(path.with_name(path.name.replace(".timing", "")), keep_default_na=False)
        rows["seconds"] = [factor * (number + 1) for number in range(len(rows))]
        rows.assign(iterations=3).to_csv(path, index=False, lineterminator="\n")


def test_pages_are_the_same_whatever_the_times(run, tmp_path):
    written = []
    for factor in (0.001, 37.5):
        slow_down(run, factor)
        page = tmp_path / f"{factor}" / f"{PAPER}.html"
        notebook = ROOT / "notebooks" / f"{PAPER}.ipynb"
        write_page(notebook, page, results=run.folders.results, stamp={"Code": "1"})
        written.append(page.read_bytes())
    assert written[0] == written[1]


def test_a_page_that_reads_the_clock_is_refused(run, tmp_path):
    cell = f"from reproduction.pages.results import load_timings\nload_timings({PAPER!r})"
    notebook = tmp_path / "clock.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell)]), notebook)
    with pytest.raises(Exception, match="a page shows no measured times"):
        write_page(notebook, tmp_path / "p.html", results=run.folders.results, stamp={})


def test_the_manifest_leaves_times_out(tmp_path):
    for name in ("index.html", "times/a.svg", "tables/ledger.csv", "MANIFEST.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert report_files(tmp_path) == ["index.html", "tables/ledger.csv"]
