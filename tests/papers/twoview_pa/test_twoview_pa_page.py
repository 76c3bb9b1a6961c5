"""The page's tables and figures from invented rows whose answers are known."""

import itertools

import numpy as np
import pandas as pd
import pytest

from reproduction.pages.figures import figure_svg
from reproduction.papers.twoview_pa import figures, page
from reproduction.papers.twoview_pa.columns import EVERYTHING, INNER, ONE_OTHER
from reproduction.papers.twoview_pa.methods import (
    ALONE,
    CAT,
    EXACT,
    MAJORITY,
    PRINTED,
    SUM,
    TWO_VIEW,
    VIEW_1,
    VIEW_2,
    role_of,
)

KIND = {"product_review": "surrogate", "opinion_spam": "stand-in"}
SCALINGS, PASSES, GAMMAS, CS = ("binary", "unit", "idf"), (1, 5), (0.05, 0.5), (0.1, 1.0)


@pytest.fixture(autouse=True)
def no_results(tmp_path, monkeypatch):
    """Keep what a run left on this machine away from the names of the data sets."""
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tmp_path))


def row(dataset, table, at, method, metric, value, reading="inferred", run=0):
    return {
        "paper": "twoview_pa", "dataset": dataset, "table": table, **at, "method": method,
        "role": role_of(method), "metric": metric, "reading": reading, "run": run, "value": value,
        "provenance": KIND.get(dataset, "same"),
    }  # fmt: skip


def combined_rows(dataset, lead):
    """Cat at 80 everywhere; two-view PA ahead by ``lead(scaling, gamma)``."""
    for scaling, order, passes, C, run in itertools.product(
        SCALINGS, ("shuffled", "given"), PASSES, CS, range(2)
    ):
        at = {"scaling": scaling, "order": order, "passes": float(passes), "C": C}
        for method, value in ((CAT, 80.0), (VIEW_1, 70.0), (VIEW_2, 60.0)):
            yield row(dataset, page.COMBINED, at, method, "f1_pct", value, "combined", run)
        for gamma, empty in itertools.product(GAMMAS, ("zero", "limit")):
            value = 80 + lead(scaling, gamma) - (50 if empty == "limit" else 0)
            point = {**at, "gamma": gamma, "empty": empty}
            yield row(dataset, page.COMBINED, point, TWO_VIEW, "f1_pct", value, "combined", run)


def tuned_rows(dataset, lead, rng):
    places = [{"tuned": EVERYTHING}]
    for scaling, passes in itertools.product(SCALINGS, PASSES):
        places.append({"tuned": INNER, "scaling": scaling, "passes": float(passes)})
    for at, run in itertools.product(places, range(10)):
        base = 80 + rng.normal()
        values = {CAT: base, SUM: base + 1, EXACT: base}
        values[TWO_VIEW] = base + lead + 0.1 * rng.uniform(-1, 1)
        for method, value in values.items():
            where = {"folds": 5.0, **at}
            yield row(dataset, page.NESTED, where, method, "f1_pct", value, "tuned", run)


def table_rows(dataset):
    """F1 of 70 for the first method, one more for each that follows, in every reading."""
    at = {"folds": 5.0, "C": 0.1, "gamma": 0.5}
    for run, (shift, method) in itertools.product(range(3), enumerate([*PRINTED, SUM])):
        value = 70.0 + shift + run
        yield row(dataset, "2", at, method, "f1_pct", value, run=run)
        for name, taken in (("scaling", "unit"), ("empty", "skip"), ("passes", 5.0)):
            place = {**at, name: taken}
            yield row(dataset, f"choice:{name}", place, method, "f1_pct", value, ONE_OTHER, run)
    yield row(dataset, "2", at, MAJORITY, "f1_pct", 0.0)


def statistics_rows(dataset):
    for metric, value in (("positive", 459), ("negative", 2820), ("total", 3279)):
        yield row(dataset, "1", {}, "data set", metric, float(value))
    for metric, value in (("dimension", 929), ("empty_rows", 3)):
        yield row(dataset, "1", {"place": 1.0, "view": "first"}, "data set", metric, float(value))


def figure_rows(dataset):
    at = {"scaling": "binary"}
    for method in (TWO_VIEW, ALONE, EXACT):
        for run, t in itertools.product(range(2), (5.0, 10.0)):
            place = {**at, "round": t}
            metric = "cumulative_view_difference"
            yield row(dataset, "fig1", place, method, metric, 1.0 / t, run=run)
        yield row(dataset, "fig1", at, method, "mean_view_difference", 0.5)


@pytest.fixture
def rows(rng):
    records = []
    for dataset, sign in (("ads", -1.0), ("webkb_course", 1.0), ("opinion_spam", 0.5)):
        records += combined_rows(
            dataset, lambda r, g, s=sign: s * (2 if g < 0.5 else 4) + (r == "idf") * 10
        )
        records += tuned_rows(dataset, sign, rng)
        records += table_rows(dataset)
        records += statistics_rows(dataset)
        records += figure_rows(dataset)
    for gamma, method, run in itertools.product((0.0, 0.05), ("a", "b"), range(2)):
        value = 80 + gamma + (method == "b") + run
        at = {"C": 0.1, "gamma": gamma}
        records.append(row("ads", "extra:more views", at, method, "f1_pct", value, "own", run))
    return pd.DataFrame(records)


def test_advantage_is_two_view_minus_cat_at_the_same_c(rows):
    table = page.advantage(rows)
    zero = table[(table["empty"] == "zero") & (table["dataset"] == "ads")]
    expected = np.where(zero["gamma"] < 0.5, -2.0, -4.0) + (zero["scaling"] == "idf") * 10
    np.testing.assert_allclose(zero["mean"], expected)
    np.testing.assert_allclose(zero["min"], zero["max"])


def test_shares_count_what_is_ahead_and_leave_the_infinite_rule_out(rows):
    shares = page.shares_table(rows).set_index(["data set", "order", "rows"])
    assert shares.loc[("Ads", "shuffled", "0/1"), "ahead, %"] == 0
    assert shares.loc[("Ads", "shuffled", "idf"), "ahead, %"] == 100
    assert shares.loc[("WebKB", "given", "unit norm"), "ahead, %"] == 100
    assert (shares["combinations"] == len(PASSES) * len(CS) * len(GAMMAS)).all()


def test_shares_are_shown_when_all_data_are_surrogates(rows):
    every = page.shares_table(rows.assign(provenance="surrogate"))
    assert set(every["data set"]) >= set(page.shares_table(rows)["data set"])


def test_conclusion_names_shares_and_tests(rows):
    text = page.conclusion(rows)
    assert "33 % on Ads (at most 100 %, with idf rows)" in text
    assert "100 % on WebKB" in text
    assert f"Ads {page.tuned_difference(rows, 'ads').mean:+.1f} points" in text
    assert text.count(". ") == 1  # two sentences


def test_tuned_difference_is_paired_and_two_sided(rows):
    found = page.tuned_difference(rows, "ads")
    assert found.mean == pytest.approx(found.ours - found.other)
    assert found.mean == pytest.approx(-1.0, abs=0.2)
    assert found.p_value < 0.05
    given = page.tuned_difference(rows, "ads", tuned=INNER, scaling="unit", passes=5)
    assert given.mean == pytest.approx(-1.0, abs=0.2)
    assert page.tuned_difference(rows, "ads", tuned=INNER, scaling="none", passes=1) is None
    table = page.tuned_table(rows)
    assert set(table["against"]) == {CAT, "sum of two PA (control)"}


def test_closest_reading_is_the_nearest_grid_point(rows):
    published = pd.DataFrame(
        [
            {"dataset": dataset, "method": method, "mean": value}
            for dataset, two in (("ads", 86.0), ("webkb_course", 84.0))
            for method, value in zip(PRINTED, (70, 60, 80, two), strict=True)
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


def test_choices_table_starts_with_the_declared_reading(rows):
    table = page.choices_table(rows, "ads")
    assert list(table.index) == ["inferred", "passes=5", "rows=unit", "empty=skip"]
    assert list(table.columns) == [*PRINTED, "sum of two PA (control)"]
    assert (table[TWO_VIEW] == 74.0).all()


def test_statistics_and_extras(rows):
    table = page.statistics_table(rows)
    assert set(table["data set"]) == {page.NAMES[dataset] for dataset in page.REAL}
    assert (table["features"] == 929).all()
    extra = page.extra_table(rows, "extra:more views")
    assert extra.iloc[0]["method"] == "b"
    assert extra.iloc[0]["mean"] == pytest.approx(81.55)
    small = rows.assign(gamma=rows["gamma"].where(rows["table"] != "extra:more views", 0.005))
    assert (page.extra_table(small, "extra:more views")["gamma"] == 0.005).all()
    assert TWO_VIEW in page.difference_table(rows).columns


def test_methods_table_says_who_stands_behind_a_method(rows):
    at = {"folds": 5.0, "C": 0.1, "gamma": 0.5}
    rival = {**row("ads", "2", at, "A rival", "f1_pct", 99.0), "role": "modern"}
    table = page.methods_table(pd.concat([rows, pd.DataFrame([rival])]))
    others = ["A rival (modern)", "majority (control)", "sum of two PA (control)"]
    assert list(table.index) == [*PRINTED, *others]
    assert table.loc[VIEW_1, "Ads"] == "71.0 ± 1.0"


def test_identical_views_are_shown_for_the_papers_own_data():
    at = {"C": 0.1, "gamma": 0.5, "single": "C/2"}
    table, metric = "extra:identical views", "max_weight_difference"
    same = pd.DataFrame(
        [
            row(dataset, table, at, EXACT, metric, float(run), "own", run)
            for dataset, run in itertools.product(("ads", "opinion_spam"), range(2))
        ]
    )
    found = page.identical_table(same).to_dict()
    assert found == {"Ads, C=0.1;gamma=0.5": {"Two-view PA, exact against PA-I(C/2)": 1.0}}


def test_figures_draw_and_describe_themselves(rows):
    svg = figure_svg(figures.heat_map(rows), "heat", figures.heat_alt(rows))
    assert svg.startswith("<svg")
    details = {
        d: {"difference_per_round": {m: [0.1] * 10 for m in (TWO_VIEW, ALONE)}}
        for d in figures.FIGURES
    }
    assert "Ads" in figures.difference_alt(rows)
    drawn = figures.difference_figure(rows, details)
    assert len(drawn.axes) == 6
    figure_svg(drawn, "difference", figures.difference_alt(rows))
