"""Every way to forge a run is refused by name, and an honest run passes."""

import numpy as np
import pytest
from small_run import PAPER, build
from tampering import FORGERIES, MANIFEST, TABLE, facts, first, refusal, rooms_of, rows, sealed

from manyviews.seeding import reseeded
from reproduction.results.jobs import jobs_of
from reproduction.results.rows import read_table
from reproduction.workflow import cell
from reproduction.workflow.config import read_config
from reproduction.workflow.rows import ROWS, is_evidence, take
from reproduction.workflow.verify import rerun

pytestmark = pytest.mark.xdist_group("tampering")


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
    assert {job.name for job in jobs_of(PAPER) if is_evidence(job)} == {"choices", "trajectory"}


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
    said = cell.refit(row["cell"], run.config(), run.folders.raw, run.folders.results)
    assert f"ours      {row['ours']:.6g} ± {row['ours_std']:.4g}, {row['runs']:.0f} runs" in said
    assert f"verdict   {row['agreement']}" in said
    other = read_config({"papers": {PAPER: {"rounds": 1}}})
    said = cell.refit(row["cell"], other, run.folders.raw, run.folders.results)
    assert "verdict   not comparable (rounds: 1 in place of 30)" in said
    with pytest.raises(ValueError, match=f"near it are:\n  {PAPER}/"):
        cell.refit(row["cell"].replace("/2/", "/22/"), other, run.folders.raw, run.folders.results)
