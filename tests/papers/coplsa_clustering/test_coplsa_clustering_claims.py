import pytest

from reproduction.papers.coplsa_clustering import claims
from reproduction.papers.coplsa_clustering.columns import PAPER, PLACEBO, STRONG, THREE, TWO
from reproduction.results.published import printed_methods
from reproduction.results.rows import Row
from reproduction.verdicts.score import load_claims_file

BASELINES = sorted(printed_methods(PAPER)["1"] - {TWO, THREE})
LAMBDAS = {"reuters": 0.07}


@pytest.fixture
def runs(rng):
    """Return a function that makes the runs of a method around a mean."""

    def make(method, mean, *, table="1", at=None, metric="accuracy_pct", n=20, **place):
        return [
            Row(table, at or {}, method, metric, mean + noise, run=run, **place)
            for run, noise in enumerate(rng.normal(0, 0.5, n))
        ]

    return make


@pytest.fixture
def table(as_rows):
    return lambda rows, **options: as_rows({"reuters": rows}, **options)


@pytest.fixture
def nothing(table, runs):
    """The frame of a paper without a row."""
    return table(runs(TWO, 40.0))[:0]


def test_best_needs_every_baseline_beaten(table, runs):
    baselines = {name: runs(name, 40.0) for name in BASELINES}
    mine = runs(TWO, 45.0)
    params = {"datasets": ["reuters"], "method": TWO}
    rows = [row for part in baselines.values() for row in part]
    assert claims.beats_every_baseline(table(rows + mine), params).verdict == "holds"
    baselines["VPLSA"] = runs("VPLSA", 50.0)
    rows = [row for part in baselines.values() for row in part]
    assert claims.beats_every_baseline(table(rows + mine), params).verdict == "fails"


def test_methods_that_the_paper_does_not_have_do_not_vote(table, runs):
    rows = [row for name in BASELINES for row in runs(name, 40.0)] + runs(TWO, 45.0)
    params = {"datasets": ["reuters"], "method": TWO}
    alone = claims.beats_every_baseline(table(rows), params)
    for role in ("ours", "modern", "control"):
        added = rows + runs("stronger", 60.0, role=role)
        assert claims.beats_every_baseline(table(added), params) == alone


def test_a_surrogate_decides_nothing(table, runs, nothing):
    rows = [row for name in BASELINES for row in runs(name, 40.0)] + runs(TWO, 45.0)
    params = {"datasets": ["reuters"], "method": TWO}
    result = claims.beats_every_baseline(table(rows, provenance="surrogate"), params)
    assert result.verdict == "untestable"
    assert claims.beats_every_baseline(nothing, params).verdict == "untestable"


def test_third_view_claims_are_opposites(table, runs, nothing):
    helps = {"datasets": ["reuters"], "method": THREE, "others": [TWO], "metrics": ["accuracy_pct"]}
    no_help = {**helps, "other": TWO, "metric": "accuracy_pct"}
    up = table(runs(TWO, 40.0) + runs(THREE, 44.0))
    assert claims.beats(up, helps).verdict == "holds"
    assert claims.does_not_beat(up, no_help).verdict == "fails"
    down = table(runs(TWO, 44.0) + runs(THREE, 40.0))
    assert claims.beats(down, helps).verdict == "fails"
    result = claims.does_not_beat(down, no_help)
    assert result.verdict == "holds"
    assert result.effect > 0
    assert claims.does_not_beat(nothing, no_help).verdict == "untestable"


@pytest.mark.parametrize(("placebo", "verdict"), [(40.0, "holds"), (46.0, "mixed")])
def test_information_must_beat_the_placebo_too(table, runs, placebo, verdict):
    rows = runs("PLSA + BOVF", 40.0) + runs(TWO, 45.0)
    rows = table(rows + runs(PLACEBO, placebo, role="control"))
    params = {"datasets": ["reuters"], "metric": "accuracy_pct"}
    assert claims.gain_is_information(rows, params).verdict == verdict
    strong = {**params, "reading": STRONG}
    assert claims.gain_is_information(rows, strong).verdict == "untestable"


def test_best_view_compares_the_first_two(table, runs):
    place = {"table": "choice:best_view", "metric": "score"}
    rows = []
    for rule, (first, second) in {"accuracy": (30.0, 25.0), "silhouette": (10.0, 40.0)}.items():
        rows += runs("K-means", first, at={"rule": rule, "view": "SP"}, **place)
        rows += runs("K-means", second, at={"rule": rule, "view": "EN"}, **place)
    rows = table(rows)
    params = {"datasets": ["reuters"], "views": {"reuters": ["SP", "EN"]}}
    assert claims.best_view(rows, params).verdict == "holds"
    params["views"] = {"reuters": ["EN", "SP"]}
    assert claims.best_view(rows, params).verdict == "fails"


@pytest.fixture
def curve(rng):
    """Return a function that makes Figure 2; all lambdas share starts, so noise."""
    noise = rng.normal(0, 0.3, 10)

    def make(values, scale="raw"):
        return [
            Row("fig2", {"lambda_": lam, "scale": scale}, TWO, "accuracy_pct", mean + e, run=run)
            for lam, mean in values.items()
            for run, e in enumerate(noise)
        ]

    return make


def test_stable_range_looks_near_the_papers_lambda_only(table, curve, nothing):
    params = {"datasets": ["reuters"], "lambda": LAMBDAS, "factor": 10, "margin": 2.0}
    flat = curve({0.007: 40.0, 0.07: 40.5, 0.7: 40.2, 70.0: 10.0})
    assert claims.stable_range(table(flat), params).verdict == "holds"
    other_scale = curve({0.007: 10.0, 0.07: 90.0}, scale="l1")
    assert claims.stable_range(table(flat + other_scale), params).verdict == "holds"
    steep = table(curve({0.007: 40.0, 0.07: 46.0, 0.7: 40.2}))
    assert claims.stable_range(steep, params).verdict == "fails"
    assert claims.stable_range(nothing, params).verdict == "untestable"


def test_best_lambda(table, curve, runs, nothing):
    params = {"datasets": ["reuters"], "lambda": LAMBDAS}
    plsa = runs("PLSA + BOVF", 40.0)
    peak = table(curve({0.007: 40.0, 0.07: 46.0, 0.7: 41.0}) + plsa)
    assert claims.best_lambda(peak, params).verdict == "holds"
    elsewhere = table(curve({0.007: 40.0, 0.07: 46.0, 0.7: 49.0}) + plsa)
    assert claims.best_lambda(elsewhere, params).verdict == "fails"
    nowhere = table(curve({0.007: 37.0, 0.07: 37.0, 0.7: 37.0}) + plsa)
    assert claims.best_lambda(nowhere, params).verdict == "mixed"
    assert claims.best_lambda(nothing, params).verdict == "untestable"


def test_cost_bound(as_rows, nothing):
    def sizes(work):
        at = {"sweep": "pairs", "share": 0.01}
        values = (("work", work), ("bound", 100.0))
        return as_rows({"corel5k": [Row("extra:cost", at, TWO, *value) for value in values]})

    params = {"dataset": "corel5k"}
    assert claims.cost_is_bounded(sizes(20.0), params).verdict == "holds"
    assert claims.cost_is_bounded(sizes(200.0), params).verdict == "fails"
    assert claims.cost_is_bounded(nothing, params).verdict == "untestable"


def test_every_claim_names_a_reading_and_a_method_that_the_jobs_write():
    known = {*printed_methods(PAPER)["1"], None}
    for claim in load_claims_file(PAPER):
        assert callable(getattr(claims, claim["check"]))
        params = claim["params"]
        assert {params.get("method"), params.get("other"), *params.get("others", [])} <= known
        assert params.get("reading", STRONG) == STRONG
