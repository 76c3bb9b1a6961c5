"""The experiments of multiview_hier on small made-up data: rows, readings, ranks, checks."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from scipy import stats

from reproduction.data.format import MultiViewData
from reproduction.papers.multiview_hier import (
    common,
    constants,
    flat,
    mip_check,
    readings,
    summary,
    trees,
)
from reproduction.papers.multiview_hier.ranks import average_ranks
from reproduction.results.jobs import Context, find_job, jobs_of, result_frames

SETTINGS = {
    "runs": 2, "train": [10, 30], "tree_train": [10, 30], "stand_in_runs": 2,
    "constraint_runs": 1, "tree_rows_per_leaf": 20, "reading_runs": 1, "mip_points": 3,
    "max_iter": 6,
}  # fmt: skip
LEAVES = ["a/x", "a/y", "b/x", "b/y"]
TREE = {"root": (), "a": ("root",), "b": ("root",)} | {n: (n[0],) for n in LEAVES}


def make_data(rng, name, views, *, per_class=25, ontology=None, empty=0.3):
    labels = np.repeat(np.arange(4), per_class)
    made = {}
    for v, view in enumerate(views):
        centres = rng.random((4, 15)) ** 4
        X = rng.poisson(6 * centres[labels]).astype(float)
        if v:
            X[rng.random(labels.size) < empty] = 0.0
        made[view] = sp.csr_matrix(X)
    return MultiViewData(
        name=name, views=made, labels=labels, class_names=LEAVES,
        ids=[str(i) for i in range(labels.size)], ontology=ontology,
        provenance={"source": "made up"},
    )  # fmt: skip


def linked(rng, name="cora"):
    return make_data(rng, name, ("content", "cited", "cites", "links"))


def tree_data(rng, name="amazon_tree"):
    views = {"amazon_tree": ("title", "text"), "nell_mv": ("text", "table")}[name]
    return make_data(rng, name, views, ontology=TREE)


def run(job, data, results=None):
    views = {d.name: d for d in data}
    context = Context(job, views, SETTINGS, results or {})
    result = job.load()(context)
    values, timings = result_frames(job, result)
    return values, timings, result.details


def test_jobs_fit_together():
    jobs = jobs_of("multiview_hier")
    names = {f"{job.dataset}/{job.name}" for job in jobs}
    assert all(other in names for job in jobs for other in job.after)
    assert {job.dataset for job in jobs if job.name == "table2"} == {
        "cora", "webkb", "citeseer", "wikipedia_linqs", "pubmed", "leaves", "citeseer2", "nell_mv",
    }  # fmt: skip
    for job in jobs:
        assert callable(job.load())


def test_table2_rows(rng):
    values, timings, details = run(find_job("multiview_hier", "cora", "table2"), [linked(rng)])
    part = values[(values["table"] == "2") & (values["metric"] == "macro_f1_pct")]
    assert set(part["method"]) == {*constants.FLAT_METHODS, "control:majority", "control:random"}
    assert set(part["reading"]) == {"paper", constants.UNLABELLED}
    assert set(part["setting"]) == {"train=10%", "train=30%"}
    assert len(part) == 9 * 2 * 2 * 2
    wide = part.pivot_table(index=["setting", "method", "run"], columns="reading", values="value")
    assert (wide["paper"] >= wide[constants.UNLABELLED] - 1e-9).mean() > 0.9
    agree = values[values["metric"] == "view_agreement"]
    assert agree["value"].between(0, 1).all()
    assert timings["seconds"].notna().any()
    assert details["cora"]["a/x"] == 25
    facts = values[(values["table"] == "1") & (values["metric"] == "features")]
    assert facts["value"].tolist() == [15, 15]


def test_partitions_are_drawn_per_class_and_shared():
    y = np.repeat([0, 1, 2], [16, 10, 4])
    known = common.partition("leaves", 10, 0, y)
    assert np.bincount(y[known]).tolist() == [2, 1, 1]
    np.testing.assert_array_equal(known, common.partition("leaves", 10, 0, y))
    assert (known != common.partition("leaves", 10, 1, y)).any()


def test_a_collapsed_leaves_run_gives_the_published_prodscore():
    """2 or 5 labelled of 16 in each of 100 classes, all else in one class: 22.0 and 47.1."""
    y = np.repeat(np.arange(100), 16)
    for percent, printed in ((10, 22.0), (30, 47.1)):
        known = common.partition("leaves", percent, 0, y)
        rows = common.score("2", "s", "PRODSCORE", y, np.where(known, y, 0), known, run=0)
        assert rows[0].value == pytest.approx(printed, abs=0.1)


def test_levels_of_a_tree(rng):
    data = tree_data(rng, "nell_mv")
    level2, names = flat.labels_at_level(data, 2)
    assert names == ["a", "b"]
    np.testing.assert_array_equal(level2, data.labels // 2)
    values, _, _ = run(find_job("multiview_hier", "nell_mv", "table2"), [data])
    labels = set(values.loc[values["table"] == "2", "label"])
    assert labels == {"NELL_mv level=2", "NELL_mv level=3"}


def test_table4_rows_gains_and_ranks(rng):
    values, _, details = run(find_job("multiview_hier", "amazon_tree", "table4"), [tree_data(rng)])
    four = values[values["table"] == "4"]
    macro = four[four["metric"] == "macro_f1_pct"]
    assert {*constants.FLAT_METHODS, *constants.HIER_METHODS} <= set(macro["method"])
    hier = macro[macro["method"] == "Hier-SUMSCORE"]
    assert {"paper", "consistency=hard", "constraints=parents+siblings"} <= set(hier["reading"])
    mean = macro[macro["reading"] == "paper"].groupby(["setting", "method"])["value"].mean()
    gain = four[(four["metric"] == "relative_gain_pct") & (four["reading"] == "paper")]
    for _, row in gain.iterrows():
        base = mean[row["setting"], row["method"].removeprefix("Hier-")]
        expected = 100 * (mean[row["setting"], row["method"]] / base - 1)
        assert row["value"] == pytest.approx(expected)
    ranks = four[(four["metric"] == "average_rank") & (four["reading"] == "paper")]
    assert set(ranks["method"]) == set(trees.RANKED)
    assert ranks["value"].sum() == pytest.approx(36)  # 1 + ... + 8
    sets = values[values["table"] == "extra:label_sets"]
    hard = sets[(sets["reading"] == "consistency=hard") & (sets["metric"] == "violating_sets_pct")]
    assert (hard["value"] == 0).all()
    flips = values[values["table"] == "fig11b"]
    assert flips["setting"].str.startswith("train=30%,iteration=").all()
    assert details["documents"] == 80  # 20 rows per leaf are kept


def test_sampling_rows_per_leaf_is_stable(rng):
    data = tree_data(rng)
    one, two = trees.sample(data, 7), trees.sample(data, 7)
    assert one.ids == two.ids
    assert np.bincount(one.labels).tolist() == [7] * 4
    assert trees.sample(data, None) is data


def test_readings_cover_the_silent_points(rng):
    values, _, details = run(find_job("multiview_hier", "cora", "readings"), [linked(rng)])
    topics = {name.partition(":")[2] for name in values["table"]}
    assert topics == {
        "cotrain", "readout", "link", "weights", "concat", "zero_products", "draw",
    }  # fmt: skip
    for topic, reading in details["chosen"].items():
        part = values[values["table"] == f"silent:{topic}"]
        assert reading in set(part["reading"])
    link = values[values["table"] == "silent:link"]
    assert {"link=cited", "link=cites", "link=links"} <= set(link["reading"])


def test_the_declared_reading_repeats_table2(rng):
    data = linked(rng)
    table2, _, _ = run(find_job("multiview_hier", "cora", "table2"), [data])
    silent, _, details = run(find_job("multiview_hier", "cora", "readings"), [data])
    keys = ["setting", "method", "run"]
    base = table2[(table2["table"] == "2") & (table2["reading"] == "paper")]
    base = base[base["metric"] == "macro_f1_pct"].set_index(keys)["value"]
    for topic, reading in details["chosen"].items():
        part = silent[(silent["table"] == f"silent:{topic}") & (silent["reading"] == reading)]
        part = part[part["metric"] == "macro_f1_pct"].set_index(keys)["value"]
        np.testing.assert_allclose(part, base.loc[part.index], atol=1e-9)


def test_leaves_and_class_order_readings(rng):
    data = make_data(rng, "leaves", ("margin", "shape", "texture"), empty=0.0)
    other = make_data(rng, "leaves.by_line", ("margin", "shape", "texture"), empty=0.0)
    values, _, _ = run(find_job("multiview_hier", "leaves", "readings"), [data, other])
    found = set(values.loc[values["table"] == "silent:leaves", "reading"])
    assert {"views=shape+texture,join=line", "views=margin+texture,join=class"} <= found
    job = find_job("multiview_hier", "pubmed", "readings")
    context = Context(job, {"pubmed": linked(rng, "pubmed")}, SETTINGS)
    runner = readings.Runner(context)
    runner.class_order()
    first = {row.reading for row in runner.rows if "scored" not in row.reading}
    assert first == {f"first class={name}" for name in LEAVES}


def test_ranks_and_correlations(rng):
    frames = {}
    for dataset in ("cora", "webkb", "citeseer", "citeseer2"):
        records = []
        for setting in ("train=10%", "train=30%"):
            for method in constants.FLAT_METHODS:
                for metric in ("macro_f1_pct", "micro_f1_pct"):
                    for reading in ("paper", constants.UNLABELLED):
                        records.append(
                            {
                                "dataset": dataset, "label": "", "table": "2", "setting": setting,
                                "method": method, "metric": metric, "reading": reading, "run": 0,
                                "value": 50 + 20 * rng.random(),
                            }
                        )  # fmt: skip
        frames[f"{dataset}/table2"] = pd.DataFrame(records)
    context = Context(find_job("multiview_hier", "all", "summary"), {}, SETTINGS, frames)
    result = summary.run(context)
    found = pd.DataFrame([vars(row) for row in result.rows])
    ranks = found[(found["metric"] == "average_rank") & (found["reading"] == "paper")]
    assert ranks["value"].mean() == pytest.approx(4.0)
    every = pd.concat(frames.values())
    macro = every[(every["reading"] == "paper") & (every["metric"] == "macro_f1_pct")]
    means = macro.pivot_table(index=["dataset", "setting"], columns="method", values="value")
    gain = 100 * (means["PRODSCORE"] / means["V12"] - 1)
    r, p = stats.pearsonr((means["V1"] - means["V2"]).abs(), gain)
    three = found[(found["table"] == "3") & (found["method"] == "PRODSCORE over V12")]
    three = three[three["reading"] == "paper"].set_index("metric")["value"]
    assert three["pearson_r"] == pytest.approx(r)
    assert three["p_value"] == pytest.approx(p)
    with pytest.raises(ValueError, match="average ranks need all of them"):
        average_ranks(macro[macro["method"] != "V1"], tuple(constants.FLAT_METHODS))


def test_mip_check_agrees(rng):
    job = find_job("multiview_hier", "all", "mip_check")
    views = {"cora": linked(rng), "amazon_tree": tree_data(rng)}
    result = mip_check.run(Context(job, views, SETTINGS))
    values, timings = result_frames(job, result)
    share = values[values["metric"].isin(["cvxpy_agrees_pct", "batch_agrees_pct"])]
    assert (share["value"] == 100).all()
    assert set(share["label"]) == {"cora", "amazon_tree"}
    assert set(share["method"]) == {"MAXAGREE", *constants.HIER_METHODS}
    assert (timings["table"] == "time:mip_check").all()
    assert not values["table"].str.startswith("time:").any()
