import numpy as np
import pandas as pd
import pytest
from scipy import stats

from reproduction.papers.twoview_pa import claims
from reproduction.papers.twoview_pa.methods import ALONE, CAT, EXACT, SUM, TWO_VIEW, role_of

KINDS = {"product_review": "surrogate", "opinion_spam": "stand-in"}


def frame(values, *, table="2", metric="f1_pct", reading="paper", **columns):
    """Rows from {(data set, method): values per run}."""
    return pd.DataFrame(
        [
            {
                "paper": "twoview_pa", "dataset": dataset, "table": table, **columns,
                "method": method, "role": role_of(method), "metric": metric, "reading": reading,
                "run": run, "value": float(value), "provenance": KINDS.get(dataset, "original"),
            }
            for (dataset, method), series in values.items()
            for run, value in enumerate(series)
        ]
    )  # fmt: skip


def f1_rows(rng, two_view_leads, n=50):
    values = {}
    for dataset, lead in two_view_leads.items():
        base = 80 + rng.normal(size=n)
        for shift, method in enumerate(claims.RIVALS):
            values[dataset, method] = base + 0.1 * shift
        values[dataset, SUM] = base + 1
        values[dataset, TWO_VIEW] = base + 0.2 + lead + 0.5 * rng.normal(size=n)
    return frame(values, folds=5.0)


def test_corrected_test_widens_the_error_for_shared_training_rows(rng):
    d = rng.normal(0.5, 1.0, 25)
    mean, p = claims.corrected_test(d, 5)
    error = d.std(ddof=1) * np.sqrt(1 / 25 + 1 / 4)
    assert mean == pytest.approx(d.mean())
    assert p == pytest.approx(stats.t.sf(d.mean() / error, 24))
    plain = stats.ttest_1samp(d, 0, alternative="greater").pvalue
    assert abs(p - 0.5) < abs(plain - 0.5)
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
def test_best_of_all(leads, verdict, rng):
    rows = f1_rows(rng, {**leads, "product_review": 5.0, "opinion_spam": -5.0})
    result = claims.best_of_all(rows, {"datasets": ["ads", "webkb_course", "product_review"]})
    assert result.verdict == verdict
    assert result.n == 100  # surrogate and stand-in do not vote
    assert "not counted, opinion_spam" in result.detail


def test_surrogates_alone_are_untestable(rng):
    rows = f1_rows(rng, {"product_review": 5.0})
    assert claims.best_of_all(rows, {"datasets": ["product_review"]}).verdict == "untestable"
    params = {"datasets": ["ads"], "method": TWO_VIEW, "others": [CAT]}
    assert claims.beats(rows, params).verdict == "untestable"


def test_beats_with_a_margin(rng):
    rows = f1_rows(rng, {"webkb_course": 2.5})
    params = {"datasets": ["webkb_course"], "method": TWO_VIEW, "others": [CAT]}
    assert claims.beats(rows, params).verdict == "holds"
    assert claims.beats(rows, {**params, "margin": 3.0}).verdict == "fails"
    assert claims.beats(rows, {**params, "others": [SUM]}).verdict == "holds"
    other = rows.assign(table="choice:tuned", tuned="everything", reading="tuned")
    assert claims.beats(other, params).verdict == "untestable"
    where = {"table": "choice:tuned", "tuned": "everything", "reading": "tuned"}
    assert claims.beats(other, {**params, "where": where}).verdict == "holds"
    where = {**where, "tuned": "C and gamma"}
    assert claims.beats(other, {**params, "where": where}).verdict == "untestable"


def test_what_the_paper_does_not_have_has_no_vote(rng):
    rows = f1_rows(rng, {"ads": 3.0})
    params = {"datasets": ["ads"]}
    rival = rows[rows["method"] == CAT].assign(role="ours", value=100.0)
    assert claims.best_of_all(pd.concat([rows, rival]), params) == claims.best_of_all(rows, params)


def test_view_differences(rng):
    values = {
        ("ads", TWO_VIEW): 1.0 + 0.1 * rng.random(20),
        ("webkb_course", TWO_VIEW): 0.4 + 0.1 * rng.random(20),
        ("webkb_course", ALONE): 0.6 + 0.1 * rng.random(20),
        ("opinion_spam", TWO_VIEW): 0.7 + 0.1 * rng.random(20),
    }
    rows = frame(values, table="fig1", metric="mean_view_difference", scaling="binary")
    params = {"small": "webkb_course", "large": "ads", "metric": "mean_view_difference"}
    result = claims.difference_order(rows, params)
    assert result.verdict == "holds"
    assert "opinion_spam (stand-in, not counted)" in result.detail
    unit = rows.assign(scaling="unit", reading="one other choice", value=-rows["value"])
    both = pd.concat([rows, unit])
    assert claims.difference_order(both, params).verdict == "holds"
    where = {"scaling": "unit", "reading": "one other choice"}
    assert claims.difference_order(both, {**params, "where": where}).verdict == "fails"
    swapped = {**params, "small": "ads", "large": "webkb_course"}
    assert claims.difference_order(rows, swapped).verdict == "fails"
    assert claims.difference_shrinks(rows, {"datasets": ["webkb_course"]}).verdict == "holds"
    assert claims.difference_shrinks(rows, {"datasets": ["ads"]}).verdict == "untestable"


def test_identical_views():
    table = {"table": "extra:identical views", "metric": "max_weight_difference", "reading": "own"}
    rows = pd.concat(
        [
            frame({("ads", TWO_VIEW): [0.3, 0.2]}, C=0.1, gamma=0.5, single="C", **table),
            frame({("ads", EXACT): [0.0, 0.0]}, C=0.1, gamma=0.5, single="C/2", **table),
        ]
    )
    verdict = {
        (method, single): claims.identical_views(rows, {"method": method, "single": single}).verdict
        for method, single in ((TWO_VIEW, "C"), (EXACT, "C/2"), (EXACT, "C"))
    }
    assert verdict == {
        (TWO_VIEW, "C"): "fails",
        (EXACT, "C/2"): "holds",
        (EXACT, "C"): "untestable",
    }
