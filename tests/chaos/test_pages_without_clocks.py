"""Two runs with the same results write the same pages, however long they took."""

import nbformat
import numpy as np
import pandas as pd
import pytest
from small_run import PAPER, build

from reproduction.files import ROOT
from reproduction.pages.page import write_page
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
