"""Tables and figures of the page on label sets, from small made-up rows."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from reproduction.papers import multiview_hier as page
from reproduction.papers import multiview_hier_figures as drawn
from reproduction.papers import multiview_hier_readings as silent

FLAT_SETS = ("cora", "webkb", "citeseer", "wikipedia_linqs", "pubmed", "leaves", "citeseer2")
PROVENANCE = {
    "citeseer2": "surrogate", "nell_mv": "surrogate", "newsgroups_tree": "stand-in",
    "amazon_tree": "stand-in", "wikipedia_linqs": "differs",
}  # fmt: skip


@pytest.fixture
def rows(rng):
    records = []

    def add(dataset, table, setting, method, metric, value, reading="paper", label="", runs=2):
        for run in range(runs):
            noise = 0.1 * rng.standard_normal() if runs > 1 else 0.0
            records.append(
                {
                    "paper": page.PAPER, "dataset": dataset, "label": label, "table": table,
                    "setting": setting, "method": method, "metric": metric, "reading": reading,
                    "run": run, "value": value + noise,
                    "provenance": PROVENANCE.get(dataset, "original"),
                }
            )  # fmt: skip

    cases = [(d, "") for d in FLAT_SETS]
    cases += [("nell_mv", "NELL_mv level=2"), ("nell_mv", "NELL_mv level=3")]
    for place, (dataset, label) in enumerate(cases):
        for share in (10, 30):
            setting = f"train={share}%"
            for reading, off in (("paper", 0.0), (page.UNLABELLED, -8.0)):
                for k, method in enumerate(page.FLAT):
                    for metric in (page.MACRO, page.MICRO):
                        value = 40 + share + place * (1 + k / 5) + 3 * k + off
                        add(dataset, "2", setting, method, metric, value, reading, label)
            for metric in ("views_disagree_pct", "differs_from_sumscore_pct"):
                add(dataset, "extra:maxagree", setting, "MAXAGREE", metric, 0.5, label=label)
            for method in page.FLAT:
                for metric in ("iterations", "cycle_length"):
                    add(dataset, "extra:convergence", setting, method, metric, 5.0, label=label)
    for dataset in (*FLAT_SETS, *page.TREES):
        for metric, value in (("documents", 100.0), ("classes", 4.0)):
            add(dataset, "1", "all", "data set", metric, value, runs=1)
        for number in (1, 2):
            for metric in ("features", "non_zeros", "empty_rows"):
                add(dataset, "1", f"view{number}", f"view {number}", metric, 7.0, runs=1)
    for dataset in page.TREES:
        for share in (10, 20, 30):
            setting = f"train={share}%"
            for k, method in enumerate((*page.FLAT, *page.HIER)):
                for metric in (page.MACRO, page.MICRO):
                    for reading in ("paper", page.UNLABELLED):
                        add(dataset, "4", setting, method, metric, 30.0 + share + k, reading)
            for method in page.HIER:
                for reading in ("consistency=hard", "constraints=parents+siblings"):
                    add(dataset, "4", setting, method, page.MACRO, 33.0, reading)
                for reading in ("paper", "consistency=hard", "constraints=parents+siblings"):
                    where = (dataset, "extra:label_sets", setting, method)
                    add(*where, "violating_sets_pct", 5.0, reading)
                    add(*where, "several_leaves_pct", 2.0, reading)
            add(dataset, "4", setting, "V1 vs V2", "view_agreement", share / 40)
        for method in (*page.FLAT, *page.HIER):
            for i in range(1, 5):
                add(
                    dataset, "fig11b", f"train=30%,iteration={i:02d}", method, "bits_flipped", 9 / i
                )
    for reading, value in (("link=cited", 50.0), ("link=cites", 60.0)):
        for setting in ("train=10%", "train=30%"):
            add("cora", "silent:link", setting, "V2", page.MACRO, value, reading)
            add("pubmed", "silent:link", setting, "V2", page.MACRO, value, reading)
    for reading in ("paper", "real data only"):
        for method in page.FLAT:
            add("all", "2", "avg rank", method, "average_rank", 4.0, reading, runs=1)
        for pair in ("PRODSCORE over V12", "MAXAGREE over V12", "MAXAGREE over PRODSCORE"):
            for metric in ("pearson_r", "p_value"):
                add("all", "3", "view imbalance", pair, metric, 0.1, reading, runs=1)
    for metric in (
        "points",
        "labels",
        "cvxpy_agrees_pct",
        "batch_agrees_pct",
        "largest_difference",
    ):
        for dataset in page.TREES:
            for method in ("MAXAGREE", *page.HIER):
                add(
                    "all",
                    "extra:mip_check",
                    "train=10%",
                    method,
                    metric,
                    7.0,
                    label=dataset,
                    runs=1,
                )
    return pd.DataFrame(records)


@pytest.fixture
def timings():
    records = []
    for dataset in page.TREES:
        for method in (*page.FLAT, *page.HIER):
            records.append(
                {"dataset": dataset, "label": "", "table": "4", "method": method, "metric": "m",
                 "value": 1.0, "seconds": 0.5, "iterations": 4.0}
            )  # fmt: skip
        for method in ("MAXAGREE", *page.HIER):
            for metric, value in (
                ("cvxpy_ms_per_point", 20.0), ("batch_ms_per_point", 2.0),
                ("exact_ms_per_point", 0.001), ("speed_ratio", 20000.0),
            ):  # fmt: skip
                records.append(
                    {"dataset": "all", "label": dataset, "table": "time:mip_check",
                     "method": method, "metric": metric, "value": value,
                     "seconds": np.nan, "iterations": np.nan}
                )  # fmt: skip
    return pd.DataFrame(records)


def test_tables(rows, timings):
    both = page.both_scorings(rows)
    assert len(both) == 9 * 2 * 7
    assert both["published"].notna().all()
    assert (both["all points"] > both["unlabelled only"]).all()
    assert set(page.scoring_distance(rows)) == {"all points", "unlabelled only"}
    assert len(page.statistics_table(rows)) == 10
    assert page.ranks_table(rows).shape[0] == 7
    three = page.correlations_table(rows).set_index("comparison")
    # the paper's Table 3 follows from its Table 2, its Table 4 ranks do not from Table 4
    assert three["r from printed Table 2"].to_numpy() == pytest.approx(
        three["published r"].to_numpy(), abs=0.02
    )
    assert (page.implied_ranks("2")["possible"] == "yes").all()
    four = page.implied_ranks("4")
    assert four.index[four["possible"] == "no"].tolist() == ["COTRAIN"]
    found = silent.readings_table(rows, {"cora": {"link": "link=cited"}})
    declared = found.loc[found["reading"] == "link=cited", "declared"]
    assert (declared == "declared").all()
    assert "train=30%: *" in silent.pubmed_closest(rows)
    assert "PUBLISHED" in silent.pubmed_table(rows).index.get_level_values(0)
    assert (page.maxagree_table(rows) > 0).all().all()
    assert page.tree_table(rows, "amazon_tree").columns.tolist() == [
        "train=10%", "train=20%", "train=30%",
    ]  # fmt: skip
    assert len(page.gains_table(rows)) == 9
    assert "inconsistent sets" in page.label_sets_table(rows)
    assert "consistency=hard" in page.constraints_table(rows)
    assert page.mip_table(rows, timings)["times faster"].eq(20000).all()
    assert page.convergence_table(rows).index.tolist() == list(page.FLAT)


def test_headline_counts_cells_and_claims(rows):
    ledger = pd.DataFrame({"verdict": ["reproduced", "reproduced", "differs"]})
    claims = pd.DataFrame({"verdict": ["holds", "fails"]})
    text = page.headline(rows, ledger, claims)
    assert "**3 published cells:** 2 reproduced, 1 differs" in text
    assert "1 holds" in text
    value = page.share_of(rows, "extra:label_sets", "Hier-SUMSCORE", "violating_sets_pct", "paper")
    assert value == pytest.approx(5.0, abs=0.5)
    assert np.isnan(page.share_of(rows, "nosuch", "V1", "m", "paper"))


def test_headline_without_real_data_says_so(rows):
    ledger = pd.DataFrame({"verdict": ["reproduced", "reproduced", "differs"]})
    claims = pd.DataFrame({"verdict": ["holds", "fails"]})
    text = page.headline(rows.assign(provenance="surrogate"), ledger, claims)
    assert "all rows are synthetic" in text
    assert "of print" not in text


def test_figures(rows, timings):
    details = {d: {"leaf_frequency": {"a": 3, "b": 5}} for d in page.TREES}
    figures = [
        drawn.scatter_figure(rows), drawn.imbalance_figure(rows), drawn.agreement_figure(rows),
        drawn.curves_figure(rows), drawn.hier_scatter_figure(rows),
        drawn.frequency_figure(details), drawn.flips_figure(rows),
        drawn.times_figure(rows, timings),
    ]  # fmt: skip
    for fig in figures:
        assert all(axes.has_data() for axes in fig.axes)
        plt.close(fig)
    assert "of 18 test cases" in drawn.scatter_alt(rows)
    assert "Hier-MAXAGREE from" in drawn.curves_alt(rows)
    seconds = drawn.fit_seconds(rows, timings, "nell_mv")
    assert seconds.loc["MAXAGREE", "cvxpy"] == pytest.approx(20e-3 * 4 * 100)
