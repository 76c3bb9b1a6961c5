"""Two runs with the same results write the same pages, however long they took."""

import nbformat
import numpy as np
import pandas as pd
import pytest
from small_run import PAPER, build

from reproduction.files import ROOT
from reproduction.pages.page import results_folder, write_page
from reproduction.pages.times import TABLE, times_frame, write_times
from reproduction.workflow.manifest import report_files

pytestmark = pytest.mark.xdist_group("tampering")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return build(tmp_path_factory.mktemp("clocks") / "run", np.random.default_rng(0))


def slow_down(run, factor):
    """Let every row of the run have taken some time, longer with a larger factor."""
    for path in run.folders.results.rglob("*.timing.csv"):
        rows = pd.read_csv(path.with_name(path.name.replace(".timing", "")), keep_default_na=False)
        rows["seconds"] = [factor * (number + 1) for number in range(len(rows))]
        rows.assign(iterations=3).to_csv(path, index=False, lineterminator="\n")


def test_pages_are_the_same_and_times_are_not(run, tmp_path):
    written = []
    for factor in (0.001, 37.5):
        slow_down(run, factor)
        page, times = tmp_path / f"{factor}" / f"{PAPER}.html", tmp_path / f"{factor}" / "times"
        notebook = ROOT / "notebooks" / f"{PAPER}.ipynb"
        write_page(notebook, page, results=run.folders.results, stamp={"Code": "1"})
        write_times(times, papers=(PAPER,), results=run.folders.results)
        written.append((page.read_bytes(), (times / TABLE).read_bytes()))
    assert written[0][0] == written[1][0]
    assert written[0][1] != written[1][1]


def test_times_are_counted_and_added_up(run, tmp_path):
    slow_down(run, 2.0)
    write_times(tmp_path / "times", papers=(PAPER,), results=run.folders.results)
    table = pd.read_csv(tmp_path / "times" / TABLE)
    files = run.folders.results.rglob("*.timing.csv")
    timed = pd.concat([pd.read_csv(path) for path in files])
    assert table["count"].sum() == len(timed) > 0
    assert table["sum"].sum() == pytest.approx(timed["seconds"].sum(), rel=1e-3)
    assert (table["median"] <= table["largest"]).all()
    for path in run.folders.results.rglob("*.timing.csv"):  # a paper that times nothing
        path.write_text(path.read_text().splitlines()[0] + "\n")
    with results_folder(run.folders.results):
        assert times_frame(PAPER).empty


def test_a_page_that_reads_the_clock_is_refused(run, tmp_path):
    cell = f"from reproduction.pages.results import load_timings\nload_timings({PAPER!r})"
    notebook = tmp_path / "clock.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell)]), notebook)
    with pytest.raises(Exception, match="a page shows no measured times"):
        write_page(notebook, tmp_path / "p.html", results=run.folders.results, stamp={})


def test_the_manifest_leaves_times_out(tmp_path):
    for name in ("index.html", "times/times.csv", "tables/ledger.csv", "MANIFEST.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert report_files(tmp_path) == ["index.html", "tables/ledger.csv"]
