import numpy as np
import pandas as pd
import pytest

from reproduction.papers.coplsa_clustering import figures, page, times
from reproduction.papers.coplsa_clustering.settings import PLACEBO, RULES, SAFEGUARDED, STRONG, TWO
from reproduction.results.rows import INFERRED, Row
from reproduction.results.summary import mean_and_deviation

SCORES = ("accuracy_pct", "nmi_pct")
_RUNS = 4


@pytest.fixture(autouse=True)
def no_results(monkeypatch, tmp_path):
    """Names ask the results folder what is a surrogate: here nothing is."""
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tmp_path))


def block(table, at, method, mean, metrics=SCORES, n=_RUNS, **place):
    return [
        Row(table, at, method, metric, mean + run, run=run, **place)
        for metric in metrics
        for run in range(n)
    ]


def both(views):
    """Rows that two data sets have."""
    rows = block("1", {}, "PLSA + BOVF", 40.0)
    first = {"view": views[0]}
    rows += block("choice:view", first, "PLSA + BOVF", 30.0)
    for reading, gain in ((INFERRED, 1.0), (STRONG, 3.0)):
        rows += block("choice:view", first, TWO, 32.0, reading=reading)
        rows += block("1", {}, TWO, 40.0 + gain, reading=reading)
        rows += block("1", {}, PLACEBO, 39.5, reading=reading, role="control")
    names = ("rho_mean", "rho_max", "negative_pct", "decreases", "unsafe_steps")
    rows += block("extra:diagnostics", {}, TWO, 0.01, names)
    for view, score in zip(views, (0.3, 0.4), strict=True):
        for rule in RULES:
            value = -score if rule == "silhouette" else score
            at = {"rule": rule, "view": view}
            rows += block("choice:best_view", at, "K-means", value, ["score"], 1)
        for scale in ("sqrt", "raw"):
            rows += block("choice:scale", {"scale": scale, "view": view}, "PLSA", 30.0)
    for lam in (0.01, 0.1):
        at = {"lambda_": lam, "scale": "raw"}
        for reading in (INFERRED, SAFEGUARDED):
            rows += block("fig2", at, TWO, 40.0, reading=reading)
            rows += block("fig2", at, TWO, lam, ["rho_max"], reading=reading)
    for share in (0.3, 0.0):
        for part in ("all", "seen"):
            rows += block("extra:missing", {"missing": share, "scored": part}, TWO, 35.0)
    for strength, lam in (("paper", 0.07), ("strong", 2.0)):
        for at in ({"sigma": 0.5}, {"sigma": 1.0}, {"width": "mean"}):
            rows += block("choice:sigma", {**at, "strength": strength, "lambda_": lam}, TWO, 40.0)
    for total in (10, 20):
        for method in ("PLSA + BOVF", TWO):
            rows += block("choice:iterations", {"steps": total}, method, 30.0 + total)
    return rows


def photographs():
    """Rows that Corel5K alone has."""
    rows = []
    for scale in ("raw", "sqrt"):
        at = {"view": "sift", "scale": scale}
        for method in ("K-means", "PLSA"):
            rows += block("choice:sift", at, method, 12.0)
        rows += block("choice:sift", at, "K-means", 0.1, ["silhouette"], 1)
    for i, share in enumerate((0.01, 0.02, 0.05)):
        for sweep in ("pairs", "words"):
            at = {"sweep": sweep, "share": share}
            rows.append(Row("extra:cost", at, TWO, sweep, 100.0 * (i + 1)))
    return rows


@pytest.fixture(scope="module")
def rows(as_rows):
    return as_rows(
        {"reuters": both(("EN", "SP")), "corel5k": both(("rgb", "sift")) + photographs()}
    )


@pytest.fixture(scope="module")
def timings():
    return pd.DataFrame(
        {"table": "extra:cost_time", "sweep": sweep, "share": share, "value": 0.1 + 0.2 * i}
        for sweep in ("pairs", "words")
        for i, share in enumerate((0.01, 0.02, 0.05))
    )


def test_differences_are_paired_with_plsa(rows):
    frame = page.differences(rows).set_index(["data set", "method", "lambda"])["difference"]
    assert frame[page.NAMES["reuters"], TWO, "the paper's"] == pytest.approx(1.0)
    assert frame[page.NAMES["reuters"], TWO, "strong"] == pytest.approx(3.0)
    assert frame[page.NAMES["corel5k"], "placebo", "the paper's"] == pytest.approx(-0.5)


def test_gains_are_shown_view_by_view(rows):
    frame = page.view_gains(rows)
    assert set(frame["view"]) == {"EN", "rgb"}
    assert set(frame["lambda"]) == {"the paper's", "strong"}
    np.testing.assert_allclose(frame["gain"], 2.0)


def test_choice_marks_the_best_view_of_each_rule(rows):
    frame = page.choice_table(rows).set_index(["data set", "view"])
    best = frame.loc[(page.NAMES["reuters"], "SP")]
    assert best["k-means accuracy (labels)"].endswith("*")
    assert not best["silhouette"].endswith("*")
    assert list(frame.loc[page.NAMES["reuters"]].index) == ["EN", "SP"]


def test_tables_hold_means_and_deviations(rows):
    readings = page.readings_table(rows, [TWO])
    expected = mean_and_deviation(pd.Series(41.0 + np.arange(_RUNS)))
    assert readings["accuracy %"].iloc[0] == expected
    assert readings["reading"].iloc[0] == INFERRED
    assert set(readings["view"]) == {"", "EN", "rgb"}
    scale = page.scale_table(rows, "accuracy_pct")
    assert list(scale.columns)[-2:] == ["as distributed", "square root"]
    assert set(page.sift_table(rows)["scale"]) == {"as distributed", "square root"}
    missing = page.missing_table(rows)
    assert list(missing["hidden %"].unique()) == ["0", "30"]
    assert {"all", "seen"} <= set(missing.columns)
    assert "largest ρ" in page.diagnostics_table(rows)


def test_figures_draw_every_panel(rows):
    assert figures.lambda_panels(rows) == [("reuters", "raw"), ("corel5k", "raw")]
    figure = figures.lambda_figure(rows)
    assert sum(ax.get_visible() for ax in figure.axes) == 4  # two panels, two second axes
    assert len(figures.difference_figure(rows).axes) == 2
    further = ("choice:iterations", "steps", "EM iterations", "method")
    assert len(figures.curves_figure(rows, *further, {"reuters": 15}).axes) == 2


def test_a_measured_width_is_no_point_of_the_curve(rows):
    figure = figures.curves_figure(rows, "choice:sigma", "sigma", "σ", "strength", {})
    assert len(figure.axes) == 2
    for ax in figure.axes:
        assert [line.get_label() for line in ax.lines] == ["λ of the paper", "λ=2"]
        for line in ax.lines:
            np.testing.assert_array_equal(line.get_xdata(), [0.5, 1.0])


def test_straight_times_are_recognised(rows, timings):
    assert times.straightness(rows, timings, "pairs") == pytest.approx(1.0)
    assert np.isnan(times.straightness(rows, timings.iloc[:2], "pairs"))
    figure, _ = times.figures(rows, timings)["cost"]
    assert len(figure.axes) == 2
    assert "explains 100.0 %" in figure.axes[0].get_title()
