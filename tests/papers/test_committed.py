"""The committed reports come back: first draws, tables and figures of pages, the front page.

``reports/rows.zip`` has the rows of the last whole run. Small data sets are fitted again, the real
ones, where a mirror has them.
"""

import re
import zipfile
from dataclasses import replace

import nbformat
import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from job_rows import real

from reproduction.files import ROOT
from reproduction.pages import choices
from reproduction.pages.prose import Contents, markdown_html
from reproduction.pages.results import CONFIGURATION, FULL, NO_CLOCKS, RESULTS
from reproduction.pages.said import findings_frame, load_front
from reproduction.results.jobs import Context
from reproduction.results.published import printed_methods
from reproduction.results.rows import read_rows, result_frames, table_text
from reproduction.results.settings import complete
from reproduction.rooms import paper_keys, study_of

#: Small data sets: with all of them, and all draws, it would be the whole run.
PLACES = {
    "mvplsa": ("cornell",),
    "twoview_pa": ("webkb_course",),
    "coplsa_multimodal": ("web_news",),
    "coplsa_clustering": ("reuters",),
    "multiview_hier": ("cora", "leaves", "newsgroups_tree"),
    "cotraining": ("webkb_course",),
    "sgc": ("cora_planetoid",),
}
#: They search thousands of settings a draw.
LONG = {"choices_combined", "choices_tuned"}


@pytest.fixture(scope="module")
def committed(tmp_path_factory):
    """The results of the last whole run."""
    folder = tmp_path_factory.mktemp("rows")
    with zipfile.ZipFile(ROOT / "reports/rows.zip") as archive:
        archive.extractall(folder)
    return folder / "results"


@pytest.mark.parametrize(
    ("paper", "dataset"), [(paper, each) for paper, names in PLACES.items() for each in names]
)
def test_first_draws(paper, dataset, committed, tmp_path):
    study, printed, data, told = study_of(paper), printed_methods(paper), {}, []
    jobs = [job for job in study.jobs if (job.paper, job.dataset) == (paper, dataset)]
    for job in (each for each in jobs if each.name not in LONG):
        work = study.work[dataset, job.name]
        # searches look at all draws; a draw has the same seeds however many there are
        once = [replace(plan, runs=work.first + 1) for plan in work.plans]
        plans = [plan for plan in once if plan.best is None and not plan.timed]
        for key in set(job.view_keys) - set(data):
            data[key] = real(key, tmp_path)
        before = {place: read_rows(committed / paper / f"{place}.csv", study.tables)
                  for place in job.after}  # fmt: skip
        settings = complete(study.settings, {}, size="full")
        views = {key: data[key] for key in job.view_keys}
        done = study.run(Context(job, views, settings, before), plans, work.first)
        frame = result_frames(paper, dataset, done.rows, study.tables, printed)[0]
        path = tmp_path / f"{job.name}.csv"
        path.write_text(table_text(frame))
        made = read_rows(path, study.tables)
        kept = read_rows(committed / paper / f"{job.place}.csv", study.tables)
        keys = [name for name in made if name != "value"]
        both = made.merge(kept, how="left", on=keys, suffixes=("", "_kept"))
        alike = np.isclose(both["value"], both["value_kept"], rtol=1e-6, atol=1e-9)
        told.append(both.assign(job=job.name, alike=alike))
    rows = pd.concat(told)
    # on another processor last digits differ, and seldom a decision with them
    assert rows["alike"].mean() >= 0.98, rows.loc[~rows["alike"], [*keys, "value_kept"]]
    share = rows.groupby(["job", "table", "reading", "method"])["alike"].agg(["size", "mean"])
    other = share[(share["size"] >= 4) & (share["mean"] < 0.5)]
    assert other.empty, other


@pytest.fixture
def as_a_page(committed, monkeypatch):
    """What pages read is the committed results."""
    for name, value in ((RESULTS, str(committed)), (CONFIGURATION, FULL), (NO_CLOCKS, "1")):
        monkeypatch.setenv(name, value)
    # takes minutes, and shows in no table: tests of the browser turn the switch
    monkeypatch.setattr(choices, "turned_claims", lambda paper: {})


def assert_alike(made, kept, place):
    """Texts are equal, their numbers but for what another processor rounds."""
    number = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")
    # matplotlib names clips and marks by digests of their places
    made, kept = (re.sub(r"-[mp][0-9a-f]{10}\b", "", str(each)) for each in (made, kept))
    assert number.split(made) == number.split(kept), place
    one, two = (np.array(number.findall(each), float) for each in (made, kept))
    np.testing.assert_allclose(one, two, rtol=1e-4, atol=0.02, err_msg=place)


#: A paper that is being added has no page yet.
PAGES = [key for key in paper_keys() if (ROOT / f"reports/{key}.html").is_file()]


@pytest.mark.parametrize("paper", PAGES)
def test_tables_and_figures(paper, as_a_page):
    notebook = nbformat.read(ROOT / f"notebooks/{paper}.ipynb", as_version=4)
    text = (ROOT / f"reports/{paper}.html").read_text(encoding="utf-8")
    kept, shell, compared = BeautifulSoup(text, "html.parser"), InteractiveShell.instance(), 0
    shell.reset()  # there is but one
    said = " ".join(kept.get_text(" ").split())
    for cell in (each for each in notebook.cells if each.cell_type == "code"):
        with capture_output() as shown:
            shell.run_cell(cell.source).raise_error()
        for output in shown.outputs:
            text = markdown_html(output.data.get("text/markdown", ""), Contents())
            text = BeautifulSoup(text, "html.parser").get_text(" ")
            assert " ".join(text.split()) in said
            made = BeautifulSoup(output.data.get("text/html", ""), "html.parser")
            for part in made.find_all(["section", "figure"], id=True):
                assert_alike(part, kept.find(id=part["id"]), f"{paper}.html#{part['id']}")
                compared += 1
    assert compared > 2


def test_front_page(as_a_page):
    told = findings_frame({key: load_front(key) for key in PAGES})
    kept = pd.read_csv(ROOT / "reports/tables/findings.csv")
    keys = ["paper", "part", "name"]
    assert told[keys].to_numpy().tolist() == kept[keys].to_numpy().tolist()
    np.testing.assert_allclose(told["value"], kept["value"], rtol=1e-9)
