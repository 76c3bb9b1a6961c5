"""The committed reports come back: places, first draws, tables and figures, the front page.

``reports/rows.zip`` has the rows of the last whole run. Small data sets are fitted again, the real
ones, where a mirror has them.
"""

import inspect
import re
import zipfile
from dataclasses import replace
from itertools import product

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
from reproduction.pages.front import front_body
from reproduction.pages.prose import Contents, markdown_html
from reproduction.pages.results import (
    CONFIGURATION,
    FULL,
    NO_CLOCKS,
    RESULTS,
    load_claims,
    load_gaps,
    load_ledger,
)
from reproduction.pages.said import findings_frame, load_front
from reproduction.results.cases import GIVEN, setting_at
from reproduction.results.jobs import Context
from reproduction.results.published import printed_methods
from reproduction.results.rows import read_rows, read_table, result_frames, table_text
from reproduction.results.settings import PerKind, complete
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
#: A paper that is being added has no page yet.
PAGES = [key for key in paper_keys() if (ROOT / f"reports/{key}.html").is_file()]


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


def places(plan, settings):
    """Yield reading and settings of every row a table declares, but those that ask the data.

    Nor is it known which of its values a search keeps.
    """
    asked = {*GIVEN} - {"dataset_kind"}
    known = {n: s for n, s in plan.vary.items() if n != plan.over and not asked & {*s.asks}}
    columns = {n: c.name for n, c in plan.columns.items() if n in known or n not in plan.vary}
    for taken in product(*(step.result(settings) for step in known.values())):
        shown = {**settings, **dict(zip(known, taken, strict=True))}
        named = shown[plan.named] if plan.named else plan.reading
        reading = f"{named:g}" if isinstance(named, int | float) else str(named)
        yield reading, {column: shown[name] for name, column in columns.items()}


@pytest.mark.parametrize("paper", PAGES)
def test_rows_are_at_the_declared_places_in_the_declared_runs(paper, committed):
    study, keys = study_of(paper), ["table", "reading", "method", "role", "metric"]
    full = dict(complete(study.settings, {}, size="full"))
    for (dataset, name), work in study.work.items():
        kind = study.kinds.get(dataset, "")
        own = {n: getattr(v, kind, v) if isinstance(v, PerKind) else v for n, v in full.items()}
        own, wanted, certain = {**own, "dataset_kind": kind}, {}, set()
        plans = [plan for plan in work.plans if not plan.timed]
        for plan in plans:
            runs = range(work.first, setting_at(own, plan.runs), work.step)
            folds = inspect.isgeneratorfunction(plan.split.call) and not plan.pooled
            asks = any(step.asks for step in plan.vary.values())
            for place, method, metric in product(places(plan, own), plan.methods, plan.metrics):
                key = plan.name, place[0], method.name, plan.role or method.role, metric.name
                wanted.setdefault(key, []).append((place[1], runs, folds))
                certain |= set() if asks or metric.columns or not runs else {key}
        if not plans:
            continue
        path = committed / paper / dataset / f"{name}.csv"
        rows = read_table(path, study.tables.numbers)
        summed = {table for each in study.summaries if each.job == name for table in each.tables}
        kept = dict(iter(rows.groupby(keys)))
        assert certain <= {*kept}
        assert {key for key in kept if key[0] not in summed} <= {*wanted}
        for key in kept.keys() & wanted.keys():
            part = kept[key]
            at, runs, folds = zip(*wanted[key], strict=True)
            if columns := sorted(set.intersection(*map(set, at))):
                made = {tuple(each[column] for column in columns) for each in at}
                assert {*part[columns].itertuples(index=False, name=None)} == made, key
            numbers, found = {run for each in runs for run in each}, {*part["run"]}
            # a run of several folds has a number for each
            share = len(found) // len(numbers) if any(folds) else 1
            assert found == {run * share + k for run in numbers for k in range(share)}, key


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
    fronts = {key: load_front(key) for key in PAGES}
    told = findings_frame(fronts)
    kept = pd.read_csv(ROOT / "reports/tables/findings.csv")
    keys = ["paper", "part", "name"]
    assert told[keys].to_numpy().tolist() == kept[keys].to_numpy().tolist()
    np.testing.assert_allclose(told["value"], kept["value"], rtol=1e-9)
    body = front_body(load_ledger(), load_gaps(), load_claims(), fronts)
    page = BeautifulSoup((ROOT / "reports/index.html").read_text(encoding="utf-8"), "html.parser")
    drawn = BeautifulSoup(body, "html.parser").find_all("figure")
    assert len(drawn) == len(page.find_all("figure")) > 1
    for figure, other in zip(drawn, page.find_all("figure"), strict=True):
        assert_alike(figure, other, "index.html")
