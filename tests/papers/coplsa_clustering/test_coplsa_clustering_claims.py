from dataclasses import replace

import pytest

from reproduction.papers.coplsa_clustering import claims
from reproduction.papers.coplsa_clustering.columns import PAPER, PLACEBO, STRONG, THREE, TWO
from reproduction.results.published import printed_methods
from reproduction.results.rows import Row
from reproduction.verdicts.claim_file import load_claims_file
from reproduction.verdicts.parts import verdict_of

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


BEST = {"datasets": ["reuters"], "method": TWO, "metrics": ["accuracy_pct"]}


def test_best_needs_every_baseline_beaten(table, runs):
    baselines = {name: runs(name, 40.0) for name in BASELINES}
    mine = runs(TWO, 45.0)
    rows = [row for part in baselines.values() for row in part]
    found = claims.beats_every_baseline(table(rows + mine), BEST)
    assert (verdict_of(found), found.data) == ("holds", "subset")
    baselines["VPLSA"] = runs("VPLSA", 50.0)
    rows = [row for part in baselines.values() for row in part]
    found = claims.beats_every_baseline(table(rows + mine), BEST)
    assert verdict_of(found) == "refuted"
    assert "VPLSA" in found.reason


def test_methods_that_the_paper_does_not_have_do_not_vote(table, runs):
    rows = [row for name in BASELINES for row in runs(name, 40.0)] + runs(TWO, 45.0)
    alone = claims.beats_every_baseline(table(rows), BEST)
    for role in ("ours", "modern", "control"):
        added = rows + runs("stronger", 60.0, role=role)
        assert claims.beats_every_baseline(table(added), BEST) == alone


def test_third_view(table, runs, nothing):
    helps = {"datasets": ["reuters"], "pairs": [[THREE, TWO]], "metrics": ["accuracy_pct"]}
    none = {"datasets": ["reuters"], "method": THREE, "other": TWO, "metric": "accuracy_pct"}
    up = table(runs(TWO, 40.0) + runs(THREE, 44.0))
    assert verdict_of(claims.beats(up, helps)) == "holds"
    assert verdict_of(claims.adds_nothing(up, none)) == "refuted"
    down = table(runs(TWO, 44.0) + runs(THREE, 40.0))
    assert verdict_of(claims.beats(down, helps)) == "refuted"
    assert verdict_of(claims.adds_nothing(down, none)) == "holds"
    assert verdict_of(claims.adds_nothing(nothing, none)) == "untestable"


def test_a_third_view_that_changes_nothing_tells_nothing(table, runs):
    """Differences of exactly 0 once made "a third view does not help" hold."""
    two = runs(TWO, 40.0)
    same = [replace(row, method=THREE) for row in two]
    none = {"datasets": ["reuters"], "method": THREE, "other": TWO, "metric": "accuracy_pct"}
    assert verdict_of(claims.adds_nothing(table(two + same), none)) == "uninformative"


def test_concatenation_is_tested_for_plsa_too(table, runs):
    claim = next(c for c in load_claims_file(PAPER) if c.id == "concatenation_hurts")
    means = {"K-means + BOVF": 40.0, "K-means + CTVF": 30.0, "PLSA + BOVF": 40.0}
    kept = [
        row
        for metric in ("accuracy_pct", "nmi_pct")
        for method, mean in means.items()
        for row in runs(method, mean, metric=metric)
    ]
    for mean, verdict in ((30.0, "holds"), (50.0, "refuted")):
        plsa = [
            row
            for metric in ("accuracy_pct", "nmi_pct")
            for row in runs("PLSA + CTVF", mean, metric=metric)
        ]
        assert verdict_of(claims.beats(table(kept + plsa), claim.params)) == verdict


@pytest.mark.parametrize(("placebo", "verdict"), [(40.0, "holds"), (48.0, "refuted")])
def test_information_must_beat_the_placebo_too(table, runs, placebo, verdict):
    rows = runs("PLSA + BOVF", 40.0) + runs(TWO, 45.0)
    rows = table(rows + runs(PLACEBO, placebo, role="control"))
    params = {"datasets": ["reuters"], "metric": "accuracy_pct"}
    assert verdict_of(claims.gain_is_information(rows, params)) == verdict
    strong = {**params, "reading": STRONG}
    assert verdict_of(claims.gain_is_information(rows, strong)) == "untestable"


def test_best_view_compares_the_first_two(table, runs):
    place = {"table": "choice:best_view", "metric": "score"}
    rows = []
    for rule, (first, second) in {"accuracy": (30.0, 25.0), "silhouette": (10.0, 40.0)}.items():
        rows += runs("K-means", first, at={"rule": rule, "view": "SP"}, **place)
        rows += runs("K-means", second, at={"rule": rule, "view": "EN"}, **place)
    rows = table(rows)
    assert verdict_of(claims.best_view(rows, {"views": {"reuters": ["SP", "EN"]}})) == "holds"
    assert verdict_of(claims.best_view(rows, {"views": {"reuters": ["EN", "SP"]}})) == "refuted"


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


def test_stable_range_looks_near_the_papers_lambda_only(table, curve, nothing, rng):
    params = {"lambda": LAMBDAS, "factor": 10}

    def wobbly(values):
        return [replace(r, value=r.value + 0.01 * rng.normal()) for r in curve(values)]

    flat = wobbly({0.007: 40.0, 0.07: 40.5, 0.7: 40.2, 70.0: 10.0})
    assert verdict_of(claims.stable_range(table(flat), params)) == "holds"
    other_scale = curve({0.007: 10.0, 0.07: 90.0}, scale="l1")
    assert verdict_of(claims.stable_range(table(flat + other_scale), params)) == "holds"
    steep = table(wobbly({0.007: 40.0, 0.07: 46.0, 0.7: 40.2}))
    assert verdict_of(claims.stable_range(steep, params)) == "refuted"
    # the same accuracy to the last digit for every lambda: the penalty is not felt at all
    still = table(curve({0.007: 40.0, 0.07: 40.0, 0.7: 40.0}))
    assert verdict_of(claims.stable_range(still, params)) == "uninformative"
    assert verdict_of(claims.stable_range(nothing, params)) == "untestable"


def test_best_lambda(table, curve, nothing, rng):
    params = {"lambda": LAMBDAS}

    def rows(*means):
        grid = (0.0007, 0.007, 0.07, 0.7, 7.0)
        made = curve(dict(zip(grid, means, strict=True)))
        return table([replace(r, value=r.value + 0.01 * rng.normal()) for r in made])

    assert verdict_of(claims.best_lambda(rows(40, 45, 46, 47, 41), params)) == "holds"
    assert verdict_of(claims.best_lambda(rows(40, 45, 46, 45, 49), params)) == "refuted"
    level = curve(dict.fromkeys((0.0007, 0.007, 0.07, 0.7, 7.0), 37.0))
    assert verdict_of(claims.best_lambda(table(level), params)) == "uninformative"
    assert verdict_of(claims.best_lambda(nothing, params)) == "untestable"


def test_cost_bound(as_rows, nothing):
    def sizes(work):
        at = {"sweep": "pairs", "share": 0.01}
        values = (("work", work), ("bound", 100.0))
        return as_rows({"corel5k": [Row("extra:cost", at, TWO, *value) for value in values]})

    params = {"dataset": "corel5k"}
    assert verdict_of(claims.cost_is_bounded(sizes(80.0), params)) == "holds"
    assert verdict_of(claims.cost_is_bounded(sizes(200.0), params)) == "refuted"
    # a bound of which 8 % is used is met by anything
    assert verdict_of(claims.cost_is_bounded(sizes(8.0), params)) == "uninformative"
    assert verdict_of(claims.cost_is_bounded(nothing, params)) == "untestable"


def test_every_claim_names_a_reading_and_a_method_that_the_jobs_write():
    known = {*printed_methods(PAPER)["1"], None}
    for claim in load_claims_file(PAPER):
        assert callable(getattr(claims, claim.check))
        params = claim.params
        named = {params.get("method"), params.get("other")}
        assert named | {m for pair in params.get("pairs", []) for m in pair} <= known
        assert params.get("reading", STRONG) == STRONG


def test_what_the_paper_does_not_say_is_ours():
    ours = {c.id for c in load_claims_file(PAPER) if c.origin == "ours"}
    informs = {"second_view_informs", "second_view_informs_strong"}
    assert ours == {"best_three_nmi", *informs}
