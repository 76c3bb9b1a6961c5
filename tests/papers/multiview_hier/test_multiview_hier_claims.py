import numpy as np
import pandas as pd
import pytest

from reproduction.verdicts.claims import multiview_hier as claims

SETS = ("cora", "webkb", "citeseer", "pubmed", "leaves", "wikipedia_linqs")
SHARES = (5, 10, 15, 20, 25, 30)
LEVEL = {
    "V1": 60.0, "V2": 40.0, "V12": 62.0, "COTRAIN": 50.0, "PRODSCORE": 41.0, "SUMSCORE": 70.0,
    "MAXAGREE": 70.1,
}  # fmt: skip


def row(
    dataset, table, setting, method, metric, value, run=0, reading="paper", provenance="original"
):
    return {
        "paper": "multiview_hier", "dataset": dataset, "label": "", "table": table,
        "setting": setting, "method": method, "metric": metric, "reading": reading, "run": run,
        "value": value, "provenance": provenance,
    }  # fmt: skip


def table2(rng, level=LEVEL, provenance="original"):
    found = []
    for dataset in SETS:
        for share in (10, 30):
            for method, mean in level.items():
                for metric in ("macro_f1_pct", "micro_f1_pct"):
                    for run in range(2):
                        value = mean + 0.2 * rng.normal()
                        found.append(
                            row(dataset, "2", f"train={share}%", method, metric, value, run,
                                provenance=provenance)
                        )  # fmt: skip
    return pd.DataFrame(found)


def table4(rng, gain=3.0):
    found = []
    for dataset in ("newsgroups_tree", "amazon_tree"):
        for share in SHARES:
            setting = f"train={share}%"
            for run in range(3):
                for method, extra in (
                    ("V1", 0), ("V2", -9), ("V12", -5), ("COTRAIN", -6), ("SUMSCORE", 0),
                    ("PRODSCORE", -2), ("MAXAGREE", 0), ("Hier-SUMSCORE", gain - 0.5),
                    ("Hier-PRODSCORE", gain - 3), ("Hier-MAXAGREE", gain),
                ):  # fmt: skip
                    for metric in ("macro_f1_pct", "micro_f1_pct"):
                        value = 40 + share * (1.0 if "Hier" in method else 0.5) + extra
                        value += 0.05 * rng.normal()
                        for reading in ("paper", "scored=unlabelled"):
                            found.append(
                                row(dataset, "4", setting, method, metric, value, run, reading,
                                    "stand-in")
                            )  # fmt: skip
                found.append(
                    row(dataset, "4", setting, "V1 vs V2", "view_agreement", share / 50, run,
                        provenance="stand-in")
                )  # fmt: skip
    return pd.DataFrame(found)


def test_ranks(rng):
    rows = table2(rng)
    both = {"methods": ["SUMSCORE", "MAXAGREE"]}
    assert claims.best_ranks(rows, both).verdict == "holds"
    assert claims.best_ranks(rows, {"methods": ["V2"]}).verdict == "fails"
    baseline = {"methods": ["V12"], "others": ["V1", "V2", "COTRAIN"]}
    assert claims.best_ranks(rows, baseline).verdict == "holds"
    surrogate = table2(rng, provenance="surrogate")
    assert claims.best_ranks(surrogate, both).verdict == "untestable"


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
    by_set = {name: 3.0 * i for i, name in enumerate(SETS)}
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
    crossing = claims.hier_beats_flat(table4(rng, gain=-5.0), {"methods": ["Hier-MAXAGREE"]})
    assert crossing.verdict == "mixed"
    assert "not at train=" in crossing.detail
    few = {"method": "Hier-MAXAGREE", "settings": ["train=5%", "train=10%"]}
    assert claims.best_at_shares(table4(rng), few).verdict == "holds"
    assert claims.best_at_shares(table4(rng), {**few, "method": "V12"}).verdict == "fails"
    assert claims.agreement_helps(table4(rng), {"method": "Hier-MAXAGREE"}).verdict == "holds"
    assert claims.more_labels_help(table4(rng), {}).verdict == "holds"


def test_convergence_and_label_sets(rng):
    found = []
    for run in range(6):
        for method, count in (("V1", 12), ("V12", 14), ("Hier-SUMSCORE", 6), ("SUMSCORE", 16)):
            for i in range(count + run % 2):
                found.append(
                    row("amazon_tree", "fig11b", f"train=30%,iteration={i:02d}", method,
                        "bits_flipped", 1.0, run, provenance="stand-in")
                )  # fmt: skip
    rows = pd.DataFrame(found)
    faster = {"methods": ["Hier-SUMSCORE"], "others": ["V1", "V12"]}
    assert claims.converge_faster(rows, faster).verdict == "holds"
    assert (
        claims.converge_faster(rows, {"methods": ["SUMSCORE"], "others": ["V1"]}).verdict == "fails"
    )
    where = ("amazon_tree", "extra:label_sets", "train=5%", "Hier-SUMSCORE", "violating_sets_pct")
    sets = pd.DataFrame(
        [row(*where, v, run, provenance="stand-in") for run, v in enumerate((0.0, 4.0))]
    )
    assert claims.soft_is_consistent(sets, {"method": "Hier-SUMSCORE"}).verdict == "fails"
    assert claims.soft_is_consistent(sets[:1], {"method": "Hier-SUMSCORE"}).verdict == "holds"


def test_freedom_of_views():
    rows = pd.DataFrame(
        [row("cora", "extra:maxagree", "train=10%", "MAXAGREE", "views_disagree_pct", 0.2)]
    )
    assert claims.maxagree_is_sum(rows, {"share_pct": 1.0}).verdict == "fails"
    assert claims.maxagree_is_sum(rows, {"share_pct": 0.1}).verdict == "holds"


def test_without_rows_nothing_is_claimed(rng):
    empty = table2(rng)
    empty = empty[np.zeros(len(empty), dtype=bool)]
    for check, params in (
        ("best_ranks", {"methods": ["V1"]}), ("beats_on_most", {"methods": ["V1"], "other": "V2"}),
        ("as_good_as", {"methods": ["V1", "V2"], "margin": 1.0}),
        ("not_consistent", {"method": "V1", "other": "V2"}),
        ("imbalance", {"method": "V1", "base": "V2", "sign": 1}),
        ("hier_beats_flat", {"methods": ["Hier-SUMSCORE"]}),
        ("best_at_shares", {"method": "V12", "settings": ["train=5%"]}),
        ("agreement_helps", {"method": "V12"}), ("more_labels_help", {}),
        ("converge_faster", {"methods": ["V1"], "others": ["V2"]}),
        ("soft_is_consistent", {"method": "V1"}), ("run_time", {}),
        ("maxagree_is_sum", {"share_pct": 1.0}),
    ):  # fmt: skip
        assert getattr(claims, check)(empty, params).verdict == "untestable"
