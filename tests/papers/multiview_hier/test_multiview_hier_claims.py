import numpy as np
import pandas as pd
import pytest

from reproduction.papers.multiview_hier import OPEN, PAPER, STAND_INS, claims
from reproduction.papers.multiview_hier.columns import ALL_POINTS, TRAIN, UNLABELLED
from reproduction.papers.multiview_hier.methods import MACRO, MICRO
from reproduction.verdicts.score import load_claims_file

SHARES = (5, 10, 15, 20, 25, 30)
LEVEL = {
    "V1": 60.0, "V2": 40.0, "V12": 62.0, "COTRAIN": 50.0, "PRODSCORE": 41.0, "SUMSCORE": 70.0,
    "MAXAGREE": 70.1,
}  # fmt: skip


def row(dataset, table, share, method, metric, value, run=0, **others):
    return {
        "paper": PAPER, "dataset": dataset, "table": table, "level": np.nan, "train": share,
        "scored": ALL_POINTS, "iteration": np.nan, "setting": TRAIN.write(share),
        "method": method, "role": "published", "metric": metric, "reading": "paper", "run": run,
        "value": value, "provenance": "original", **others,
    }  # fmt: skip


def table2(rng, level=LEVEL, provenance="original"):
    return pd.DataFrame(
        [
            row(
                dataset, "2", share, method, metric, mean + 0.2 * rng.normal(), run,
                provenance=provenance,
            )
            for dataset in OPEN
            for share in (10, 30)
            for method, mean in level.items()
            for metric in (MACRO, MICRO)
            for run in range(2)
        ]
    )  # fmt: skip


def table4(rng, gain=3.0):
    found = []
    for dataset in STAND_INS:
        for share in SHARES:
            for run in range(3):
                for method, extra in (
                    ("V1", 0), ("V2", -9), ("V12", -5), ("COTRAIN", -6), ("SUMSCORE", 0),
                    ("PRODSCORE", -2), ("MAXAGREE", 0), ("Hier-SUMSCORE", gain - 0.5),
                    ("Hier-PRODSCORE", gain - 3), ("Hier-MAXAGREE", gain),
                ):  # fmt: skip
                    for metric in (MACRO, MICRO):
                        value = 40 + share * (1.0 if "Hier" in method else 0.5) + extra
                        value += 0.05 * rng.normal()
                        for scored in (ALL_POINTS, UNLABELLED):
                            found.append(
                                row(dataset, "4", share, method, metric, value, run, scored=scored)
                            )
                found.append(
                    row(dataset, "4", share, "V1 vs V2", "view_agreement", share / 50, run)
                )
    return pd.DataFrame(found).assign(provenance="stand-in")


def test_ranks(rng):
    rows = table2(rng)
    both = {"methods": ["SUMSCORE", "MAXAGREE"]}
    assert claims.best_ranks(rows, both).verdict == "holds"
    assert claims.best_ranks(rows, {**both, "scored": UNLABELLED}).verdict == "untestable"
    assert claims.best_ranks(rows, {"methods": ["V2"]}).verdict == "fails"
    baseline = {"methods": ["V12"], "others": ["V1", "V2", "COTRAIN"]}
    assert claims.best_ranks(rows, baseline).verdict == "holds"
    surrogate = table2(rng, provenance="surrogate")
    assert claims.best_ranks(surrogate, both).verdict == "untestable"


def test_a_method_of_ours_changes_no_claim(rng):
    rows = pd.concat([table2(rng), table4(rng)], ignore_index=True)
    best = rows[rows["method"].isin(["SUMSCORE", "V12"])]
    best = best.assign(method="ours", role="ours", value=99.0)
    control = best.assign(method="V1", role="control", value=0.0)
    more = pd.concat([rows, best, control], ignore_index=True)
    for claim in load_claims_file(PAPER):
        check = getattr(claims, claim["check"])
        assert check(more, claim["params"]) == check(rows, claim["params"]), claim["id"]


def test_most_cases(rng):
    rows = table2(rng)
    found = claims.beats_on_most(rows, {"methods": ["SUMSCORE", "MAXAGREE"], "other": "COTRAIN"})
    assert found.verdict == "holds"
    assert found.effect == pytest.approx(20, abs=1)
    assert claims.beats_on_most(rows, {"methods": ["V2"], "other": "V1"}).verdict == "fails"
    same = {"methods": ["SUMSCORE", "MAXAGREE"], "margin": 1.0}
    assert claims.as_good_as(rows, same).verdict == "holds"
    apart = {"methods": ["SUMSCORE", "V1"], "margin": 1.0}
    assert claims.as_good_as(rows, apart).verdict == "fails"
    weak = {"method": "PRODSCORE", "other": "V12"}
    assert claims.not_consistent(rows, weak).verdict == "holds"
    assert claims.not_consistent(rows, {"method": "SUMSCORE", "other": "V12"}).verdict == "fails"


def test_imbalance(rng):
    rows = table2(rng)
    by_set = {name: 3.0 * i for i, name in enumerate(OPEN)}
    second = rows["method"] == "V2"
    rows.loc[second, "value"] -= rows.loc[second, "dataset"].map(by_set)
    weak = rows["method"] == "PRODSCORE"
    rows.loc[weak, "value"] -= rows.loc[weak, "dataset"].map(by_set)
    falls = {"method": "PRODSCORE", "base": "V12", "sign": -1}
    assert claims.imbalance(rows, falls).verdict == "holds"
    assert claims.imbalance(rows, {**falls, "sign": 1}).verdict == "fails"


def test_hierarchies(rng):
    all_three = {"methods": ["Hier-SUMSCORE", "Hier-PRODSCORE", "Hier-MAXAGREE"]}
    assert claims.hier_beats_flat(table4(rng), all_three).verdict == "holds"
    worse = table4(rng, gain=-20.0)
    assert claims.hier_beats_flat(worse, all_three).verdict == "fails"
    crossing = claims.hier_beats_flat(
        table4(rng, gain=-5.0), {"methods": ["Hier-MAXAGREE"], "scored": UNLABELLED}
    )
    assert crossing.verdict == "mixed"
    assert "not at train=5%" in crossing.detail
    few = {"method": "Hier-MAXAGREE", "train": [5, 10]}
    assert claims.best_at_shares(table4(rng), few).verdict == "holds"
    assert claims.best_at_shares(table4(rng), {**few, "method": "V12"}).verdict == "fails"
    assert claims.agreement_helps(table4(rng), {"method": "Hier-MAXAGREE"}).verdict == "holds"
    assert claims.more_labels_help(table4(rng), {}).verdict == "holds"


def test_convergence_and_label_sets():
    found = []
    for run in range(6):
        for method, count in (("V1", 12), ("V12", 14), ("Hier-SUMSCORE", 6), ("SUMSCORE", 16)):
            for i in range(count + run % 2):
                place = ("amazon_tree", "fig11b", 30, method, "bits_flipped", 1.0, run)
                found.append(row(*place, iteration=i + 1, provenance="stand-in"))
    rows = pd.DataFrame(found)
    faster = {"methods": ["Hier-SUMSCORE"], "others": ["V1", "V12"]}
    assert claims.converge_faster(rows, faster).verdict == "holds"
    slower = {"methods": ["SUMSCORE"], "others": ["V1"]}
    assert claims.converge_faster(rows, slower).verdict == "fails"
    where = ("amazon_tree", "extra:label_sets", 5, "Hier-SUMSCORE", "violating_sets_pct")
    sets = pd.DataFrame(
        [row(*where, v, run, provenance="stand-in") for run, v in enumerate((0.0, 4.0))]
    )
    assert claims.soft_is_consistent(sets, {"method": "Hier-SUMSCORE"}).verdict == "fails"
    assert claims.soft_is_consistent(sets[:1], {"method": "Hier-SUMSCORE"}).verdict == "holds"


def test_freedom_of_views():
    rows = pd.DataFrame([row("cora", "extra:maxagree", 10, "MAXAGREE", "views_disagree_pct", 0.2)])
    assert claims.maxagree_is_sum(rows, {"share_pct": 1.0}).verdict == "fails"
    assert claims.maxagree_is_sum(rows, {"share_pct": 0.1}).verdict == "holds"


def test_without_rows_nothing_is_claimed(rng):
    empty = table2(rng)
    empty = empty[np.zeros(len(empty), dtype=bool)]
    for claim in load_claims_file(PAPER):
        check = getattr(claims, claim["check"])
        assert check(empty, claim["params"]).verdict == "untestable", claim["id"]
