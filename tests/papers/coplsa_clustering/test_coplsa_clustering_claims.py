import numpy as np
import pandas as pd
import pytest

from reproduction.verdicts.claims import coplsa_clustering as claims

COLUMNS = ("dataset", "table", "setting", "method", "metric", "reading", "run", "value")
LAMBDAS = {"reuters": 0.07}


def table(records, provenance="differs"):
    frame = pd.DataFrame(records, columns=list(COLUMNS))
    return frame.assign(paper="coplsa_clustering", label=frame["dataset"], provenance=provenance)


def runs(method, mean, *, dataset="reuters", metric="accuracy_pct", n=20, seed=0, **place):
    rng = np.random.default_rng([seed, len(method)])
    where = {"table": "1", "setting": "20 runs", "reading": "paper", **place}
    return [
        (dataset, where["table"], where["setting"], method, metric, where["reading"], r, v)
        for r, v in enumerate(mean + rng.normal(0, 0.5, n))
    ]


def test_best_needs_every_baseline_beaten():
    records = [row for name in claims.BASELINES for row in runs(name, 40.0)]
    params = {"datasets": ["reuters"], "method": "CoPLSA(2)"}
    good = claims.beats_every_baseline(table(records + runs("CoPLSA(2)", 45.0)), params)
    assert good.verdict == "holds"
    stronger = records + runs("CoPLSA(2)", 45.0) + runs("VPLSA", 50.0, seed=1)
    stronger = [r for r in stronger if not (r[3] == "VPLSA" and r[7] < 45)]
    assert claims.beats_every_baseline(table(stronger), params).verdict == "fails"


def test_a_surrogate_decides_nothing():
    records = [row for name in claims.BASELINES for row in runs(name, 40.0)]
    records += runs("CoPLSA(2)", 45.0)
    params = {"datasets": ["reuters"], "method": "CoPLSA(2)"}
    result = claims.beats_every_baseline(table(records, "surrogate"), params)
    assert result.verdict == "untestable"
    assert claims.beats_every_baseline(table([])[:0], params).verdict == "untestable"


def test_third_view_claims_are_opposites():
    up = table(runs("CoPLSA(2)", 40.0) + runs("CoPLSA(3)", 44.0, seed=2))
    metrics = ["accuracy_pct"]
    helps = {"datasets": ["reuters"], "method": "CoPLSA(3)", "others": ["CoPLSA(2)"]}
    no_help = {**helps, "other": "CoPLSA(2)", "metric": "accuracy_pct"}
    assert claims.beats(up, {**helps, "metrics": metrics}).verdict == "holds"
    assert claims.does_not_beat(up, no_help).verdict == "fails"
    down = table(runs("CoPLSA(2)", 44.0) + runs("CoPLSA(3)", 40.0, seed=2))
    assert claims.beats(down, {**helps, "metrics": metrics}).verdict == "fails"
    result = claims.does_not_beat(down, no_help)
    assert result.verdict == "holds"
    assert result.effect > 0
    assert claims.does_not_beat(table([])[:0], no_help).verdict == "untestable"


@pytest.mark.parametrize(("placebo", "verdict"), [(40.0, "holds"), (46.0, "mixed")])
def test_information_must_beat_the_placebo_too(placebo, verdict):
    rows = table(
        runs("PLSA + BOVF", 40.0)
        + runs("CoPLSA(2)", 45.0)
        + runs("control:CoPLSA(2) shuffled", placebo)
    )
    params = {"datasets": ["reuters"], "metric": "accuracy_pct"}
    assert claims.gain_is_information(rows, params).verdict == verdict
    strong = {**params, "reading": "lambda=strong"}
    assert claims.gain_is_information(rows, strong).verdict == "untestable"


def test_best_view_compares_the_first_two():
    place = {"table": "choice", "setting": "accuracy", "metric": "score"}
    rows = table(runs("SP", 30.0, **place) + runs("EN", 25.0, **place))
    params = {"datasets": ["reuters"], "views": {"reuters": ["SP", "EN"]}}
    assert claims.best_view(rows, params).verdict == "holds"
    params["views"] = {"reuters": ["EN", "SP"]}
    assert claims.best_view(rows, params).verdict == "fails"


def curve(values):
    records = []
    for lam, mean in values.items():
        records += [
            ("reuters", "fig2", f"lambda={lam:g}", "CoPLSA(2)", "accuracy_pct", "paper", r, v)
            for r, v in enumerate(mean + np.random.default_rng(3).normal(0, 0.3, 10))
        ]
    return records


def test_stable_range_looks_near_the_papers_lambda_only():
    params = {"datasets": ["reuters"], "lambda": LAMBDAS, "factor": 10, "margin": 2.0}
    flat = table(curve({0.007: 40.0, 0.07: 40.5, 0.7: 40.2, 70.0: 10.0}))
    assert claims.stable_range(flat, params).verdict == "holds"
    steep = table(curve({0.007: 40.0, 0.07: 46.0, 0.7: 40.2}))
    assert claims.stable_range(steep, params).verdict == "fails"
    assert claims.stable_range(table([])[:0], params).verdict == "untestable"


def test_best_lambda():
    params = {"datasets": ["reuters"], "lambda": LAMBDAS}
    plsa = runs("PLSA + BOVF", 40.0)
    peak = table(curve({0.007: 40.0, 0.07: 46.0, 0.7: 41.0}) + plsa)
    assert claims.best_lambda(peak, params).verdict == "holds"
    elsewhere = table(curve({0.007: 40.0, 0.07: 46.0, 0.7: 49.0}) + plsa)
    assert claims.best_lambda(elsewhere, params).verdict == "fails"
    nowhere = table(curve({0.007: 39.0, 0.07: 39.0, 0.7: 39.0}) + plsa)
    assert claims.best_lambda(nowhere, params).verdict == "mixed"
    assert claims.best_lambda(table([])[:0], params).verdict == "untestable"


def test_cost_bound():
    def sizes(work):
        return table(
            [
                ("corel5k", "extra:cost", "pairs share=0.01", "CoPLSA(2)", metric, "paper", 0, v)
                for metric, v in (("work", work), ("bound", 100.0))
            ]
        )

    params = {"dataset": "corel5k"}
    assert claims.cost_is_bounded(sizes(20.0), params).verdict == "holds"
    assert claims.cost_is_bounded(sizes(200.0), params).verdict == "fails"
    assert claims.cost_is_bounded(table([])[:0], params).verdict == "untestable"
