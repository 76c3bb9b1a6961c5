"""Tables and figures of a declared paper, on invented rows whose answers are known."""

import numpy as np
import pandas as pd

from reproduction.pages import declared
from reproduction.results.published import load_published
from reproduction.rooms import study_of

COTRAINING, MVPLSA = study_of("cotraining"), study_of("mvplsa")
RATES = (0.01, 0.03, 0.05)


def rows(table, reading="inferred", **columns):
    return pd.DataFrame(
        {"dataset": "webkb_course", "table": table, "reading": reading, "method": "co-training",
         "metric": "error_pct", "role": "published", "classifier": name, "run": run,
         "value": value + run, **columns}
        for name, value in (("combined", 2.0), ("links", 4.0), ("page", 6.0))
        for run in range(2)
    )  # fmt: skip


def accuracies(table, methods, role="published", spread=0.0, **columns):
    return pd.DataFrame(
        {"dataset": dataset, "table": table, "reading": "inferred", "method": method, "run": run,
         "metric": "accuracy_pct", "role": role, "rate": rate, "value": 90.0 + k + spread * run,
         **columns}
        for dataset in ("washington", "cornell")
        for k, method in enumerate(methods)
        for rate in reversed(RATES)
        for run in range(2)
    )  # fmt: skip


def test_a_table_stands_in_the_order_of_print_with_means_over_the_runs():
    made = pd.concat([rows("2", "other"), rows("2"), rows("2", role="control")])
    found = declared.means(COTRAINING, made, "2", ["classifier"])
    assert list(found) == ["method", "reading", "page", "links", "combined"]
    assert found["method"].tolist().count("co-training (control)") == 1
    assert found.iloc[0]["page"] == "6.5 ± 0.7"
    largest = declared.means(COTRAINING, rows("2"), "2", ["classifier"], "max")
    assert largest.iloc[0].tolist() == ["co-training", 7.0, 5.0, 3.0]


def test_data_sets_come_as_declared_and_settings_by_size():
    made = pd.concat([accuracies("3", ["MVPLSA"]), rows("3").assign(dataset="cora", rate=0.01)])
    found = declared.means(MVPLSA, made[made["metric"] == "accuracy_pct"], "3", ["dataset", "rate"])
    assert list(found)[1:3] == ["Cornell, 1 % labelled", "Cornell, 3 % labelled"]
    assert list(declared.means(MVPLSA, made, "3"))[-1] == "Cora"
    down = declared.means(MVPLSA, accuracies("3", ["MVPLSA"]), "3", ["rate"])
    assert down["data set"].tolist() == ["Cornell", "Washington"]


def test_every_choice_has_a_table(monkeypatch):
    told = []
    monkeypatch.setattr(declared, "show_table", lambda frame, name, *_: told.append(name))
    made = pd.concat([rows("choice:words", "presence"), rows("choice:smoothing", "0.1"), rows("2")])
    declared.show_every_choice(COTRAINING, made)
    assert told == ["choice-words", "choice-smoothing"]


def test_curves_are_means_and_open_marks_are_the_printed_cells():
    made = pd.concat([accuracies("3", ["NBC_E", "MVPLSA"]), accuracies("4", ["MVPLSA"], spread=50)])
    cornell, washington = declared.curves(MVPLSA, made, "rate").axes
    assert (cornell.get_title(), washington.get_title()) == ("Cornell", "Washington")
    lines = {line.get_label(): line for line in cornell.lines if line.get_linestyle() != "None"}
    assert list(lines) == ["NBC_E", "MVPLSA"]  # what two tables have is drawn once
    np.testing.assert_array_equal(lines["MVPLSA"].get_xdata(), [1, 3, 5])
    np.testing.assert_array_equal(lines["MVPLSA"].get_ydata(), [91.0] * 3)
    marks = [line for line in cornell.lines if line.get_linestyle() == "None"]
    printed = load_published("mvplsa").query("table == '3' and dataset == 'cornell'")
    for method, mark in zip(("NBC_E", "MVPLSA"), marks, strict=True):
        wanted = printed[(printed["method"] == method) & printed["rate"].isin(RATES)]
        np.testing.assert_array_equal(mark.get_xdata(), 100 * wanted["rate"])
        np.testing.assert_array_equal(mark.get_ydata(), wanted["mean"])


def test_what_has_no_place_on_the_axis_is_not_drawn():
    made = pd.concat([rows("fig2", round=1), rows("fig2", round=2), rows("fig2", round=np.nan)])
    (axes,) = declared.curves(COTRAINING, made, "round", ["classifier"]).axes
    lines = {line.get_label(): line.get_ydata().tolist() for line in axes.lines if line.get_label()}
    wanted = {"page": [6.5, 6.5], "links": [4.5, 4.5], "combined": [2.5, 2.5]}
    assert {k: v for k, v in lines.items() if k[0] != "_"} == wanted


def test_dots_stand_on_their_lines_beside_print():
    (axes,) = declared.dots(COTRAINING, rows("2"), ["classifier"]).axes
    names = [text.get_text() for text in axes.get_yticklabels()]
    assert names == ["page", "links", "combined"]
    ours, theirs = (line for line in axes.lines if len(line.get_xdata()) == len(names))
    by_name = dict(zip(map(round, ours.get_ydata()), ours.get_xdata(), strict=True))
    assert by_name == {0: 6.5, 1: 4.5, 2: 2.5}
    printed = load_published("cotraining").query("method == 'co-training'")
    wanted = printed.set_index("classifier")["mean"]
    marks = dict(zip(map(round, theirs.get_ydata()), theirs.get_xdata(), strict=True))
    assert marks == {at: wanted[name] for at, name in enumerate(names)}


def ends_of(figure):
    """Ends of all whiskers."""
    drawn = [lines for ax in figure.axes for lines in ax.collections]
    return [x for lines in drawn for path in lines.get_paths() for x in path.vertices[:, 0]]


def test_no_whisker_leaves_the_range_of_a_share_and_ends_that_rows_bring_stay():
    made = accuracies("3", ["MVPLSA"]).query("rate == 0.01")
    wide = made.assign(value=np.where(np.arange(len(made)) % 2, 99.0, 1.0))
    ends = ends_of(declared.dots(MVPLSA, wide, ["method"]))
    assert 0 <= min(ends) <= max(ends) <= 100
    given = {"dataset": ["cornell"], "metric": "accuracy_pct", "value": 1.0, "low": -1, "high": 2}
    figure = declared.dots(MVPLSA, pd.DataFrame(given), ["dataset"], panel=["metric"])
    assert ends_of(figure) == [-1.0, 2.0]
    assert any(set(line.get_xdata()) == {0.0} for line in figure.axes[0].lines)
