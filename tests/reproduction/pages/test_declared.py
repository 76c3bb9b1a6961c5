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
