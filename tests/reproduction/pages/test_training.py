"""Recorded training held against print, and hypotheses as tables."""

import pandas as pd
import pytest

from reproduction.pages import training
from reproduction.rooms import study_of
from reproduction.verdicts.hypotheses import Hypothesis, Outcome

STUDY = study_of("cotraining")


@pytest.fixture
def rows():
    """Two runs on the way; the second stops after its first round."""
    made = [
        {"dataset": "webkb_course", "table": "trajectory", "reading": "recorded", "round": step,
         "method": "co-training", "metric": "error_pct", "classifier": name, "run": run,
         "value": value + 10 * run + step}
        for name, value in (("combined", 2.0), ("links", 4.0), ("page", 6.0))
        for run, steps in enumerate((2, 1))
        for step in range(1, steps + 1)
    ]  # fmt: skip
    return pd.DataFrame(made)


def test_a_fit_that_stopped_keeps_its_last_value_and_print_stands_beside(rows):
    found, printed = training.recorded(STUDY, rows)
    ends = found[found["round"] == 2].set_index(["classifier", "run"])["value"]
    assert ends["combined", 0] == 4.0
    assert ends["combined", 1] == 13.0
    assert printed.set_index("classifier")["mean"]["combined"] == pytest.approx(5.0)
    assert set(printed["method"]) == {"co-training"}


def test_what_is_recorded_beside_is_not_held_against_print(rows):
    beside = [rows.assign(method="another"), rows.assign(metric="view_agreement")]
    more, _ = training.recorded(STUDY, pd.concat([rows, *beside]))
    pd.testing.assert_frame_equal(more, training.recorded(STUDY, rows)[0])


def test_curves_have_print_as_dotted_lines(rows):
    (axes,) = training.curves_figure(STUDY, rows).axes
    dotted = {line.get_ydata()[0]: line for line in axes.lines if line.get_linestyle() == ":"}
    _, printed = training.recorded(STUDY, rows)
    assert set(dotted) == set(printed["mean"])
    combined = next(line for line in axes.lines if line.get_label() == "combined")
    assert dotted[5.0].get_color() == combined.get_color()
    assert training.curves_figure(STUDY, rows[:0]) is None


def test_hypotheses_as_a_table():
    base = {"what": "w", "why": "y", "evidence": "e", "tried": 7}
    one = Hypothesis(id="a", verdict="refuted", **base)
    two = Hypothesis(id="b", reading="r", **base)
    outcome = Outcome("supported", cells=4, before=2.0, after=0.5, luck=1.0, p_value=0.01)
    table = training.hypotheses_table([(one, Outcome("refuted")), (two, outcome)])
    assert table["verdict"].tolist() == ["refuted", "supported"]
    assert table["RMS under it"].iloc[1] == 0.5
    assert table["cells"].isna().tolist() == [True, False]
    assert "held-out cells" not in table
