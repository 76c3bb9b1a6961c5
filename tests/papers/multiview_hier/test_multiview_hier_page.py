"""Tables and figures of the page on label sets, from small made-up rows."""

import json

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from reproduction.papers.multiview_hier import figures as drawn
from reproduction.papers.multiview_hier import page, times
from reproduction.papers.multiview_hier.names import (
    ALL_POINTS,
    CONSTRAINTS,
    COUNTERPART,
    FLAT,
    FLAT_NAMES,
    GAINS,
    HIER_NAMES,
    MACRO,
    MICRO,
    OPEN,
    PAPER,
    REAL_ONLY,
    STAND_INS,
    UNLABELLED,
    comparison_name,
)
from reproduction.papers.multiview_hier.paper import study
from reproduction.results.published import load_published, printed_methods
from reproduction.results.rows import Row, read_rows, result_frames, table_text

KINDS = {
    "citeseer2": "surrogate", "nell_mv": "surrogate", "wikipedia_linqs": "subset",
} | dict.fromkeys(STAND_INS, "stand-in")  # fmt: skip
SHARES = (10, 20, 30)
TABLES = study.tables
SOLVED = ("MAXAGREE", *HIER_NAMES)


@pytest.fixture(autouse=True)
def provenance(tmp_path, monkeypatch):
    """Results folder that says what the data were, and holds nothing else."""
    place = tmp_path / "results" / PAPER / "provenance.json"
    place.parent.mkdir(parents=True)
    kinds = {key: {"kind": KINDS.get(key, "same")} for key in page.NAMES.keys_}
    place.write_text(json.dumps(kinds))
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(place.parents[1]))


class Made:
    """Rows of all jobs, as the stations read them."""

    def __init__(self, rng, folder):
        self.rng = rng
        self.folder = folder
        self.rows = {}

    def add(self, dataset, table, at, method, metric, value, reading="inferred", runs=2, **options):
        for run in range(runs):
            noise = 0.02 * self.rng.random() if runs > 1 else 0.0  # shares stay below 1
            row = Row(table, at, method, metric, value + noise, reading, run, **options)
            self.rows.setdefault(dataset, []).append(row)

    def read(self, which=0):
        frames = []
        for dataset, rows in self.rows.items():
            path = self.folder / f"{dataset}.csv"
            made = result_frames(PAPER, dataset, rows, TABLES, printed_methods(PAPER))
            path.write_text(table_text(made[which]))
            kind = KINDS.get(dataset, "same")
            frames.append(read_rows(path, TABLES).assign(provenance=kind))
        return pd.concat(frames, ignore_index=True)


def add_table2(made):
    cases = [(d, None) for d in FLAT] + [("nell_mv", 2), ("nell_mv", 3)]
    for number, (dataset, level) in enumerate(cases):
        for share in (10, 30):
            at = {"level": level, "train": share}
            for scored, off in ((ALL_POINTS, 0.0), (UNLABELLED, -8.0)):
                for k, method in enumerate(FLAT_NAMES):
                    value = 20 + share + number * (1 + k / 5) + 3 * k + off
                    for metric in (MACRO, MICRO):
                        made.add(dataset, "2", {**at, "scored": scored}, method, metric, value)
            for metric in ("views_disagree_pct", "differs_from_sumscore_pct"):
                made.add(dataset, "extra:maxagree", at, "MAXAGREE", metric, 0.5)
            for method in FLAT_NAMES:
                for metric in ("iterations", "cycle_length"):
                    made.add(dataset, "extra:convergence", at, method, metric, 5.0)
    for reading in ("inferred", REAL_ONLY):
        for scored in (ALL_POINTS, UNLABELLED):
            at = {"scored": scored}
            for method in FLAT_NAMES:
                made.add("all", "2", at, method, "average_rank", 4.0, reading, runs=1)
            for pair in GAINS:
                for metric in ("pearson_r", "p_value"):
                    made.add("all", "3", at, comparison_name(*pair), metric, 0.1, reading, runs=1)


def add_table4(made):
    for dataset in page.TREES:
        for share in SHARES:
            at = {"train": share}
            for k, method in enumerate((*FLAT_NAMES, *HIER_NAMES)):
                for metric in (MACRO, MICRO):
                    for scored in (ALL_POINTS, UNLABELLED):
                        place = {**at, "scored": scored}
                        made.add(dataset, "4", place, method, metric, 30.0 + share + k)
            place = {**at, "scored": ALL_POINTS}
            made.add(dataset, "4", place, "majority", MACRO, 9.0, role="control")
            made.add(dataset, "4", place, "V1 vs V2", "view_agreement", share / 40)
            for method in HIER_NAMES:
                for reading in ("inferred", *CONSTRAINTS):
                    if reading != "inferred":
                        made.add(dataset, "4", place, method, MACRO, 33.0, reading)
                    for metric in ("violating_sets_pct", "several_leaves_pct"):
                        made.add(dataset, "extra:label_sets", at, method, metric, 5.0, reading)
        for method in (*FLAT_NAMES, *HIER_NAMES):
            for i in range(1, 5):
                at = {"train": 30, "iteration": i}
                made.add(dataset, "fig11b", at, method, "bits_flipped", 9 / i)


@pytest.fixture
def rows(rng, tmp_path):
    made = Made(rng, tmp_path)
    add_table2(made)
    add_table4(made)
    for dataset in page.NAMES.keys_:
        for metric, value in (("documents", 100.0), ("classes", 4.0)):
            made.add(dataset, "1", {}, "data set", metric, value, runs=1)
        for number in (1, 2):
            at = {"place": number, "view": f"words {number}"}
            for metric in ("features", "non_zeros", "empty_rows"):
                made.add(dataset, "1", at, "view", metric, 7.0, runs=1)
    for link, value, reading in (("cited", 50.0, "inferred"), ("cites", 60.0, "other")):
        for share in (10, 30):
            at = {"link": link, "train": share, "scored": ALL_POINTS}
            for dataset in ("cora", "pubmed"):
                made.add(dataset, "choice:link", at, "V2", MACRO, value, reading)
    return made.read()


@pytest.fixture
def timings(rng, tmp_path):
    made = Made(rng, tmp_path)
    for dataset in page.TREES:
        for method in (*FLAT_NAMES, *HIER_NAMES):
            for metric, value in (("seconds", 0.5), ("iterations", 4.0)):
                made.add(dataset, "time:4", {"train": 10}, method, metric, value, runs=1)
        for method in SOLVED:
            for metric, value in (
                ("cvxpy_ms_per_point", 20.0), ("batch_ms_per_point", 2.0),
                ("exact_ms_per_point", 0.001), ("speed_ratio", 20000.0),
            ):  # fmt: skip
                at = {"train": 10}
                made.add(dataset, "time:mip_check", at, method, metric, value, runs=1)
    return made.read(which=1)


def test_tables_beside_print(rows):
    both = page.both_scorings(rows)
    cells = load_published(PAPER)
    assert len(both) == ((cells["table"] == "2") & (cells["metric"] == MACRO)).sum()
    assert both["published"].notna().all()
    assert (both["all points"] > both["unlabelled only"]).all()
    assert "NELL_mv level=2" in set(both["data set"])
    assert set(page.scoring_distance(rows)) == {"all points", "unlabelled only"}
    assert page.sizes_table(rows).set_index("data set").loc["Cora", "non zeros 2"] == 7
    assert page.ranks_table(rows).index.tolist() == list(FLAT_NAMES)
    three = page.correlations_table(rows).set_index("comparison")
    # the paper's Table 3 follows from its Table 2, its Table 4 ranks do not from Table 4
    assert three["r from printed Table 2"].to_numpy() == pytest.approx(
        three["published r"].to_numpy(), abs=0.02
    )
    assert (page.implied_ranks("2")["possible"] == "yes").all()
    four = page.implied_ranks("4")
    assert four.index[four["possible"] == "no"].tolist() == ["COTRAIN"]


def test_tables_of_our_own(rows):
    assert len(page.gains_table(rows)) == len(page.TREES) * len(COUNTERPART)
    assert "inconsistent sets" in page.label_sets_table(rows)
    assert page.convergence_table(rows).index.tolist() == list(FLAT_NAMES)


def test_what_may_explain_the_rows_of_pubmed(rows):
    table = page.pubmed_table(rows)
    assert {page.PRINTED, "as in Table 2", "link=cites"} <= set(table.index.get_level_values(0))
    told = page.pubmed_closest(rows)
    assert "at 10 % labelled *as in Table 2, " in told
    assert "at 30 % labelled *as in Table 2, " in told


def test_names_say_what_the_data_are():
    assert page.shown_name("cora") == "Cora"
    assert page.shown_name("nell_mv") == "NELL_mv (surrogate)"
    assert all(page.shown_name(key).endswith(" (stand-in)") for key in STAND_INS)


def test_headline_tells_the_scoring(rows):
    distance = page.scoring_distance(rows)
    assert f"within {distance['all points']:.1f} points of print" in page.headline(rows)
    assert page.inconsistent_share(rows, "Hier-SUMSCORE") == pytest.approx(5.0, abs=0.5)
    assert np.isnan(page.inconsistent_share(rows, "V1"))
    text = page.headline(rows.assign(provenance="surrogate"))
    assert "all rows are synthetic" in text
    assert "of print" not in text
    flat = rows.assign(provenance=rows["provenance"].where(rows["table"] != "4", "surrogate"))
    assert "of print" in page.headline(flat)
    assert "This run has no real tree" in page.headline(flat)


def test_figures(rows, timings):
    details = {d: {"leaf_frequency": {"a": 3, "b": 5}} for d in page.TREES}
    figures = [
        drawn.scatter_figure(rows), drawn.imbalance_figure(rows), drawn.agreement_figure(rows),
        drawn.hier_scatter_figure(rows),
        drawn.frequency_figure(details), drawn.flips_figure(rows),
        times.figures(rows, timings)["figure-11a"][0],
    ]  # fmt: skip
    for fig in figures:
        assert all(axes.has_data() for axes in fig.axes)
        plt.close(fig)
    cases = 2 * (len(OPEN) + 3)  # citeseer2 and two levels of NELL_mv besides, two shares
    assert f"of {cases} test cases" in drawn.scatter_alt(rows)
    assert "Hier-MAXAGREE from" in drawn.curves_alt(rows)
    seconds = times.fit_seconds(rows, timings, "nell_mv")
    assert seconds.loc["MAXAGREE", "cvxpy"] == pytest.approx(20e-3 * 4 * 100)
