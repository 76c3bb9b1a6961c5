"""Every check of mvplsa says holds on rows that agree and fails on rows that do not."""

import numpy as np
import pandas as pd
import pytest

from reproduction.verdicts.claims import mvplsa as claims

RATES = ("r=0.01", "r=0.03", "r=0.05")


def rows_of(values, rng, noise=0.2, runs=8):
    """Tidy rows from {(table, dataset, setting, method[, metric]): mean}."""
    records = []
    for key, mean in values.items():
        table, dataset, setting, method, *rest = key
        for run in range(runs):
            records.append(
                {
                    "paper": "mvplsa", "dataset": dataset, "label": dataset.title(),
                    "table": table, "setting": setting, "method": method,
                    "metric": rest[0] if rest else "accuracy_pct", "reading": "paper",
                    "run": run, "value": mean + noise * rng.standard_normal(),
                    "provenance": "original",
                }
            )  # fmt: skip
    return pd.DataFrame(records)


def table3(rng, ours=95.0, slope=1.0, noise=0.2):
    values = {}
    for dataset in claims.NAMES:
        for k, rate in enumerate(RATES):
            values["3", dataset, rate, "MVPLSA"] = ours + 0.5 * slope * k
            values["3", dataset, rate, "NBC_V1"] = 80 + slope * k
            values["3", dataset, rate, "CoTr_V2"] = 80.3 + slope * k
            values["3", dataset, rate, "NBC_V2"] = 80.0 + slope * k
            values["4", dataset, rate, "MVPLSA"] = ours + 0.5 * slope * k
            values["4", dataset, rate, "DPLSA"] = 93.0
            values["4", dataset, rate, "DPLSA_V1"] = 94.5
    return rows_of(values, rng, noise)


@pytest.mark.parametrize(
    ("check", "params"),
    [
        ("best", {"table": "3"}),
        ("significant", {"tables": ["3"]}),
        ("beats", {"table": "4", "others": ["DPLSA"]}),
        ("rises_with_labels", {}),
        ("few_labels_suffice", {"margin": 3.0}),
        (
            "equal_methods",
            {"table": "3", "datasets": ["cornell"], "methods": ["CoTr_V2", "NBC_V2"], "margin": 3},
        ),
    ],
)
def test_table_claims(check, params, rng):
    function = getattr(claims, check)
    assert function(table3(rng), params).verdict == "holds"
    if check == "equal_methods":
        params = dict(params, methods=["MVPLSA", "NBC_V2"])
        assert function(table3(rng), params).verdict == "fails"
    elif check == "few_labels_suffice":
        assert function(table3(rng, slope=9.0), params).verdict == "fails"
    elif check == "rises_with_labels":
        assert function(table3(rng, slope=-2.0), params).verdict == "fails"
    else:
        assert function(table3(rng, ours=70.0), params).verdict == "fails"


def test_margin_of_beats(rng):
    params = {"table": "3", "datasets": ["newsgv4"], "setting": "r=0.01", "others": ["NBC_V1"]}
    assert claims.beats(table3(rng), {**params, "margin": 10.0}).verdict == "holds"
    assert claims.beats(table3(rng), {**params, "margin": 30.0}).verdict == "fails"


def test_spread(rng):
    calm, wild = table3(rng, noise=0.1), table3(rng, noise=3.0)
    ours = calm[calm["method"] == "MVPLSA"]
    theirs = wild[wild["method"] == "DPLSA"]
    assert claims.steadier(pd.concat([ours, theirs]), {}).verdict == "holds"
    swapped = pd.concat([wild[wild["method"] == "MVPLSA"], calm[calm["method"] == "DPLSA"]])
    assert claims.steadier(swapped, {}).verdict == "fails"
    rows = pd.concat(
        [
            table3(rng, noise=noise).query("setting == @rate")
            for rate, noise in zip(RATES, (8.0, 2.0, 0.2), strict=True)
        ]
    )
    assert claims.spread_falls_with_labels(rows, {}).verdict == "holds"
    flipped = rows.replace({"setting": {"r=0.01": "r=0.05", "r=0.05": "r=0.01"}})
    assert claims.spread_falls_with_labels(flipped, {}).verdict == "fails"


def test_topics(rng):
    flat = {("fig3", "cornell", f"r=0.05;Y={k}", "MVPLSA"): 95.0 + (k == 12) for k in (2, 4, 12)}
    rows = rows_of(flat, rng, noise=0.05)
    params = {"margin": 2.0, "grid": {"cornell": [2, 4, 12]}}
    assert claims.flat_in_topics(rows, params).verdict == "holds"
    assert claims.best_topics(rows, {"best": {"cornell": 12}}).verdict == "holds"
    assert claims.best_topics(rows, {"best": {"cornell": 4}}).verdict == "fails"
    assert claims.best_topics(rows, {"best": {"newsgv2": 4}}).verdict == "untestable"
    steep = {("fig3", "cornell", f"r=0.05;Y={k}", "MVPLSA"): 60.0 + k for k in (2, 4, 12)}
    assert claims.flat_in_topics(rows_of(steep, rng), params).verdict == "fails"


def test_split(rng):
    values = {}
    for view in range(1, 5):
        values["5", "newsgv4", f"r=0.01;view={view}", "MVPLSA"] = 80.0
        values["5", "newsgv4", f"r=0.01;view={view}", "NBC"] = 60.0
    assert claims.split_beats_naive_bayes(rows_of(values, rng), {}).verdict == "holds"
    values["5", "newsgv4", "r=0.01;view=2", "NBC"] = 90.0
    assert claims.split_beats_naive_bayes(rows_of(values, rng), {}).verdict == "mixed"


def test_clustering(rng):
    values = {
        ("fig2", "newsgv2", "clustering", method, metric): mean
        for method, mean in (("MVPLSA", 90.0), ("MVC", 60.0), ("Kmeans_Best", 70.0))
        for metric in ("NMI", "PF")
    }
    rows = rows_of(values, rng)
    params = {"datasets": ["newsgv2"]}
    assert claims.clusters_best(rows, params).verdict == "holds"
    assert claims.clusters_best(rows, {**params, "reverse": True}).verdict == "fails"


def test_without_rows_nothing_is_claimed(rng):
    rows = table3(rng)
    empty = rows[np.zeros(len(rows), bool)]
    for check in ("best", "significant", "steadier", "split_beats_naive_bayes"):
        result = getattr(claims, check)(empty, {"table": "3", "tables": ["3"]})
        assert result.verdict == "untestable"
