import math

import pandas as pd
import pytest

from reproduction.papers.coplsa_multimodal import PAPER, claims
from reproduction.papers.coplsa_multimodal.columns import (
    DIRECTIONS,
    EXACT_SOLUTION,
    L2,
    RANDOM_START,
    SCM,
    SKL,
    SPACES,
    TWO_STEP,
)
from reproduction.verdicts.score import load_claims_file


def frame(rng, levels, *, dataset="wikipedia_pairs", reading="paper", gap=0.0, runs=6):
    """Rows of Table 1: the semantic space is 0.3 above the topic space."""
    records = [
        {
            "space": space,
            "direction": direction,
            "method": method,
            "run": run,
            "value": level + 0.3 * (space == "semantic") + gap * (direction == "i2t")
            + rng.uniform(-0.002, 0.002),
        }
        for method, level in levels.items()
        for space in SPACES
        for direction in DIRECTIONS
        for run in range(1 if method == SCM else runs)
    ]  # fmt: skip
    return pd.DataFrame(records).assign(
        paper=PAPER, dataset=dataset, table="1", metric="map_at_10", role="published",
        reading=reading, provenance="differs", start="", share=math.nan,
    )  # fmt: skip


LEVELS = {SCM: 0.2, "Link PLSA": 0.25, "l1 coPLSA": 0.3, L2: 0.35, SKL: 0.4}
PARAMS = {"dataset": "wikipedia_pairs", "reading": "paper", "spaces": list(SPACES)}


def test_order_holds_fails_and_is_mixed(rng):
    params = {**PARAMS, "methods": [SKL, L2, "l1 coPLSA"]}
    assert claims.order(frame(rng, LEVELS), params).verdict == "holds"
    turned = {**LEVELS, SKL: 0.3, "l1 coPLSA": 0.4}
    assert claims.order(frame(rng, turned), params).verdict == "fails"
    half = {**LEVELS, SKL: 0.33}
    assert claims.order(frame(rng, half), params).verdict == "mixed"
    other = {**params, "reading": "honest"}
    assert claims.order(frame(rng, LEVELS), other).verdict == "untestable"


def test_scm_stands_against_every_run(rng):
    params = {**PARAMS, "methods": [SKL, L2], "others": [SCM, "Link PLSA"]}
    result = claims.beats(frame(rng, LEVELS), params)
    assert result.verdict == "holds"
    assert result.effect == pytest.approx(0.1, abs=0.02)
    assert claims.beats(frame(rng, {**LEVELS, SCM: 0.9}), params).verdict == "mixed"


def test_directions(rng):
    params = {**PARAMS, "margin": 0.03}
    assert claims.directions_close(frame(rng, LEVELS, gap=0.005), params).verdict == "holds"
    assert claims.directions_close(frame(rng, LEVELS, gap=0.1), params).verdict == "fails"


def test_semantic_above_topic_and_the_stand_in_has_no_vote(rng):
    both = pd.concat([frame(rng, LEVELS), frame(rng, LEVELS, dataset="web_news")])
    both.loc[(both["dataset"] == "web_news") & (both["space"] == "topic"), "value"] = 1
    params = {**PARAMS, "stand_in": "web_news"}
    result = claims.semantic_above_topic(both, params)
    assert result.verdict == "holds"
    assert "web_news (no vote): fails" in result.detail


def extra(table, method, metric, values, **at):
    return pd.DataFrame(
        {
            "table": table, "method": method, "metric": metric, "run": range(len(values)),
            "value": values, "reading": "paper", "role": "published",
            "dataset": "wikipedia_pairs", **at,
        }
    )  # fmt: skip


def test_methods_of_ours_have_no_vote(rng):
    params = {**PARAMS, "methods": [SKL], "others": [SCM]}
    rows = frame(rng, LEVELS)
    added = frame(rng, {SCM: 0.9}).assign(role="ours")
    assert claims.beats(pd.concat([rows, added]), params) == claims.beats(rows, params)


@pytest.mark.parametrize("start", [RANDOM_START, EXACT_SOLUTION])
def test_two_step(start):
    at = {"start": start}
    for falls, verdict in (([3, 1], "holds"), ([0, 1], "mixed"), ([0, 0], "fails")):
        rows = pd.concat(
            [
                extra("extra:monotone", L2, "falls", [0, 0], **at),
                extra("extra:monotone", TWO_STEP, "falls", falls, **at),
            ]
        )
        assert claims.two_step_falls(rows, at).verdict == verdict


def test_monotone_counts_the_exact_steps_from_a_random_start():
    rows = pd.concat(
        [
            extra("extra:monotone", SKL, "falls", [0, 0], start=RANDOM_START),
            extra("extra:monotone", TWO_STEP, "falls", [3, 1], start=RANDOM_START),
            extra("extra:monotone", SKL, "falls", [2, 2], start=EXACT_SOLUTION),
        ]
    )
    assert claims.monotone(rows, {}).verdict == "holds"
    rows.loc[(rows["method"] == SKL) & (rows["start"] == RANDOM_START), "value"] = 1
    result = claims.monotone(rows, {})
    assert (result.verdict, result.effect) == ("fails", -2.0)


@pytest.mark.parametrize(("slow", "verdict"), [(8.0, "holds"), (30.0, "mixed")])
@pytest.mark.parametrize("at", [{"metric": "sweeps", "share": 0.99}, {"metric": "newton_steps"}])
def test_quick_convergence(slow, verdict, at):
    def steps(method, values, metric, share=math.nan):
        return extra("extra:convergence", method, metric, values, share=share)

    rows = pd.concat(
        [
            steps(SKL, [slow, slow], **at),
            steps(L2, [7.0, 9.0], **at),
            steps(SKL, [99.0], "sweeps", 0.9),  # of another share: does not count
        ]
    )
    assert claims.quick_convergence(rows, {**at, "most": 10, "what": "steps"}).verdict == verdict


def test_every_claim_has_a_check_that_runs_without_rows(rng):
    empty = frame(rng, LEVELS).iloc[:0]
    for claim in load_claims_file(PAPER):
        check = getattr(claims, claim["check"])
        assert check(empty, claim["params"]).verdict == "untestable"
