"""What the page on label sets says beyond its tables, from small made-up rows."""

from itertools import product

import pandas as pd
import pytest

from reproduction.papers.multiview_hier import page, times
from reproduction.papers.multiview_hier import settings as mh
from reproduction.papers.multiview_hier.front import front
from reproduction.results.published import load_published

DISTANCE = {mh.ALL_POINTS: 1.5, mh.UNLABELLED: -8.0}


def row(dataset, table, method, metric, value, **at):
    kind = "surrogate" if dataset in ("nell_mv", "citeseer2") else "same"
    return {
        "dataset": dataset, "table": table, "method": method, "metric": metric, "value": value,
        "role": "published", "reading": "inferred", "run": 0, "provenance": kind,
        "setting": str(at.get("train")), "level": None, "train": None, "scored": "", **at,
    }  # fmt: skip


@pytest.fixture
def rows():
    """Table 2 is print and a known distance; a hierarchy brings a point for each ten labelled."""
    made = []
    cells = load_published(mh.PAPER)
    for cell in cells[(cells["table"] == "2") & (cells["metric"] == mh.MACRO)].to_dict("records"):
        at = {"level": cell["level"], "train": cell["train"], "setting": cell["setting"]}
        # what is no original must not enter the distance
        far = 50 if cell["dataset"] in ("nell_mv", "citeseer2") else 0
        for (scored, off), metric in product(DISTANCE.items(), (mh.MACRO, mh.MICRO)):
            place = cell["dataset"], "2", cell["method"], metric, cell["mean"] + off + far
            made.append(row(*place, scored=scored, **at))
    for dataset in page.TREES:
        for share in (10, 20, 30):
            for method, scored, metric in product(
                (*mh.FLAT_NAMES, *mh.HIER_NAMES), DISTANCE, (mh.MACRO, mh.MICRO)
            ):
                value = 40.0 + (share / 10 if method in mh.COUNTERPART else 0)
                made.append(row(dataset, "4", method, metric, value, train=share, scored=scored))
            made.append(row(dataset, "4", mh.BOTH_VIEWS, mh.AGREEMENT, share / 40, train=share))
    return pd.DataFrame(made)


def test_distance_to_print_by_what_is_scored(rows):
    found = page.scoring_distance(rows)
    assert found == pytest.approx({scored: abs(off) for scored, off in DISTANCE.items()})
    (said,) = front(rows).findings
    assert said.said.numbers == pytest.approx({"all_points": 1.5, "unseen": 8.0})
    assert front(rows.assign(provenance="surrogate")).known().findings == ()


def test_print_is_held_against_itself():
    """Table 3 follows from the printed Table 2; the ranks of Table 4 do not from its cells."""
    three = page.printed_correlations()
    assert three["r from printed Table 2"].to_numpy() == pytest.approx(
        three["published r"].to_numpy(), abs=0.02
    )
    assert (page.implied_ranks("2")["possible"] == "yes").all()
    four = page.implied_ranks("4")
    assert four.index[four["possible"] == "no"].tolist() == ["COTRAIN"]


def test_gains_of_the_hierarchy_are_means_over_shares(rows):
    found = page.gains(rows)
    assert len(found) == len(page.TREES) * len(mh.COUNTERPART)
    assert (found["macro F1, all points"] == 2.0).all()
    sentence = page.hierarchy_sentence(rows)
    assert "by +2.0 to +2.0 points over all documents" in sentence
    printed = load_published("multiview_hier").query("table == '4' and metric == 'macro_f1_pct'")
    means = printed.groupby("method")["mean"].mean()
    most = max(means[f"Hier-{flat}"] - means[flat] for flat in page.PROPOSED)
    assert sentence.endswith(f"to {most:.1f}.")


def test_solvers_that_were_not_timed_are_estimated(rows):
    measured = {"seconds": 0.5, "iterations": 4.0, "documents": 100.0}
    per_point = {"cvxpy_ms_per_point": 20.0, "batch_ms_per_point": 2.0}
    timings = pd.DataFrame(
        row(dataset, table, method, metric, value, train=10)
        for dataset in page.TREES
        for table, values in (("time:4", measured), ("time:mip_check", per_point))
        for method in mh.HIER_NAMES
        for metric, value in values.items()
    )
    seconds = times.fit_seconds(timings, "nell_mv")
    assert seconds.loc["Hier-MAXAGREE"].tolist() == pytest.approx([0.5, 2e-3 * 400, 20e-3 * 400])
    figure, _ = times.figures(rows, timings)["figure-11a"]
    assert sum(ax.has_data() for ax in figure.axes) == len(page.TREES)
    assert times.figures(rows, timings[timings["table"] != "time:4"]) == {}  # a run that took rows
