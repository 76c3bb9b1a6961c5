"""The page's tables and figures from invented rows whose answers are known."""

import itertools

import numpy as np
import pandas as pd
import pytest

from reproduction.pages.figures import figure_svg
from reproduction.papers import twoview_pa as page

KIND = {"product_review": "surrogate", "opinion_spam": "stand-in"}
ROWS, PASSES, GAMMAS, CS = ("binary", "unit", "idf"), (1, 5), (0.05, 0.5), (0.1, 1.0)


def row(dataset, table, setting, method, metric, value, reading="paper", run=0):
    return {
        "paper": "twoview_pa", "dataset": dataset, "label": "", "table": table, "setting": setting,
        "method": method, "metric": metric, "reading": reading, "run": run, "value": value,
        "provenance": KIND.get(dataset, "original"),
    }  # fmt: skip


def grid_rows(dataset, lead):
    """Cat at 80 everywhere; two-view PA ahead by ``lead(rows, passes, C, gamma)``."""
    for rows, order, passes, C, run in itertools.product(
        ROWS, ("shuffled", "given"), PASSES, CS, range(2)
    ):
        base = f"rows={rows};order={order};passes={passes};C={C:g}"
        for method, value in (("PA Cat", 80.0), ("PA View 1", 70.0), ("PA View 2", 60.0)):
            yield row(dataset, "grid", base, method, "f1_pct", value, "grid", run)
        for gamma, empty in itertools.product(GAMMAS, ("zero", "limit")):
            value = 80 + lead(rows, passes, C, gamma) - (50 if empty == "limit" else 0)
            name = f"{base};gamma={gamma:g};empty={empty}"
            yield row(dataset, "grid", name, "Two-view PA", "f1_pct", value, "grid", run)


def tuned_rows(dataset, lead):
    rng = np.random.default_rng(0)
    readings = [page.TUNED, *(f"tuned;rows={r};passes={p}" for r in ROWS for p in PASSES)]
    for reading, run in itertools.product(readings, range(10)):
        base = 80 + rng.normal()
        for method, value in (
            ("PA Cat", base),
            ("control:sum of two PA", base + 1),
            ("Two-view PA", base + lead + 0.1 * rng.normal()),
            ("Two-view PA, exact", base),
        ):
            yield row(dataset, "2", "5-fold;nested", method, "f1_pct", value, reading, run)


@pytest.fixture(scope="module")
def rows():
    records = []
    for dataset, sign in (("ads", -1.0), ("webkb_course", 1.0), ("opinion_spam", 0.5)):
        records += grid_rows(
            dataset, lambda r, p, C, g, s=sign: s * (2 if g < 0.5 else 4) + (r == "idf") * 10
        )
        records += tuned_rows(dataset, sign)
        for run, reading in itertools.product(range(3), ("paper", "rows=unit", "empty=skip")):
            for shift, method in enumerate([*page.PUBLISHED_METHODS, "control:sum of two PA"]):
                value = 70.0 + shift + run
                records.append(row(dataset, "2", "5-fold", method, "f1_pct", value, reading, run))
        for view, metric, value in (
            ("first", "dimension", 929), ("first", "empty_rows", 3), ("all", "positive", 459),
            ("all", "negative", 2820), ("all", "total", 3279),
        ):  # fmt: skip
            method = "data set" if view == "all" else "View 1"
            records.append(row(dataset, "1", view, method, metric, float(value)))
        for method in (page.TWO_VIEW, page.ALONE, "Two-view PA, exact"):
            for run, t in itertools.product(range(2), (5, 10)):
                records.append(
                    row(dataset, "fig1", f"round={t}", method, "cumulative_view_difference",
                        1.0 / t, run=run)
                )  # fmt: skip
            records.append(row(dataset, "fig1", "all rounds", method, "mean_view_difference", 0.5))
    for gamma, method in itertools.product((0.0, 0.05), ("a", "b")):
        for run in range(2):
            records.append(
                row("ads", "extra:more views", f"C=0.1;gamma={gamma:g}", method, "f1_pct",
                    80 + gamma + (method == "b") + run, "own", run)
            )  # fmt: skip
    return pd.DataFrame(records)


def test_advantage_is_two_view_minus_cat_at_the_same_c(rows):
    table = page.advantage(rows)
    zero = table[(table["empty"] == "zero") & (table["dataset"] == "ads")]
    expected = np.where(zero["gamma"] < 0.5, -2.0, -4.0) + (zero["rows"] == "idf") * 10
    np.testing.assert_allclose(zero["mean"], expected)
    np.testing.assert_allclose(zero["min"], zero["max"])


def test_shares_count_what_is_ahead_and_leave_the_infinite_rule_out(rows):
    shares = page.shares_table(rows).set_index(["data set", "order", "rows"])
    assert shares.loc[("Ads", "shuffled", "0/1"), "ahead, %"] == 0
    assert shares.loc[("Ads", "shuffled", "idf"), "ahead, %"] == 100
    assert shares.loc[("WebKB", "given", "unit norm"), "ahead, %"] == 100
    assert (shares["grid points"] == len(PASSES) * len(CS) * len(GAMMAS)).all()


def test_shares_are_shown_when_all_data_are_surrogates(rows):
    every = page.shares_table(rows.assign(provenance="surrogate"))
    assert set(every["data set"]) >= set(page.shares_table(rows)["data set"])


def test_conclusion_names_shares_and_tests(rows):
    text = page.conclusion(rows)
    assert "33 % on Ads (at most 100 %, with idf rows)" in text
    assert "100 % on WebKB" in text
    assert "Ads -1.0 points" in text
    assert text.count(". ") == 1  # two sentences


def test_tuned_difference_is_paired_and_two_sided(rows):
    mean, p, ours, other = page.tuned_difference(rows, "ads", page.TUNED)
    assert mean == pytest.approx(ours - other)
    assert mean == pytest.approx(-1.0, abs=0.2)
    assert p < 0.001
    assert page.tuned_difference(rows, "ads", "tuned;rows=none;passes=1") is None


def test_closest_reading_is_the_nearest_grid_point(rows):
    published = pd.DataFrame(
        [
            {"paper": "twoview_pa", "dataset": label, "method": method, "mean": value}
            for label, two in (("Ads", 86.0), ("WebKB", 84.0))
            for method, value in zip(page.PUBLISHED_METHODS, (70, 60, 80, two), strict=True)
        ]
    )
    table = page.closest_readings(rows, published, top=3)
    best = table[(table["data set"] == "Ads") & (table["rank"] == 1)].iloc[0]
    assert (best["rows"], best["gamma"], best["empty"]) == ("idf", 0.5, "zero")
    assert best["distance"] == 0
    best = table[(table["data set"] == "WebKB") & (table["rank"] == 1)].iloc[0]
    assert best["gamma"] == 0.5
    assert best["distance"] == 0
    assert table["data set"].str.endswith("one reading for both").sum() == 6


def test_readings_table_starts_with_the_declared_one(rows):
    table = page.readings_table(rows, "ads")
    assert table.index[0] == "paper"
    assert list(table.columns[:4]) == list(page.PUBLISHED_METHODS)
    assert table.loc["paper", "Two-view PA"] == 74.0


def test_statistics_and_extras(rows):
    table = page.statistics_table(rows)
    assert set(table["data set"]) == {"Ads", "WebKB", "Opinion spam (stand-in)"}
    assert (table["features"] == 929).all()
    extra = page.extra_table(rows, "extra:more views")
    assert extra.iloc[0]["method"] == "b"
    assert extra.iloc[0]["mean"] == pytest.approx(81.55)
    assert "Two-view PA" in page.difference_table(rows).columns


def test_methods_and_identical_views(rows):
    table = page.methods_table(rows)
    assert list(table.index[:4]) == list(page.PUBLISHED_METHODS)
    assert table.loc["PA View 1", "Ads"] == "71.0 ± 1.0"
    same = pd.DataFrame(
        [
            row(d, "extra:identical views", "C=0.1;gamma=0.5", "exact", "max_weight_difference",
                float(run), "own", run)
            for d in ("ads", "opinion_spam")
            for run in range(2)
        ]
    )  # fmt: skip
    assert page.identical_table(same).to_dict() == {"Ads, C=0.1;gamma=0.5": {"exact": 1.0}}


def test_figures_draw_and_describe_themselves(rows):
    svg = figure_svg(page.heat_map(rows), "heat", page.heat_alt(rows))
    assert svg.startswith("<svg")
    details = {
        d: {"difference_per_round": {m: [0.1] * 10 for m in (page.TWO_VIEW, page.ALONE)}}
        for d in page.FIGURES
    }
    assert "Ads" in page.difference_alt(rows)
    drawn = page.difference_figure(rows, details)
    assert len(drawn.axes) == 6
    figure_svg(drawn, "difference", page.difference_alt(rows))
    assert "two-view PA has an F1 of" in page.headline(rows)
