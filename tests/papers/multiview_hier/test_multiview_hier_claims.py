import numpy as np
import pandas as pd
import pytest

from reproduction.papers.multiview_hier import OPEN, PAPER, STAND_INS, claims
from reproduction.papers.multiview_hier.columns import ALL_POINTS, TRAIN, UNLABELLED
from reproduction.papers.multiview_hier.methods import MACRO, MICRO
from reproduction.verdicts.claim_file import load_claims_file
from reproduction.verdicts.claim_scores import score_claims
from reproduction.verdicts.parts import verdict_of

SHARES = (5, 10, 15, 20, 25, 30)
LEVEL = {
    "V1": 60.0, "V2": 40.0, "V12": 62.0, "COTRAIN": 50.0, "PRODSCORE": 41.0, "SUMSCORE": 70.0,
    "MAXAGREE": 70.1,
}  # fmt: skip


def row(dataset, table, share, method, metric, value, run=0, **others):
    return {
        "paper": PAPER, "dataset": dataset, "table": table, "level": np.nan, "train": share,
        "scored": ALL_POINTS, "iteration": np.nan, "setting": TRAIN.write(share),
        "method": method, "role": "published", "metric": metric, "reading": "inferred", "run": run,
        "value": value, "provenance": "same", **others,
    }  # fmt: skip


def table2(rng, level=LEVEL, provenance="same"):
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
                for scored in (ALL_POINTS, UNLABELLED):
                    place = (dataset, "4", share, "V1 vs V2", "view_agreement")
                    seen = share / 50 + 0.001 * rng.normal()
                    found.append(row(*place, seen, run, scored=scored))
    return pd.DataFrame(found).assign(provenance="stand-in")


TOP = {"methods": ["SUMSCORE", "MAXAGREE", "V12"], "others": ["V1", "V2", "COTRAIN", "PRODSCORE"]}


def test_ranks(rng):
    rows = table2(rng)
    found = claims.best_ranks(rows, TOP)
    assert verdict_of(found) == "holds"
    assert found.unit == "data set"
    assert found.n == len(OPEN) * 12  # six data sets for each of twelve pairs; shares averaged
    assert verdict_of(claims.best_ranks(rows, {**TOP, "scored": UNLABELLED})) == "untestable"
    assert verdict_of(claims.best_ranks(rows, {**TOP, "methods": ["V2"], "others": ["V1"]})) == (
        "refuted"
    )
    baseline = {"methods": ["V12"], "others": ["V1", "V2", "COTRAIN"]}
    assert verdict_of(claims.best_ranks(rows, baseline)) == "holds"


def everything(rng):
    """Both tables in every scoring and reading that a claim may ask for."""
    flat = table2(rng)
    agree = pd.DataFrame(
        [
            row(key, "2", share, "V1 vs V2", "view_agreement", rng.random())
            for key in OPEN
            for share in (10, 30)
        ]
    )
    both = pd.concat([flat, agree], ignore_index=True)
    scored = [both, both.assign(scored=UNLABELLED), table4(rng)]
    rows = pd.concat(scored, ignore_index=True)
    return pd.concat([rows, rows.assign(reading="text")], ignore_index=True)


def test_a_method_of_ours_changes_no_claim(rng):
    rows = everything(rng)
    best = rows[rows["method"].isin(["SUMSCORE", "V12"])]
    best = best.assign(method="ours", role="ours", value=99.0)
    control = best.assign(method="V1", role="control", value=0.0)
    more = pd.concat([rows, best, control], ignore_index=True)
    answered = 0
    for claim in load_claims_file(PAPER):
        check = getattr(claims, claim.check)
        found = check(rows, claim.params)
        assert check(more, claim.params) == found, claim.id
        answered += found.state != "untestable"
    assert answered >= 19


def test_most_data_sets(rng):
    rows = table2(rng)
    found = claims.beats_on_most(rows, {"methods": ["SUMSCORE", "MAXAGREE"], "other": "COTRAIN"})
    assert verdict_of(found) == "holds"
    assert found.effect == pytest.approx(20, abs=1)
    assert found.n == 2 * len(OPEN)
    assert verdict_of(claims.beats_on_most(rows, {"methods": ["V2"], "other": "V1"})) == "refuted"
    same = {"methods": ["SUMSCORE", "MAXAGREE"]}
    assert verdict_of(claims.as_good_as(rows, same)) == "holds"
    assert verdict_of(claims.as_good_as(rows, {"methods": ["SUMSCORE", "V1"]})) == "refuted"


def test_every_row_of_the_table_counts(rng):
    rows = pd.concat([table2(rng).assign(run=i) for i in range(10)], ignore_index=True)
    params = {"methods": ["SUMSCORE"], "others": ["V1", "V12"]}
    assert verdict_of(claims.never_behind(rows, params)) == "holds"
    lost = (rows["dataset"] == "webkb") & (rows["train"] == 10) & (rows["method"] == "SUMSCORE")
    rows.loc[lost, "value"] -= 30.0
    found = claims.never_behind(rows, params)
    assert verdict_of(found) == "refuted"
    assert found.reason.startswith("2 of 24 parts go the other way")
    weak = {"method": "SUMSCORE", "others": ["V1", "V12"]}
    assert verdict_of(claims.behind_somewhere(rows, weak)) == "holds"
    strong = {"method": "MAXAGREE", "others": ["V1", "V12"]}
    assert verdict_of(claims.behind_somewhere(rows, strong)) == "refuted"


def unequal(rng, effect):
    """Table 2 in which gains of PRODSCORE go with the views' difference."""
    rows = table2(rng)
    by_set = {name: 3.0 * i for i, name in enumerate(OPEN)}
    second = rows["method"] == "V2"
    rows.loc[second, "value"] -= rows.loc[second, "dataset"].map(by_set)
    weak = rows["method"] == "PRODSCORE"
    rows.loc[weak, "value"] += effect * rows.loc[weak, "dataset"].map(by_set)
    return rows


def test_imbalance(rng):
    falls = {"gains": [["PRODSCORE", "V12"]], "sign": -1}
    found = claims.imbalance(unequal(rng, -1.0), falls)
    assert verdict_of(found) == "holds"
    assert found.n == len(OPEN)  # data sets, not data sets times shares
    assert verdict_of(claims.imbalance(unequal(rng, 1.0), falls)) == "refuted"


def test_a_correlation_that_print_calls_not_significant(rng):
    """Negative and not significant, as printed, holds; significant refutes."""
    params = {"gains": [["PRODSCORE", "V12"]], "with": "imbalance", "sign": -1}
    assert verdict_of(claims.not_significant(unequal(rng, -1.0), params)) == "refuted"
    rows = unequal(rng, 0.0)
    gains = dict(zip(OPEN, (0.0, 4.0, -4.0, 3.0, -3.0, -0.6), strict=True))
    weak = rows["method"] == "PRODSCORE"
    rows.loc[weak, "value"] += rows.loc[weak, "dataset"].map(gains)
    found = claims.not_significant(rows, params)
    assert verdict_of(found) == "holds"
    assert found.unit == "none"


def test_hierarchies(rng):
    all_three = {"methods": ["Hier-SUMSCORE", "Hier-PRODSCORE", "Hier-MAXAGREE"]}
    rows = table4(rng)
    found = claims.hier_beats_flat(rows, all_three)
    assert verdict_of(found) == "holds"
    assert found.data == "stand-in"
    worse = table4(rng, gain=-30.0)
    assert verdict_of(claims.hier_beats_flat(worse, all_three)) == "refuted"
    crossing = {"methods": ["Hier-MAXAGREE"], "scored": UNLABELLED}
    # behind at 5 %, ahead at 30 %: every share counts
    assert verdict_of(claims.hier_beats_flat(table4(rng, gain=-8.0), crossing)) == "refuted"
    few = {"method": "Hier-MAXAGREE", "train": [5, 10]}
    assert verdict_of(claims.best_at_shares(rows, {**few, "method": "V12"})) == "refuted"
    above = {"methods": ["Hier-MAXAGREE"], "others": ["V12", "COTRAIN"]}
    assert verdict_of(claims.above_at_every_share(rows, above)) == "holds"
    assert verdict_of(claims.agreement_helps(rows, {"method": "Hier-MAXAGREE"})) == "holds"
    assert verdict_of(claims.more_labels_help(rows, {})) == "holds"
    ranks = {"methods": ["Hier-MAXAGREE"]}
    assert claims.best_tree_ranks(rows, ranks).unit == "data set"


def test_stand_in_trees_are_shown_and_never_count(rng):
    found, _ = score_claims(PAPER, everything(rng), load_claims_file(PAPER), claims)
    found = found.set_index("id")
    tree = found.loc[f"{PAPER}.hier_macro"]
    assert (tree["data"], tree["counts"]) == ("stand-in", "no")
    assert tree["verdict"] == "holds" or tree["p_holm"] > 0.05
    assert found.loc[f"{PAPER}.beat_cotrain", "counts"] == "yes"


def test_convergence_and_label_sets():
    found = []
    for run in range(6):
        for method, count in (("V1", 12), ("V12", 14), ("Hier-SUMSCORE", 6), ("SUMSCORE", 16)):
            for i in range(count + (run + count) % 2):
                place = ("amazon_tree", "fig11b", 30, method, "bits_flipped", 1.0, run)
                found.append(row(*place, iteration=i + 1, provenance="stand-in"))
    rows = pd.DataFrame(found)
    faster = {"methods": ["Hier-SUMSCORE"], "others": ["V1", "V12"]}
    assert verdict_of(claims.converge_faster(rows, faster)) == "holds"
    slower = {"methods": ["SUMSCORE"], "others": ["V1"]}
    assert verdict_of(claims.converge_faster(rows, slower)) == "refuted"
    where = ("amazon_tree", "extra:label_sets", 5, "Hier-SUMSCORE", "violating_sets_pct")
    sets = pd.DataFrame(
        [row(*where, v, run, provenance="stand-in") for run, v in enumerate((0.0, 4.0))]
    )
    params = {"method": "Hier-SUMSCORE"}
    assert verdict_of(claims.soft_is_consistent(sets, params)) == "refuted"
    assert verdict_of(claims.soft_is_consistent(sets[:1], params)) == "holds"


def test_freedom_of_views():
    rows = pd.DataFrame([row("cora", "extra:maxagree", 10, "MAXAGREE", "views_disagree_pct", 0.2)])
    assert verdict_of(claims.freedom_is_used(rows, {"share_pct": 1.0})) == "refuted"
    assert verdict_of(claims.freedom_is_used(rows, {"share_pct": 0.1})) == "holds"


def test_without_rows_nothing_is_claimed(rng):
    empty = table2(rng)
    empty = empty[np.zeros(len(empty), dtype=bool)]
    for claim in load_claims_file(PAPER):
        found = getattr(claims, claim.check)(empty, claim.params)
        assert verdict_of(found) == "untestable", claim.id


def test_what_the_paper_does_not_say_is_ours():
    ours = {c.id for c in load_claims_file(PAPER) if c.origin == "ours"}
    consistent = {"sum_consistent", "sum_consistent_short", "maxagree_consistent"}
    assert ours == {"freedom_is_used", *consistent}
