import numpy as np
import pandas as pd
import pytest
import yaml

from reproduction.verdicts.claims import coplsa_multimodal as claims

SPACES = {"topic": 0.0, "semantic": 0.3}


def frame(levels, *, dataset="wikipedia_pairs", reading="paper", gap=0.0, seed=0, runs=6):
    rng = np.random.default_rng(seed)
    records = []
    for method, level in levels.items():
        for space, lift in SPACES.items():
            for direction, shift in (("i2t", gap), ("t2i", 0.0)):
                for run in range(1 if method == "SCM" else runs):
                    value = level + lift + shift + 0.002 * rng.standard_normal()
                    records.append(
                        ("1", dataset, f"{space};{direction}", method, run, value, reading)
                    )
    columns = ["table", "dataset", "setting", "method", "run", "value", "reading"]
    found = pd.DataFrame(records, columns=columns)
    return found.assign(
        paper="coplsa_multimodal", label="", metric="map_at_10", provenance="differs"
    )


LEVELS = {"SCM": 0.2, "Link PLSA": 0.25, "l1 coPLSA": 0.3, "l2 coPLSA": 0.35, "sKL coPLSA": 0.4}
PARAMS = {"dataset": "wikipedia_pairs", "reading": "paper", "spaces": ["topic", "semantic"]}


def test_order_holds_fails_and_is_mixed():
    params = {**PARAMS, "methods": ["sKL coPLSA", "l2 coPLSA", "l1 coPLSA"]}
    assert claims.order(frame(LEVELS), params).verdict == "holds"
    turned = {**LEVELS, "sKL coPLSA": 0.3, "l1 coPLSA": 0.4}
    assert claims.order(frame(turned), params).verdict == "fails"
    half = {**LEVELS, "sKL coPLSA": 0.33}
    assert claims.order(frame(half), params).verdict == "mixed"
    other = {**params, "reading": "protocol=honest"}
    assert claims.order(frame(LEVELS), other).verdict == "untestable"


def test_scm_stands_against_every_run():
    params = {**PARAMS, "methods": ["sKL coPLSA", "l2 coPLSA"], "others": ["SCM", "Link PLSA"]}
    result = claims.beats(frame(LEVELS), params)
    assert result.verdict == "holds"
    assert result.effect == pytest.approx(0.1, abs=0.02)
    assert claims.beats(frame({**LEVELS, "SCM": 0.9}), params).verdict == "mixed"


def test_directions():
    params = {**PARAMS, "margin": 0.03}
    assert claims.directions_close(frame(LEVELS, gap=0.005), params).verdict == "holds"
    assert claims.directions_close(frame(LEVELS, gap=0.1), params).verdict == "fails"


def test_semantic_above_topic_and_the_stand_in_has_no_vote():
    both = pd.concat([frame(LEVELS), frame(LEVELS, dataset="web_news", seed=1)])
    both.loc[(both["dataset"] == "web_news") & both["setting"].str.startswith("topic"), "value"] = 1
    params = {**PARAMS, "stand_in": "web_news"}
    result = claims.semantic_above_topic(both, params)
    assert result.verdict == "holds"
    assert "web_news (no vote): fails" in result.detail


def extra(table, setting, method, metric, values):
    return pd.DataFrame(
        {
            "table": table,
            "setting": setting,
            "method": method,
            "metric": metric,
            "run": range(len(values)),
            "value": values,
            "reading": "paper",
            "dataset": "wikipedia_pairs",
        }
    )


def test_monotone_and_two_step():
    start = "random start"
    rows = pd.concat(
        [extra("extra:monotone", start, m, "falls", [0, 0]) for m in ("sKL coPLSA", "l2 coPLSA")]
        + [extra("extra:monotone", start, "l2, two-step update", "falls", [3, 1])]
    )
    assert claims.monotone(rows, {}).verdict == "holds"
    assert claims.two_step_falls(rows, {"setting": start}).verdict == "holds"
    rows.loc[rows["value"] == 3, "value"] = 0
    assert claims.two_step_falls(rows, {"setting": start}).verdict == "mixed"
    rows.loc[rows["value"] == 1, "value"] = 0
    assert claims.two_step_falls(rows, {"setting": start}).verdict == "fails"
    rows.loc[rows["method"] == "sKL coPLSA", "value"] = 1
    assert claims.monotone(rows, {}).verdict == "fails"


@pytest.mark.parametrize(("slow", "verdict"), [(8.0, "holds"), (30.0, "mixed")])
def test_quick_convergence(slow, verdict):
    rows = pd.concat(
        [
            extra("extra:convergence", "share=0.99", "sKL coPLSA", "sweeps", [slow, slow]),
            extra("extra:convergence", "share=0.99", "l2 coPLSA", "sweeps", [7.0, 9.0]),
        ]
    )
    params = {"setting": "share=0.99", "most": 10, "what": "sweeps"}
    assert claims.quick_convergence(rows, params).verdict == verdict


def test_every_claim_names_a_check_that_runs_without_rows():
    with open("data/published/claims.yaml", encoding="utf-8") as file:
        listed = [c for c in yaml.safe_load(file)["claims"] if c["paper"] == "coplsa_multimodal"]
    assert len(listed) >= 15
    empty = frame(LEVELS).iloc[:0]
    for claim in listed:
        check = getattr(claims, claim["check"].partition(":")[2])
        assert check(empty, claim["params"]).verdict == "untestable"
