import numpy as np
import pandas as pd
import pytest

from reproduction.papers import coplsa_clustering as page

COLUMNS = ["dataset", "table", "setting", "method", "metric", "reading", "run", "value"]
SCORES = ("accuracy_pct", "nmi_pct")


def block(dataset, table, setting, method, reading, mean, metrics=SCORES, n=4):
    return [
        (dataset, table, setting, method, metric, reading, run, mean + run)
        for metric in metrics
        for run in range(n)
    ]


@pytest.fixture(scope="module")
def rows():
    records = []
    for dataset, views in (("reuters", ("EN", "SP")), ("corel5k", ("rgb", "sift"))):
        records += block(dataset, "1", "20 runs", "PLSA + BOVF", "paper", 40.0)
        records += block(dataset, "1", "20 runs", "PLSA + BOVF", f"view={views[0]}", 30.0)
        for reading in (f"view={views[0]}", f"lambda=strong view={views[0]}"):
            records += block(dataset, "1", "20 runs", "CoPLSA(2)", reading, 32.0)
        for reading, gain in (("paper", 1.0), ("lambda=strong", 3.0)):
            records += block(dataset, "1", "20 runs", "CoPLSA(2)", reading, 40.0 + gain)
            records += block(dataset, "1", "20 runs", page.PLACEBO, reading, 39.5)
        for metric in ("rho_mean", "rho_max", "negative_pct", "decreases", "unsafe_steps"):
            where = (dataset, "extra:diagnostics", "20 runs", "CoPLSA(2)", "paper", 0.01, [metric])
            records += block(*where)
        for view, score in zip(views, (0.3, 0.4), strict=True):
            for rule in ("accuracy", "silhouette", "likelihood"):
                sign = -1 if rule == "silhouette" else 1
                records += block(dataset, "choice", rule, view, "paper", sign * score, ["score"], 1)
        for scale in ("raw", "sqrt"):
            for view in views:
                where = (dataset, "silent:scale", f"scale={scale}", "PLSA", f"view={view}", 30.0)
                records += block(*where)
        for lam in (0.01, 0.1):
            for reading in ("paper", "update=safeguarded"):
                where = (dataset, "fig2", f"lambda={lam:g}", "CoPLSA(2)", reading)
                records += block(*where, 40.0)
                records += block(*where, lam, ["rho_max"])
        for share in (0.0, 0.3):
            for part in ("all", "seen"):
                where = (dataset, "extra:missing", f"missing={share:g}", "CoPLSA(2)")
                records += block(*where, f"rows={part}", 35.0)
        for sigma in ("0.5", "1.0", "mean"):
            where = (dataset, "silent:sigma", f"sigma={sigma}", "CoPLSA(2)", "paper", 40.0)
            records += block(*where)
        for total in (10, 20):
            for method in ("PLSA + BOVF", "CoPLSA(2)"):
                where = (dataset, "silent:iterations", f"iterations={total}", method, "paper")
                records += block(*where, 30.0 + total)
    for scale in ("raw", "sqrt"):
        for method in ("K-means", "PLSA"):
            where = ("corel5k", "silent:sift", "sift", method, f"scale={scale}")
            records += block(*where, 12.0)
        where = ("corel5k", "silent:sift", "sift", "K-means", f"scale={scale}", 0.1, ["silhouette"])
        records += block(*where, 1)
    for i, share in enumerate((0.01, 0.02, 0.05)):
        for what in ("pairs", "words"):
            place = f"{what} share={share:g}"
            records.append(
                ("corel5k", "extra:cost", place, "CoPLSA(2)", what, "paper", 0, 100.0 * (i + 1))
            )
    return pd.DataFrame(records, columns=COLUMNS)


@pytest.fixture(scope="module")
def timings():
    records = [
        (
            "corel5k",
            f"time:{what}",
            f"share={share:g}",
            "CoPLSA(2)",
            "seconds",
            "paper",
            0,
            0.1 + 0.2 * i,
        )
        for what in ("pairs", "words")
        for i, share in enumerate((0.01, 0.02, 0.05))
    ]
    return pd.DataFrame(records, columns=COLUMNS)


def test_differences_are_paired_with_plsa(rows):
    frame = page.differences(rows).set_index(["data set", "method", "lambda"])["difference"]
    assert frame[page.NAMES["reuters"], "CoPLSA(2)", "the paper's"] == pytest.approx(1.0)
    assert frame[page.NAMES["reuters"], "CoPLSA(2)", "strong"] == pytest.approx(3.0)
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
    spread = f"{np.std([0, 1, 2, 3], ddof=1):.1f}"
    readings = page.readings_table(rows, ["CoPLSA(2)"])
    assert readings["accuracy %"].iloc[0] == f"42.5 ± {spread}"
    assert readings["reading"].iloc[0] == "paper"
    scale = page.scale_table(rows, "accuracy_pct")
    assert list(scale.columns) == ["data set", "method", "on", "as distributed", "square root"]
    assert set(page.sift_table(rows)["scale"]) == {"as distributed", "square root"}
    assert set(page.missing_table(rows)["hidden %"]) == {"0", "30"}
    assert "largest ρ" in page.diagnostics_table(rows)
    assert page.mean_of(rows, "reuters", "CoPLSA(2)", "nmi_pct", "paper") == pytest.approx(42.5)
    assert np.isnan(page.mean_of(rows, "reuters", "none", "nmi_pct", "paper"))


def test_figures_draw_every_panel(rows, timings):
    assert page.lambda_panels(rows) == [("reuters", "raw"), ("corel5k", "raw")]
    figure = page.lambda_figure(rows)
    assert sum(ax.get_visible() for ax in figure.axes) == 4  # two panels, two second axes
    assert len(page.difference_figure(rows).axes) == 2
    assert len(page.silent_figure(rows, "silent:sigma", "σ").axes) == 2
    assert len(page.cost_figure(rows, timings).axes) == 2
    assert len(page.iterations_figure(rows, {"reuters": 15, "corel5k": 15}).axes) == 2


def test_the_cost_of_the_cap_is_told(rows):
    text = page.iterations_text(rows, {"reuters": 12})
    assert "PLSA + BOVF from 41.5 to 51.5 %" in text
    assert "between 10 and 20 iterations" in text


def test_straight_times_are_recognised(rows, timings):
    assert page.straightness(rows, timings, "pairs") == pytest.approx(1.0)
    assert np.isnan(page.straightness(rows, timings.iloc[:2], "pairs"))
