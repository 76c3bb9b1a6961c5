import numpy as np
import pandas as pd
import pytest
from sentences import LEVEL, MIRRORED, around_print, in_print, words

from reproduction.papers.twoview_pa import claims
from reproduction.papers.twoview_pa.methods import ALONE, CAT, EXACT, TWO_VIEW, VIEW_1, role_of
from reproduction.verdicts.claim_file import load_claims_file

PAPER = "twoview_pa"
FOLDS = 5
READING = {"reading": "inferred"}


def test_draws_around_print_say_what_print_says(rng):
    """Print itself refutes that two-view PA leads the concatenation by 3 points on WebKB."""
    found = words(PAPER, around_print(PAPER, rng, runs=10 * FOLDS))
    assert found == in_print(PAPER)
    assert found.pop("webkb_gain") == "refuted"
    assert set(found.values()) == {"holds"}


def test_sides_are_not_exchanged(rng):
    mirrored = words(PAPER, around_print(PAPER, rng, MIRRORED, runs=10 * FOLDS))
    assert set(mirrored.values()) == {"refuted"}
    level = words(PAPER, around_print(PAPER, rng, LEVEL, runs=10 * FOLDS))
    assert level.pop("webkb_gain") == level.pop("webkb_cat_gain") == "refuted"
    assert set(level.values()) == {"no practical difference"}


def test_a_lead_beyond_what_was_said_refutes(rng):
    rows = around_print(PAPER, rng, runs=10 * FOLDS)
    rows.loc[rows["method"] == TWO_VIEW, "value"] += 3.0
    found = words(PAPER, rows)
    assert (found["best_ads"], found["ads_gain"], found["webkb_gain"]) == (
        "holds", "refuted", "holds",
    )  # fmt: skip


def test_a_repetition_counts_once(rng):
    """What folds of one repetition add and take away leaves the mean of the repetition alone."""
    rows = around_print(PAPER, rng, runs=8 * FOLDS)
    params = {"datasets": ["ads"], "method": VIEW_1, "others": {CAT: 0}, **READING}
    found = claims.beats(rows, params)
    assert found.n == 8
    swing = rows["run"] % FOLDS - 2.0
    shifted = rows.assign(value=rows["value"] + 9 * swing * (rows["method"] == CAT))
    assert claims.beats(shifted, params).p_holds == pytest.approx(found.p_holds)


def test_the_text_reading_takes_webkb_as_released(rng):
    """By the text WebKB has rows of unit length; the inferred reading has 0/1 features."""
    claim = next(c for c in load_claims_file(PAPER) if c.id == "webkb_cat_gain")
    unit = around_print(PAPER, rng, MIRRORED, runs=10 * FOLDS)
    unit = unit.assign(table="choice:scaling", scaling="unit", reading="one other choice")
    rows = pd.concat([around_print(PAPER, rng, runs=10 * FOLDS), unit])
    assert claims.beats(rows, claim.params).word == "refuted"
    assert claims.beats(rows, {**claim.params, **claim.inferred}).word == "holds"


def frame(values, **columns):
    """Rows from {(data set, method): values per run}."""
    return pd.DataFrame(
        [
            {
                "dataset": dataset, "method": method, "role": role_of(method), "run": run,
                "value": float(value), "reading": "inferred", "provenance": "same", **columns,
            }
            for (dataset, method), series in values.items()
            for run, value in enumerate(series)
        ]
    )  # fmt: skip


def test_view_differences(rng):
    around = {("ads", TWO_VIEW): 1.0, ("webkb_course", TWO_VIEW): 0.4, ("webkb_course", ALONE): 0.6}
    metric = "mean_view_difference"
    noise = {key: mean + 0.05 * rng.random(20) for key, mean in around.items()}
    rows = frame(noise, metric=metric)
    params = {"small": "webkb_course", "large": "ads", "metric": metric, **READING}
    found = claims.difference_order(rows, params)
    assert found.word == "holds"
    assert claims.difference_order(
        rows, {**params, "small": "ads", "large": "webkb_course"}
    ).word == ("refuted")
    # runs of two data sets have no number in common: another numbering changes nothing
    ads = rows["dataset"] == "ads"
    renumbered = rows.assign(run=rows["run"].where(~ads, 19 - rows["run"]))
    assert claims.difference_order(renumbered, params).p_holds == pytest.approx(found.p_holds)
    shrinks = {"dataset": "webkb_course", **READING}
    assert claims.difference_shrinks(rows, shrinks).word == "holds"
    swapped = rows.replace({"method": {TWO_VIEW: ALONE, ALONE: TWO_VIEW}})
    assert claims.difference_shrinks(swapped, shrinks).word == "refuted"
    assert claims.difference_shrinks(rows, {**shrinks, "dataset": "ads"}).word == "untestable"


def test_identical_views():
    table = {"table": "extra:identical views", "metric": "max_weight_difference"}
    rows = pd.concat(
        [
            frame({("ads", method): [gap, gap]}, single=single, **table)
            for method, single, gap in (
                (TWO_VIEW, "C", 0.3), (TWO_VIEW, "C/2", 0.2),
                (EXACT, "C", 0.3), (EXACT, "C/2", 0.0),
            )
        ]
    )  # fmt: skip

    def word(method, *singles):
        return claims.identical_views(rows, {"method": method, "singles": singles, **READING}).word

    assert word(TWO_VIEW, "C", "C/2") == word(EXACT, "C") == "refuted"
    assert word(EXACT, "C", "C/2") == "holds"
    assert word(EXACT, "2 C") == "untestable"


def test_without_rows_nothing_is_claimed(rng):
    rows = around_print(PAPER, rng)
    assert words(PAPER, rows[np.zeros(len(rows), bool)]) == {}
