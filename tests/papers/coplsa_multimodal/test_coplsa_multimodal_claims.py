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
from reproduction.verdicts.claim_file import load_claims_file
from reproduction.verdicts.parts import verdict_of


def frame(rng, levels, *, dataset="wikipedia_pairs", reading="inferred", gap=0.0, runs=6):
    """Rows of Table 1: the semantic space is 0.3 above the topic space."""
    records = [
        {
            "space": space,
            "setting": f"{space};{direction}",
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
        reading=reading, provenance="other features", start="", share=math.nan, precision="",
    )  # fmt: skip


LEVELS = {SCM: 0.2, "Link PLSA": 0.25, "l1 coPLSA": 0.3, L2: 0.35, SKL: 0.4}
PARAMS = {"dataset": "wikipedia_pairs", "reading": "inferred", "spaces": list(SPACES)}


def as_text(rows):
    """Rows as the text reading has them."""
    place = {"table": "choice:precision", "precision": "first10relevant", "reading": "honest"}
    return rows.assign(**place)


def claim(name):
    return next(c for c in load_claims_file(PAPER) if c.id == name)


def test_order(rng):
    params = {**PARAMS, "methods": [SKL, L2, "l1 coPLSA"]}
    assert verdict_of(claims.order(frame(rng, LEVELS), params)) == "holds"
    half = {**LEVELS, SKL: 0.33}
    found = claims.order(frame(rng, half), params)
    assert verdict_of(found) == "refuted"
    assert found.reason.startswith("2 of 4 parts go the other way")
    other = {**params, "reading": "honest"}
    assert verdict_of(claims.order(frame(rng, LEVELS), other)) == "untestable"


def test_the_authors_put_l1_above_l2(rng):
    """Table 1 has l2 above l1; the sentence, and so the claim, says the reverse."""
    found = claim("above_l2")
    assert (found.origin, found.params["methods"]) == ("published", [SKL, "l1 coPLSA"])
    assert found.params["others"] == [L2]
    assert claim("order").origin == "ours"
    as_printed = as_text(frame(rng, LEVELS))
    assert verdict_of(claims.beats(as_printed, found.params)) == "refuted"
    as_said = as_text(frame(rng, {**LEVELS, "l1 coPLSA": 0.38}))
    assert verdict_of(claims.beats(as_said, found.params)) == "holds"


@pytest.mark.parametrize("name", ["beats_link", "beats_scm"])
def test_l1_is_among_the_methods_that_beat_others(name, rng):
    found = claim(name)
    assert "l1 coPLSA" in found.params["methods"]
    assert verdict_of(claims.beats(as_text(frame(rng, LEVELS)), found.params)) == "holds"
    low = as_text(frame(rng, {**LEVELS, "l1 coPLSA": 0.1}))
    assert verdict_of(claims.beats(low, found.params)) == "refuted"
    # the inferred reading looks at Table 1
    inferred = {**found.params, **found.inferred}
    assert verdict_of(claims.beats(low, inferred)) == "untestable"
    assert verdict_of(claims.beats(frame(rng, LEVELS), inferred)) == "holds"


def test_scm_stands_against_every_run(rng):
    params = {**PARAMS, "methods": [SKL, L2], "others": [SCM, "Link PLSA"]}
    result = claims.beats(frame(rng, LEVELS), params)
    assert verdict_of(result) == "holds"
    assert result.n == 4 * 6  # runs, directions and spaces averaged
    assert verdict_of(claims.beats(frame(rng, {**LEVELS, SCM: 0.9}), params)) == "refuted"


def test_directions(rng):
    assert verdict_of(claims.directions_close(frame(rng, LEVELS, gap=0.005), PARAMS)) == "holds"
    assert verdict_of(claims.directions_close(frame(rng, LEVELS, gap=0.1), PARAMS)) == "refuted"


def test_the_stand_in_is_used_only_where_there_is_nothing_else(rng):
    turned = frame(rng, LEVELS, dataset="web_news").assign(provenance="stand-in")
    turned = turned.replace({"space": {"topic": "semantic", "semantic": "topic"}})
    both = pd.concat([frame(rng, LEVELS), turned])
    params = {**PARAMS, "stand_in": "web_news"}
    found = claims.semantic_above_topic(both, params)
    assert (verdict_of(found), found.data) == ("holds", "other features")
    found = claims.semantic_above_topic(turned, params)
    assert (verdict_of(found), found.data) == ("refuted", "stand-in")


def extra(table, method, metric, values, **at):
    return pd.DataFrame(
        {
            "table": table, "method": method, "metric": metric, "run": range(len(values)),
            "value": values, "reading": "inferred", "role": "published",
            "dataset": "wikipedia_pairs", "provenance": "other features", **at,
        }
    )  # fmt: skip


def test_methods_of_ours_have_no_vote(rng):
    params = {**PARAMS, "methods": [SKL], "others": [SCM]}
    rows = frame(rng, LEVELS)
    added = frame(rng, {SCM: 0.9}).assign(role="ours")
    assert claims.beats(pd.concat([rows, added]), params) == claims.beats(rows, params)


@pytest.mark.parametrize(
    ("falls", "verdict"),
    [(([3, 1], [0, 0]), "holds"), (([0, 0], [0, 1]), "holds"), (([0, 0], [0, 0]), "refuted")],
)
def test_two_step_is_an_existence_over_starts(falls, verdict):
    starts = (RANDOM_START, EXACT_SOLUTION)
    rows = pd.concat(
        [
            extra("extra:monotone", method, "falls", values, start=start)
            for start, theirs in zip(starts, falls, strict=True)
            for method, values in ((L2, [0, 0]), (TWO_STEP, theirs))
        ]
    )
    assert verdict_of(claims.two_step_falls(rows, {"starts": list(starts)})) == verdict


def test_monotone_counts_the_exact_steps_from_a_random_start():
    rows = pd.concat(
        [
            extra("extra:monotone", SKL, "falls", [0, 0], start=RANDOM_START),
            extra("extra:monotone", TWO_STEP, "falls", [3, 1], start=RANDOM_START),
            extra("extra:monotone", SKL, "falls", [2, 2], start=EXACT_SOLUTION),
        ]
    )
    assert verdict_of(claims.monotone(rows, {})) == "holds"
    rows.loc[(rows["method"] == SKL) & (rows["start"] == RANDOM_START), "value"] = 1
    found = claims.monotone(rows, {})
    assert (verdict_of(found), found.effect) == ("refuted", -2.0)


@pytest.mark.parametrize(
    ("sweeps", "steps", "verdict"),
    [(8.0, 7.0, "holds"), (30.0, 7.0, "refuted"), (8.0, 30.0, "refuted")],
)
def test_all_iterations_must_be_quick(sweeps, steps, verdict):
    def made(method, values, metric, share=math.nan):
        return extra("extra:convergence", method, metric, values, share=share)

    rows = pd.concat(
        [
            made(SKL, [sweeps, sweeps], "sweeps", 0.99),
            made(L2, [7.0, 9.0], "sweeps", 0.99),
            made(L2, [steps, steps], "newton_steps"),
            made(SKL, [99.0], "sweeps", 0.9),  # of another share: does not count
        ]
    )
    found = claims.quick_convergence(rows, {"share": 0.99, "most": 10})
    assert verdict_of(found) == verdict


def test_every_claim_has_a_check_that_runs_without_rows(rng):
    empty = frame(rng, LEVELS).iloc[:0]
    for each in load_claims_file(PAPER):
        found = getattr(claims, each.check)(empty, each.params)
        assert verdict_of(found) == "untestable"
