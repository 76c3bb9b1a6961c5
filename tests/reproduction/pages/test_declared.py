"""What pages show of a declared paper, on invented rows."""

import pandas as pd
import pytest

from reproduction.pages import declared, training
from reproduction.rooms import study_of

STUDY = study_of("cotraining")


def rows(table, reading, **columns):
    return [
        {"dataset": "webkb_course", "table": table, "reading": reading, "method": "co-training",
         "metric": "error_pct", "setting": name, "classifier": name, "run": run,
         "value": value + run, **columns}
        for name, value in (("combined", 2.0), ("links", 4.0), ("page", 6.0))
        for run in range(2)
    ]  # fmt: skip


def test_choices_stand_in_the_order_of_print():
    made = rows("choice:words", "presence") + rows("choice:words", "as released")
    shown = declared.choice_means(STUDY, pd.DataFrame(made))
    assert list(shown.columns) == ["choice", "taken", "method", "page", "links", "combined"]
    assert shown.iloc[1].tolist() == [
        "words", "as released", "co-training", "6.5 ± 0.7", "4.5 ± 0.7", "2.5 ± 0.7",
    ]  # fmt: skip


def test_a_figure_has_a_curve_for_each_place():
    made = pd.DataFrame(rows("fig2", "inferred", round=1) + rows("fig2", "inferred", round=2))
    (axes,) = declared.steps_figure(STUDY, made, "fig2").axes
    lines = {line.get_label(): line.get_ydata().tolist() for line in axes.lines}
    assert lines == {"page": [6.5, 6.5], "links": [4.5, 4.5], "combined": [2.5, 2.5]}
    assert axes.get_ylabel() == "error %"


def test_recorded_training_is_held_against_print():
    made = pd.DataFrame(rows("trajectory", "recorded", round=1))
    found = training.trajectory_of("cotraining", made)
    assert found.inferred == STUDY.settings().rounds
    assert set(found.rows["length"]) == {1}
    printed = found.printed.set_index("series")["published"]
    assert printed["combined"] == pytest.approx(5.0)
    assert set(found.printed["panel"]) == set(found.rows["panel"])
    assert training.trajectory_of("cotraining", made[:0]) is None


def test_data_sets_of_some_tables_alone_come_last():
    made = pd.DataFrame(rows("2", "inferred", role="published"))
    made = pd.concat([made.assign(dataset="cora"), made])
    shown = declared.means(STUDY, made, "2")
    assert list(shown)[-1] == "Cora"


def test_what_is_recorded_beside_is_not_held_against_print():
    made = pd.DataFrame(rows("trajectory", "recorded", round=1))
    beside = [made.assign(method="another"), made.assign(metric="view_agreement")]
    found = training.trajectory_of("cotraining", pd.concat([made, *beside]))
    assert len(found.rows) == len(made)
