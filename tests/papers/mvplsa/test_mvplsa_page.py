"""Tables and figures of the multi-view PLSA page from small made-up rows."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from reproduction.papers import mvplsa as page

RATES = ("r=0.01", "r=0.03", "r=0.05")


@pytest.fixture
def rows(rng):
    records = []

    def add(dataset, table, setting, method, mean, reading="paper", metric="accuracy_pct"):
        for run in range(4):
            records.append(
                {
                    "paper": "mvplsa", "dataset": dataset, "label": "", "table": table,
                    "setting": setting, "method": method, "metric": metric, "reading": reading,
                    "run": run, "value": mean + 0.1 * rng.standard_normal(),
                    "provenance": "original",
                }
            )  # fmt: skip

    for dataset in page.NAMES:
        for k, rate in enumerate(RATES):
            for method, mean in (("NBC_E", 70.0), ("MVPLSA", 95.0)):
                add(dataset, "3", rate, method, mean + k)
            add(dataset, "4", rate, "MVPLSA", 95.0 + k)
            add(dataset, "4", rate, "DPLSA", 90.0)
            for v in range(1, 5):
                add(dataset, "4", rate, f"DPLSA_V{v}", 80.0 + v)
        for metric in ("NMI", "PF"):
            for method in ("Kmeans_Best", "Kmeans_Avg", "MVC", "MVPLSA"):
                add(dataset, "fig2", "clustering", method, 50.0, metric=metric)
    for dataset, grid in (("cornell", (2, 12)), ("newsgv2", (2, 128))):
        for count in grid:
            add(dataset, "fig3", f"r=0.05;Y={count}", "MVPLSA", 95.0)
    for reading, mean in (("messages=all", 55.0), ("rows=unit length", 98.0)):
        for method in ("DPLSA", "MVPLSA"):
            add("newsgv2", "silent:huge", "r=0.01", method, mean, reading)
    add("cornell", "silent:links", "r=0.01", "MVPLSA", 91.0, "link=links")
    add("cornell", "silent:links", "r=0.01", "MVPLSA", 87.0, "link=cites")
    for v in range(1, 5):
        add("newsgv4", "5", f"r=0.01;view={v}", "NBC", 60.0)
        add("newsgv4", "5", f"r=0.01;view={v}", "MVPLSA", 85.0)
        add("newsgv4", "extra:split", f"r=0.01;view={v}", "DPLSA", 86.0)
    return pd.DataFrame(records)


@pytest.fixture
def ledger():
    return pd.DataFrame(
        [
            {"table": "3", "dataset": name, "setting": rate, "method": "MVPLSA", "published": 94.0}
            for name in page.NAMES.values()
            for rate in RATES
        ]
    )


def test_figures_draw(rows, ledger):
    for figure in (
        page.rates_figure(rows, ledger),
        page.clustering_figure(rows),
        page.topics_figure(rows),
        page.huge_figure(rows),
    ):
        assert any(ax.has_data() for ax in figure.axes)
        plt.close(figure)


def test_moves_are_ranges_of_means(rows):
    table = page.moves_table(rows)
    assert list(table["choice"]) == ["huge messages", "direction of the links"]
    assert table["moves by"].iloc[0] == pytest.approx(43.0, abs=0.5)
    assert table["lowest"].iloc[1].endswith("(link=cites)")
    assert list(table["runs"]) == [4, 4]


def test_gaps_are_paired(rows):
    table = page.dplsa_gaps(rows)
    assert list(table["data set"]) == list(page.NAMES.values())
    np.testing.assert_allclose(table["MVPLSA - DPLSA"], 6.0, atol=0.3)
    assert (table["pairs"] == 12).all()


def test_split_has_all_lines(rows):
    table = page.split_table(rows)
    assert len(table) == 3
    assert [f"view {v}" for v in range(1, 5)] == list(table.columns[1:])
    assert (table.drop(columns="method") != "").all(axis=None)


def test_sizes_and_panels(rows):
    statistics = {
        name: {
            "documents": n, "classes": c, "per_class": [n // c] * c, "features": list(f),
            "nonzeros": list(f), "empty_documents": [0] * len(f),
        }
        for name, (n, c, f) in page.PUBLISHED_SIZES.items()
    }  # fmt: skip
    sizes = page.sizes_table(statistics)
    assert (sizes["features"] == sizes["published features"]).all()
    panel = page.panel_table(rows, "silent:links")
    assert list(panel["choice"]) == ["link=links", "link=cites"]
    clusters = page.clustering_table(rows)
    assert set(clusters["metric"]) == {"NMI", "PF"}


def test_search_table(rows):
    found = {
        "chosen": {
            reading: {"u": 75, "p": 1, "n": 3, "CoTr_E": 90.0}
            for reading in ("paper", "protocol=honest", "protocol=agreement")
        },
        "CoTr_E": {"best": 90.0, "median": 85.0, "worst": 70.0},
    }
    table = page.cotraining_table({"cornell": {"rounds": 30, "r=0.01": found}}, rows)
    assert len(table) == 1
    assert table["MVPLSA"].iloc[0] == pytest.approx(95.0, abs=0.3)


def test_notes_are_computed(rows, ledger):
    assert "messages=all" in page.huge_note(rows)
    assert "Splitting itself adds -" in page.split_note(rows)
    starts = rows[rows["table"] == "silent:links"].assign(
        table="silent:start", method="DPLSA_V2", reading="start=own view"
    )
    assert "from the view's own" in page.view_start_note(starts, ledger)
    cells = ledger.assign(method="CoTr_E", ours=90.0)
    assert "Cornell 90.0 % against 94.0 %" in page.cotraining_note(cells)
    assert page.cotraining_note(cells.assign(ours=np.nan)).endswith("not given.")
