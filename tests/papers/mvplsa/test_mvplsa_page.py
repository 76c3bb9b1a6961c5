"""Tables and figures of the multi-view PLSA page from small made-up rows."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from reproduction.pages import declared
from reproduction.papers.mvplsa import figures, page
from reproduction.papers.mvplsa.names import NAMES
from reproduction.papers.mvplsa.paper import study
from reproduction.papers.mvplsa.settings import AGREEMENT, HONEST
from reproduction.results.published import load_published

RATES = (0.01, 0.03, 0.05)


def add_tables(add):
    for dataset in NAMES:
        for k, rate in enumerate(RATES):
            at = {"rate": rate}
            add(dataset, "3", at, "NBC_E", 70.0 + k)
            add(dataset, "3", at, "CoTr_E", 90.0)
            add(dataset, "3", at, "CoTr_E", 80.0, reading=HONEST)
            add(dataset, "3", at, "CoTr_E", 85.0, reading=AGREEMENT)
            add(dataset, "3", at, "MVPLSA", 95.0 + k)
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


def test_figures_draw(rows):
    for figure in (
        figures.clustering_figure(rows),
        figures.huge_figure(rows),
        declared.curves(study, rows, ["fig3"], "topics", ["MVPLSA"]),
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
    figure = declared.curves(study, rows, ["3", "4"], "rate", ["CoTr_E", "DPLSA", "MVPLSA"])
    cells = published[(published["dataset"] == "cornell") & (published["table"] == "3")]
    wanted = cells[cells["method"] == "MVPLSA"]["mean"]
    marks = [line for line in figure.axes[0].lines if line.get_linestyle() == "None"]
    assert any(np.array_equal(line.get_ydata(), wanted) for line in marks)
    plt.close(figure)


def test_a_table_has_a_line_for_each_method_and_reading_and_a_column_for_each_data_set(rows):
    shown = declared.means(study, rows, "3", across="rate").set_index(["method", "reading"])
    assert list(shown.columns[:4]) == [
        *(f"Cornell, {100 * rate:g} % labelled" for rate in RATES),
        "Washington, 1 % labelled",
    ]
    assert shown.loc[("CoTr_E", HONEST), "Cornell, 3 % labelled"] == "80.0 ± 0.0"
    assert ("random (control)", "inferred") in shown.index
    split = declared.means(study, rows, "extra:split")
    assert list(split["view"]) == [1, 2, 3, 4]


def test_sizes():
    sizes = {"cornell": (1703, 195), "newsgv4": (6783, 6307, 7717, 9336)}
    statistics = {
        name: {
            "documents": 10, "per_class": [5, 5], "features": sizes.get(name, (1,)),
            "nonzeros": [3], "empty_documents": [0],
        }
        for name in NAMES
    }  # fmt: skip
    table = page.sizes_table(statistics).set_index("data set")
    for name, features in sizes.items():
        assert table.loc[NAMES[name], "published features"] == ", ".join(map(str, features))
        assert table.loc[NAMES[name], "features"] == table.loc[NAMES[name], "published features"]
    assert table.loc[NAMES["cornell"], "published documents"] == 195


def test_the_search_stands_beside_choices_that_need_no_label(rows):
    tried = [[[50, 1, 1], 70.0], [[75, 1, 3], 90.0], [[100, 2, 5], 85.0]]
    told = {"cornell": {"searches": {"inferred": [{"rate": 0.01, "tried": tried}]}}, "newsgv4": {}}
    (line,) = page.cotraining_table(told, rows).to_dict("records")
    assert line == {
        "data set": NAMES["cornell"], "labelled": "r=0.01", "best u, p, n": "75, 1, 3",
        "best": 90.0, "median of grid": 85.0, "worst": 70.0,
        "u=75, p=1, n=3": pytest.approx(80.0), "by agreement": pytest.approx(85.0),
        "MVPLSA": pytest.approx(95.0),
    }  # fmt: skip


def test_notes_are_computed(rows, published):
    assert "+1.0 points with all kept" in page.huge_note(rows)
    assert "Splitting itself adds -1.0 points" in page.split_note(rows)
    cells = published.query("dataset == 'cornell' and method == 'CoTr_E' and rate in @RATES")
    assert f"against {cells['mean'].mean():.1f} %" in page.cotraining_note(rows, published)
    without = rows[rows["method"] != "CoTr_E"]
    assert page.cotraining_note(without, published).endswith("not given.")
