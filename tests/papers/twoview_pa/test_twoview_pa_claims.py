import numpy as np
import pandas as pd
import pytest
from scipy import stats

from reproduction.verdicts.claims import twoview_pa as claims

SETTING = "5-fold;C=0.1;gamma=0.5"


def frame(values, *, table="2", metric="f1_pct", setting=SETTING, reading="paper", kinds=None):
    """Rows from {(data set, method): values per run}."""
    kinds = kinds or {"product_review": "surrogate", "opinion_spam": "stand-in"}
    return pd.DataFrame(
        [
            {
                "paper": "twoview_pa", "dataset": dataset, "label": "", "table": table,
                "setting": setting, "method": method, "metric": metric, "reading": reading,
                "run": run, "value": float(value), "provenance": kinds.get(dataset, "original"),
            }
            for (dataset, method), series in values.items()
            for run, value in enumerate(series)
        ]
    )  # fmt: skip


def f1_rows(two_view_leads, n=50, seed=0):
    rng = np.random.default_rng(seed)
    values = {}
    for dataset, lead in two_view_leads.items():
        base = 80 + rng.normal(size=n)
        for shift, method in enumerate(claims.RIVALS):
            values[dataset, method] = base + 0.1 * shift
        values[dataset, claims.SUM] = base + 1
        values[dataset, claims.TWO_VIEW] = base + 0.2 + lead + 0.5 * rng.normal(size=n)
    return frame(values)


def test_corrected_test_widens_the_error_for_shared_training_rows():
    d = np.random.default_rng(0).normal(0.5, 1.0, 25)
    mean, p = claims.corrected_test(d, 5)
    error = d.std(ddof=1) * np.sqrt(1 / 25 + 1 / 4)
    assert mean == pytest.approx(d.mean())
    assert p == pytest.approx(stats.t.sf(d.mean() / error, 24))
    assert p > stats.ttest_1samp(d, 0, alternative="greater").pvalue
    assert claims.corrected_test(np.full(5, 2.0), 5, margin=1.0) == (2.0, 0.0)
    assert claims.corrected_test(np.zeros(5), 5) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("leads", "verdict"),
    [
        ({"ads": 3.0, "webkb_course": 3.0}, "holds"),
        ({"ads": -3.0, "webkb_course": 3.0}, "mixed"),
        ({"ads": -3.0, "webkb_course": -1.0}, "fails"),
    ],
)
def test_best_of_all(leads, verdict):
    rows = f1_rows({**leads, "product_review": 5.0, "opinion_spam": -5.0})
    result = claims.best_of_all(rows, {"datasets": ["ads", "webkb_course", "product_review"]})
    assert result.verdict == verdict
    assert result.n == 100  # surrogate and stand-in do not vote
    assert "not counted, opinion_spam" in result.detail


def test_surrogates_alone_are_untestable():
    rows = f1_rows({"product_review": 5.0})
    assert claims.best_of_all(rows, {"datasets": ["product_review"]}).verdict == "untestable"
    params = {"datasets": ["ads"], "method": claims.TWO_VIEW, "others": ["PA Cat"]}
    assert claims.beats(rows, params).verdict == "untestable"


def test_beats_with_a_margin():
    rows = f1_rows({"webkb_course": 2.5})
    params = {"datasets": ["webkb_course"], "method": claims.TWO_VIEW, "others": ["PA Cat"]}
    assert claims.beats(rows, params).verdict == "holds"
    assert claims.beats(rows, {**params, "margin": 3.0}).verdict == "fails"
    assert claims.beats(rows, {**params, "others": [claims.SUM]}).verdict == "holds"
    other = rows.assign(reading="tuned")
    assert claims.beats(other, params).verdict == "untestable"
    assert claims.beats(other, {**params, "reading": "tuned"}).verdict == "holds"


def test_a_setting_without_folds_is_an_error():
    rows = f1_rows({"ads": 1.0}).assign(setting="C=0.1")
    params = {"datasets": ["ads"], "method": claims.TWO_VIEW, "others": ["PA Cat"]}
    with pytest.raises(ValueError, match="does not say how many folds"):
        claims.beats(rows, params)


def test_view_differences():
    rng = np.random.default_rng(1)
    values = {
        ("ads", claims.TWO_VIEW): 1.0 + 0.1 * rng.random(20),
        ("webkb_course", claims.TWO_VIEW): 0.4 + 0.1 * rng.random(20),
        ("webkb_course", "PA on each view"): 0.6 + 0.1 * rng.random(20),
        ("opinion_spam", claims.TWO_VIEW): 0.7 + 0.1 * rng.random(20),
    }
    rows = frame(values, table="fig", metric="mean_view_difference", setting="all rounds")
    params = {"small": "webkb_course", "large": "ads", "metric": "mean_view_difference"}
    result = claims.difference_order(rows, params)
    assert result.verdict == "holds"
    assert "opinion_spam (stand-in, not counted)" in result.detail
    unit = rows.assign(reading="rows=unit", value=-rows["value"])
    both = pd.concat([rows, unit])
    assert claims.difference_order(both, params).verdict == "holds"
    assert claims.difference_order(both, {**params, "reading": "rows=unit"}).verdict == "fails"
    swapped = {**params, "small": "ads", "large": "webkb_course"}
    assert claims.difference_order(rows, swapped).verdict == "fails"
    assert claims.difference_shrinks(rows, {"datasets": ["webkb_course"]}).verdict == "holds"
    assert claims.difference_shrinks(rows, {"datasets": ["ads"]}).verdict == "untestable"


def test_identical_views():
    values = {
        ("ads", "printed against PA-I(C)"): [0.3, 0.2],
        ("ads", "exact against PA-I(C/2)"): [0.0, 0.0],
    }
    rows = frame(
        values, table="extra:identical views", metric="max_weight_difference", reading="own"
    )
    assert claims.identical_views(rows, {"variant": "printed", "C": "C"}).verdict == "fails"
    assert claims.identical_views(rows, {"variant": "exact", "C": "C/2"}).verdict == "holds"
    assert claims.identical_views(rows, {"variant": "eq11", "C": "C"}).verdict == "untestable"
