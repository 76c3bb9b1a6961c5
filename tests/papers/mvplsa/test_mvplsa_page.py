"""What the multi-view PLSA page says beyond its tables, from small made-up rows."""

import pytest
from job_rows import as_read

from reproduction.papers.mvplsa import front
from reproduction.papers.mvplsa.protocol import AGREEMENT, HONEST
from reproduction.results.published import load_published
from reproduction.results.rows import Row


@pytest.fixture
def rows():
    made = {}

    def add(dataset, table, at, method, value, **more):
        for run in range(4):
            row = Row(table, {"rate": 0.01, **at}, method, "accuracy_pct", value, run=run, **more)
            made.setdefault(dataset, []).append(row)

    for reading, value in (("inferred", 90.0), (HONEST, 80.0), (AGREEMENT, 85.0)):
        add("cornell", "3", {}, "CoTr_E", value, reading=reading)
    add("cornell", "3", {}, "MVPLSA", 95.0)
    add("cornell", "3", {"rate": 0.03}, "MVPLSA", 10.0)
    for view in range(1, 5):
        add("newsgv4", "5", {"view": view}, "NBC", 60.0)
        add("newsgv4", "5", {"view": view}, "MVPLSA", 85.0)
        add("newsgv4", "extra:split", {"view": view}, "DPLSA", 86.0, role="ours")
    for treatment, lead in (("all kept", 1.0), ("unit rows", 4.0)):
        add("newsgv2", "choice:huge", {"treatment": treatment}, "DPLSA", 55.0)
        add("newsgv2", "choice:huge", {"treatment": treatment}, "MVPLSA", 55.0 + lead)
    for dataset, lead in (("cornell", 1.0), ("newsgv2", 4.0)):
        add(dataset, "4", {}, "DPLSA", 80.0)
        add(dataset, "4", {}, "MVPLSA", 80.0 + lead)
    for method, value in (("DPLSA", 80.0), ("MVPLSA", 82.0)):
        add("newsgv2", "4", {"rate": 0.05}, method, value)
    return as_read("mvplsa", made)


def test_the_search_stands_beside_choices_that_need_no_label(rows):
    tried = [[[50, 1, 1], 70.0], [[75, 1, 3], 90.0], [[100, 2, 5], 85.0]]
    told = {"cornell": {"searches": {"inferred": [{"rate": 0.01, "tried": tried}]}}, "newsgv4": {}}
    (line,) = front.cotraining_table(told, rows).to_dict("records")
    assert line == {
        "data set": "Cornell", "labelled": "1 % labelled", "best u, p, n": "75, 1, 3",
        "best": 90.0, "median of grid": 85.0, "worst": 70.0,
        "u=75, p=1, n=3": pytest.approx(80.0), "by agreement": pytest.approx(85.0),
        "MVPLSA": pytest.approx(95.0),
    }  # fmt: skip


def test_numbers_of_the_sentences(rows):
    told = "all kept: MVPLSA 56.0 %, DPLSA 55.0 %; unit rows: MVPLSA 59.0 %, DPLSA 55.0 %."
    assert front.huge_note(rows).endswith(told)
    assert "naive Bayes 60.0 %" in front.split_note(rows)
    assert "Splitting itself adds −1.0 points" in front.split_note(rows)
    said = front.front(rows)
    cells = load_published("mvplsa").query("table == '3' and dataset == 'cornell' and rate == 0.01")
    printed = cells.set_index("method")["mean"]["MVPLSA"]
    line = said.findings[0].marks["Cornell"]
    assert (line["printed"], line["ours, inferred"]) == pytest.approx((printed, 95))
    views = said.findings[-1]
    wanted = {"lead": 2.0, "most": 3.0, "few": 4.0, "many": 2.0}
    assert views.said.numbers == pytest.approx(wanted)
    assert views.title == "MVPLSA's views help on 1 of 2 data sets, NewsGv2."
    assert front.front(rows[rows["table"] == "5"]).known().findings == ()
