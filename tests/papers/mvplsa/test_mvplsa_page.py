"""Tables and figures of the multi-view PLSA page from small made-up rows."""

import fnmatch

import matplotlib.pyplot as plt
import numpy as np
import pytest

from reproduction.papers.mvplsa import figures, page
from reproduction.papers.mvplsa.columns import (
    AGREEMENT,
    ALL_SCORED,
    HONEST,
    MEAN_START,
    OWN_START,
    TABLES,
)
from reproduction.papers.mvplsa.names import NAMES
from reproduction.results.published import load_published

RATES = (0.01, 0.03, 0.05)


def add_tables(add):
    for dataset in NAMES:
        for k, rate in enumerate(RATES):
            at = {"rate": rate}
            add(dataset, "3", at, "NBC_E", 70.0 + k)
            add(dataset, "3", at, "CoTr_E", 90.0)
            add(dataset, "3", at, "MVPLSA", 95.0 + k)
            add(dataset, "3", at, "MVPLSA", 96.0 + k, reading=ALL_SCORED)
            add(dataset, "3", at, "random", 50.0, role="control")
            add(dataset, "4", at, "MVPLSA", 95.0 + k, noise=0.1)
            add(dataset, "4", at, "DPLSA", 90.0, noise=0.1)
    for view in range(1, 5):
        at = {"rate": 0.01, "view": view}
        add("newsgv4", "5", at, "NBC", 60.0)
        add("newsgv4", "5", at, "MVPLSA", 85.0)
        add("newsgv4", "5", at, "random", 33.0, role="control")
        add("newsgv4", "extra:split", at, "DPLSA", 86.0, role="ours")


def add_figures(add):
    for dataset in NAMES:
        for metric in ("NMI", "PF"):
            for method in ("Kmeans_Best", "Kmeans_Avg", "MVC", "MVPLSA"):
                add(dataset, "fig2", {}, method, 50.0, metric=metric)
            add(dataset, "fig2", {}, "DPLSA", 50.0, metric=metric, role="ours")
    for dataset, grid in (("cornell", (2, 12)), ("newsgv2", (2, 128))):
        for count in grid:
            add(dataset, "fig3", {"rate": 0.05, "topics": count}, "MVPLSA", 95.0)


def add_choices(add):
    for treatment, mean in (("all kept", 55.0), ("unit rows", 98.0)):
        for method in ("DPLSA", "MVPLSA"):
            at = {"rate": 0.01, "treatment": treatment}
            add("newsgv2", "choice:huge", at, method, mean + (method == "MVPLSA"))
    for link, mean in (("links", 91.0), ("cites", 87.0)):
        add("cornell", "choice:links", {"rate": 0.01, "link": link}, "MVPLSA", mean)
    for floor in (1e-3, 1e-12, 0.1):
        add("cornell", "choice:floor", {"rate": 0.05, "floor": floor}, "MVPLSA", 92.0)
    for start, mean in ((MEAN_START, 81.0), (OWN_START, 72.0)):
        at = {"rate": 0.01, "start": start}
        add("cornell", "choice:start", at, "DPLSA_V2", mean)


@pytest.fixture(autouse=True)
def _no_results(tmp_path, monkeypatch):
    """Names ask the results folder what was a surrogate: nothing here."""
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tmp_path))


@pytest.fixture
def rows(new_book):
    book = new_book()

    def add(*place, noise=0.0, **more):
        book.add(*place, noise=noise, runs=4, **more)

    for part in (add_tables, add_figures, add_choices):
        part(add)
    return book.frame()


@pytest.fixture
def published():
    return load_published("mvplsa")


def test_figures_draw(rows, published):
    for figure in (
        figures.rates_figure(rows, published),
        figures.clustering_figure(rows),
        figures.topics_figure(rows),
        figures.huge_figure(rows),
    ):
        assert all(ax.has_data() for ax in figure.axes)
        plt.close(figure)


def test_no_whisker_leaves_the_range_of_a_share(rows):
    wide = rows.copy()
    drawn = wide["table"] == "fig2"
    wide.loc[drawn, "value"] = np.where(np.arange(drawn.sum()) % 2, 99.0, 1.0)
    figure = figures.clustering_figure(wide)
    ends = [
        point
        for ax in figure.axes
        for lines in ax.collections
        for path in lines.get_paths()
        for point in path.vertices[:, 1]
    ]
    assert 0 <= min(ends) <= max(ends) <= 100
    plt.close(figure)


def test_published_marks_are_the_printed_cells(rows, published):
    figure = figures.rates_figure(rows, published)
    cells = published[(published["dataset"] == "cornell") & (published["table"] == "3")]
    wanted = cells[cells["method"] == "MVPLSA"]["mean"]
    marks = [line for line in figure.axes[0].lines if line.get_linestyle() == "None"]
    assert any(np.array_equal(line.get_ydata(), wanted) for line in marks)
    plt.close(figure)


def test_moves_are_ranges_of_means(rows):
    table = page.moves_table(rows)
    assert list(table["choice"]) == [
        "huge messages", "direction of the links", "floor of the start",
    ]  # fmt: skip
    assert table["moves by"].iloc[0] == pytest.approx(43.0)
    assert table["lowest"].iloc[1].endswith("(link=cites)")
    assert list(table["labelled"]) == ["r=0.01", "r=0.01", "r=0.05"]
    assert (table["runs"] == 4).all()


def test_every_choice_has_a_title():
    titled = [f"choice:{topic}" for topic in page.CHOICES]
    assert sorted(titled) == sorted(fnmatch.filter(TABLES, "choice:*"))


def test_choices_in_their_order(rows):
    assert list(page.choice_table(rows, "links")["choice"]) == ["link=cites", "link=links"]
    floors = page.choice_table(rows, "floor")
    assert list(floors["choice"]) == ["floor=1e-12", "floor=0.001", "floor=0.1"]
    assert list(floors["Cornell r=0.05"]) == ["92.0 ± 0.0"] * 3


def test_gaps_are_paired(rows):
    table = page.dplsa_gaps(rows)
    assert list(table["data set"]) == list(NAMES.values())
    np.testing.assert_allclose(table["MVPLSA - DPLSA"], 6.0, atol=0.3)
    assert (table["runs"] == 4).all()


def test_split_has_all_lines(rows):
    table = page.split_table(rows)
    assert len(table) == 3
    assert [f"view {v}" for v in range(1, 5)] == list(table.columns[1:])
    assert (table.drop(columns="method") != "").all(axis=None)


def test_sizes():
    sizes = {"cornell": (1703, 195), "newsgv4": (6783, 6307, 7717, 9336)}
    statistics = {
        name: {
            "documents": 10, "classes": 2, "per_class": [5, 5], "features": sizes.get(name, (1,)),
            "nonzeros": [3], "empty_documents": [0],
        }
        for name in NAMES
    }  # fmt: skip
    table = page.sizes_table(statistics).set_index("data set")
    for name, features in sizes.items():
        assert table.loc[NAMES[name], "published features"] == ", ".join(map(str, features))
        assert table.loc[NAMES[name], "features"] == table.loc[NAMES[name], "published features"]
    assert table.loc[NAMES["cornell"], "published documents"] == 195


def test_clusterings_say_what_is_ours(rows):
    table = page.clustering_table(rows)
    assert set(table["metric"]) == {"NMI", "PF"}
    assert {"MVPLSA", "DPLSA (ours)"} <= set(table["method"])


def test_search_table(rows):
    search = {
        "rate": 0.01,
        "chosen": {
            reading: {"u": 75, "p": 1, "n": 3, "CoTr_E": 90.0}
            for reading in ("inferred", HONEST, AGREEMENT)
        },
        "CoTr_E": {"best": 90.0, "median": 85.0, "worst": 70.0},
    }
    table = page.cotraining_table({"cornell": {"rounds": 30, "searches": [search]}}, rows)
    assert list(table["labelled"]) == ["r=0.01"]
    assert table["MVPLSA"].iloc[0] == pytest.approx(95.0)


def test_notes_are_computed(rows, published):
    assert "+1.0 points with all kept" in page.huge_note(rows)
    assert "Splitting itself adds -1.0 points" in page.split_note(rows)
    cell = published.query("dataset == 'cornell' and rate == 0.01 and method == 'DPLSA_V2'")
    printed = cell["mean"].iloc[0]
    assert f"at 1 % labelled {printed:.1f} published, 81.0 from the mean, 72.0 from" in (
        page.view_start_note(rows, published)
    )
    cells = published.query("dataset == 'cornell' and method == 'CoTr_E' and rate in @RATES")
    assert f"against {cells['mean'].mean():.1f} %" in page.cotraining_note(rows, published)
    without = rows[rows["method"] != "CoTr_E"]
    assert page.cotraining_note(without, published).endswith("not given.")
    assert "Cornell +1.00" in page.scored_note(rows)
    reached = page.reached_note(rows, 0.01)
    assert reached.startswith("With 1 % labels MVPLSA reaches 95.0 % on Cornell")
