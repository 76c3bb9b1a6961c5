"""The experiments of multiview_hier on small made-up data: rows, choices, ranks, checks."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from scipy import stats

from manyviews.metrics import macro_f1
from reproduction.data.format import MultiViewData
from reproduction.papers.multiview_hier import (
    PAPER,
    TABLE2,
    choices,
    methods,
    protocol,
    rivals,
    summary,
    table4,
)
from reproduction.papers.multiview_hier.columns import ALL_POINTS, CHOICES, TABLES, UNLABELLED
from reproduction.papers.multiview_hier.settings import PaperSettings
from reproduction.results.jobs import Context, Job, find_job, jobs_of
from reproduction.results.published import load_published
from reproduction.results.rows import read_rows
from reproduction.results.runner import write_result
from reproduction.results.settings import SettingsError, complete

SETTINGS = complete(
    PaperSettings, {"tree_rows_per_leaf": 20, "stand_in_runs": 2, "max_iter": 6}, size="quick"
)
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
    return make_data(rng, name, methods.VIEWS[name], ontology=TREE)


@pytest.fixture
def run(tmp_path):
    """Run a job on made-up data and read its files as the stations do."""

    def run_job(job, data, results=None):
        context = Context(job, {d.name: d for d in data}, SETTINGS, results or {})
        result = job.load()(context)
        table = tmp_path / f"{job.name}.csv"
        write_result(job, result, table, {})
        timings = read_rows(table.with_suffix(".timing.csv"), TABLES)
        return read_rows(table, TABLES), timings, result.details

    return run_job


def one_scoring(values, scored=ALL_POINTS):
    return values[values["scored"] == scored]


def test_jobs_fit_together():
    jobs = jobs_of(PAPER)
    names = {job.place for job in jobs}
    assert all(other in names for job in jobs for other in job.after)
    printed = load_published(PAPER)
    printed = set(printed.loc[printed["table"] == "2", "dataset"]) - {"all"}
    assert {job.dataset for job in jobs if job.name == "table2"} == printed
    for job in jobs:
        assert callable(job.load())


def test_settings_refuse_what_cannot_run():
    for given in (
        {"partitions": {"webkb": 1}}, {"train": [10]}, {"train": [10, 100]}, {"tree_train": [0, 5]},
        {"max_iter": 0}, {"mip_points": 10**9}, {"tree_rows_per_leaf": 9}, {"choice_runs": 1.5},
    ):  # fmt: skip
        with pytest.raises(SettingsError, match=next(iter(given))):
            complete(PaperSettings, given)


def test_table2_rows(rng, run):
    values, timings, details = run(find_job(PAPER, "cora", "table2"), [linked(rng)])
    part = values[(values["table"] == "2") & (values["metric"] == methods.MACRO)]
    roles = part.groupby("role")["method"].agg(set)
    assert roles["published"] == set(methods.FLAT_METHODS)
    assert roles["control"] == {"majority", "random"}
    assert set(part["reading"]) == {"inferred"}
    assert set(part["scored"]) == {ALL_POINTS, UNLABELLED}
    assert set(part["train"]) == set(SETTINGS.train)
    assert set(one_scoring(part)["setting"]) == {"train=10%", "train=30%"}
    assert len(part) == 2 * len(SETTINGS.train) * SETTINGS.partitions.cora * sum(map(len, roles))
    wide = part.pivot_table(index=["train", "method", "run"], columns="scored", values="value")
    assert (wide[ALL_POINTS] >= wide[UNLABELLED] - 1e-9).mean() > 0.9
    agree = values[values["metric"] == "view_agreement"]
    assert agree["value"].between(0, 1).all()
    assert timings["seconds"].notna().any()
    assert details["class_sizes"]["cora"]["a/x"] == 25
    facts = values[(values["table"] == "1") & (values["metric"] == "features")]
    assert facts.set_index("place")["view"].to_dict() == {1: "content", 2: "cited"}
    assert (facts["value"] == 15).all()


def test_partitions_are_drawn_per_class_and_shared():
    y = np.repeat([0, 1, 2], [16, 10, 4])
    known = protocol.partition("leaves", 10, 0, y)
    assert np.bincount(y[known]).tolist() == [2, 1, 1]
    np.testing.assert_array_equal(known, protocol.partition("leaves", 10.0, 0, y))
    assert (known != protocol.partition("leaves", 10, 1, y)).any()


def test_a_collapsed_leaves_run_gives_the_published_prodscore():
    """2 or 5 labelled of 16 in each of 100 classes, all else in one class: 22.0 and 47.1."""
    y = np.repeat(np.arange(100), 16)
    for percent, printed in ((10, 22.0), (30, 47.1)):
        known = protocol.partition("leaves", percent, 0, y)
        rows = protocol.score("2", {}, "PRODSCORE", y, np.where(known, y, 0), known, run=0)
        assert rows[0].value == pytest.approx(printed, abs=0.1)


def test_levels_of_a_tree(rng, run):
    data = tree_data(rng, "nell_mv")
    level2 = protocol.labels_at_level(data, 2)
    assert level2.names == ["a", "b"]
    np.testing.assert_array_equal(level2.y, data.labels // 2)
    values, _, _ = run(find_job(PAPER, "nell_mv", "table2"), [data])
    two = one_scoring(values[values["table"] == "2"])
    assert set(two["level"]) == {2, 3}
    assert "level=2;train=10%" in set(two["setting"])


def test_table4_rows_gains_and_ranks(rng, run):
    values, _, details = run(find_job(PAPER, "amazon_tree", "table4"), [tree_data(rng)])
    four = one_scoring(values[values["table"] == "4"])
    macro = four[four["metric"] == methods.MACRO]
    assert {*methods.FLAT_METHODS, *methods.COUNTERPART} <= set(macro["method"])
    hier = macro[macro["method"] == "Hier-SUMSCORE"]
    assert set(hier["reading"]) == set(table4.CONSTRAINTS)
    mean = macro[macro["reading"] == "inferred"].groupby(["train", "method"])["value"].mean()
    gain = four[(four["metric"] == "relative_gain_pct") & (four["reading"] == "inferred")]
    assert len(gain) == len(SETTINGS.tree_train) * len(methods.COUNTERPART)
    for _, row in gain.iterrows():
        base = mean[row["train"], methods.COUNTERPART[row["method"]]]
        expected = 100 * (mean[row["train"], row["method"]] / base - 1)
        assert row["value"] == pytest.approx(expected)
    ranks = four[(four["metric"] == "average_rank") & (four["reading"] == "inferred")]
    assert set(ranks["method"]) == set(methods.RANKED)
    assert ranks["train"].isna().all()
    n = len(methods.RANKED)
    assert ranks["value"].sum() == pytest.approx(n * (n + 1) / 2)
    sets = values[values["table"] == "extra:label_sets"]
    hard = sets[(sets["reading"] == "hard") & (sets["metric"] == "violating_sets_pct")]
    assert len(hard)
    assert (hard["value"] == 0).all()
    flips = values[values["table"] == "fig11b"]
    assert set(flips["train"]) == {max(SETTINGS.tree_train)}
    assert flips["iteration"].min() == 1
    assert details["documents"] == 4 * SETTINGS.tree_rows_per_leaf


def test_coras_tree_has_its_own_size(rng, run):
    values, _, details = run(find_job(PAPER, "cora_tree", "table4"), [tree_data(rng, "cora_tree")])
    four = values[(values["table"] == "4") & (values["metric"] == methods.MACRO)]
    assert four["run"].nunique() == SETTINGS.cora_tree_runs
    assert details["documents"] == 4 * SETTINGS.cora_tree_rows_per_leaf
    full = complete(PaperSettings, {})
    assert full.tree_size("cora_tree") == (10, full.cora_tree_rows_per_leaf)
    assert full.tree_size("amazon_tree") == (full.stand_in_runs, full.tree_rows_per_leaf)
    assert full.tree_size("nell_mv") == (full.surrogate_runs, None)


def test_entities_without_a_class_are_fitted_but_not_scored(rng, run):
    data = make_data(rng, "nell_entities", methods.VIEWS["nell_entities"], per_class=15)
    truth = data.labels.copy()
    hidden = rng.random(truth.size) < 0.4
    hidden[:: truth.size // 12] = False  # every class keeps some
    labels = np.where(hidden, -1, truth)
    data = MultiViewData(
        name=data.name, views=data.views, labels=labels, class_names=data.class_names,
        ids=data.ids, provenance=data.provenance,
    )  # fmt: skip
    values, _, details = run(find_job(PAPER, "nell_entities", "stand_in"), [data])
    part = values[values["table"] == "extra:stand_in"]
    assert details == {"entities": truth.size, "with a known class": int((~hidden).sum())}
    assert set(part["method"]) == {*methods.FLAT_NAMES, "majority", "random", "V1 vs V2"}
    target = protocol.Target(None, labels, data.class_names)
    case = next(protocol.cases("nell_entities", target, [10], range(1)))
    assert not (case.known & hidden).any()
    assert (case.given[hidden] == -1).all()
    prepared = protocol.Prepared.of(data.Xs(*methods.VIEWS["nell_entities"]))
    done = protocol.fit_flat(prepared, case.given, SETTINGS.max_iter, ("SUMSCORE",))["SUMSCORE"]
    expected = 100 * macro_f1(labels[~hidden], done.labels[~hidden])
    found = one_scoring(part[(part["method"] == "SUMSCORE") & (part["metric"] == methods.MACRO)])
    found = found[(found["train"] == 10) & (found["run"] == 0)]
    assert found["value"].tolist() == pytest.approx([expected])


def test_all_classes_of_wikipedia_are_a_reading_of_table_2(rng, run):
    name = "wikipedia_linqs.all_classes"
    data = make_data(rng, name, methods.VIEWS["wikipedia_linqs"])
    values, _, details = run(find_job(PAPER, "wikipedia_linqs", "all_classes"), [data])
    assert set(values["reading"]) == {"all classes"}
    assert set(values["dataset"]) == {"wikipedia_linqs"}
    assert set(values["table"]) == {"2"}
    assert set(values["method"]) == {*methods.FLAT_NAMES, "V1 vs V2"}
    printed = load_published(PAPER)
    printed = printed[(printed["dataset"] == "wikipedia_linqs") & (printed["table"] == "2")]
    assert set(printed["setting"]) == set(values["setting"])
    assert details == {"documents": data.n_rows, "classes": 4}


def test_sampling_rows_per_leaf_is_stable(rng):
    data = tree_data(rng)
    one, two = table4.sample(data, 7), table4.sample(data, 7)
    assert one.ids == two.ids
    assert np.bincount(one.labels).tolist() == [7] * 4
    assert table4.sample(data, None) is data


def test_every_choice_has_one_that_table2_takes_and_another(rng, run):
    values, _, _ = run(find_job(PAPER, "cora", "choices"), [linked(rng)])
    declared = set(values.loc[values["reading"] == "inferred", "table"])
    others = set(values.loc[values["reading"] == choices.OTHER, "table"])
    assert declared == others == set(values["table"])
    missing = {table.name for table in CHOICES} - declared
    assert missing == {"choice:class_order", "choice:leaves"}  # they concern other data sets
    link = values[values["table"] == "choice:link"]
    assert set(link["link"]) == {"cited", "cites", "links"}


def test_the_declared_choice_repeats_table2(rng, run):
    data = linked(rng)
    two, _, _ = run(find_job(PAPER, "cora", "table2"), [data])
    found, _, _ = run(find_job(PAPER, "cora", "choices"), [data])
    keys = ["train", "scored", "method", "run"]
    base = two[(two["table"] == "2") & (two["metric"] == methods.MACRO)].set_index(keys)["value"]
    found = found[(found["reading"] == "inferred") & (found["metric"] == methods.MACRO)]
    for _, part in found.groupby("table"):
        values = part.set_index(keys)["value"]
        np.testing.assert_allclose(values, base.loc[values.index], atol=1e-9)


def test_choices_of_leaves_and_of_the_class_order(rng, run):
    data = make_data(rng, "leaves", ("margin", "shape", "texture"), empty=0.0)
    other = make_data(rng, "leaves.by_line", ("margin", "shape", "texture"), empty=0.0)
    values, _, _ = run(find_job(PAPER, "leaves", "choices"), [data, other])
    found = values[values["table"] == "choice:leaves"]
    pairs = set(found[["views", "join"]].itertuples(index=False, name=None))
    assert {("shape+texture", "line"), ("margin+texture", "class")} <= pairs
    declared = found.loc[found["reading"] == "inferred", ["views", "join"]].drop_duplicates()
    assert declared.to_numpy().tolist() == [["margin+texture", "class"]]
    job = find_job(PAPER, "pubmed", "choices")
    runner = choices.Runner(Context(job, {"pubmed": linked(rng, "pubmed")}, SETTINGS))
    found = pd.DataFrame([vars(row)["at"] for row in runner.class_order()])
    assert set(found["first_class"]) == set(LEAVES)


def test_ranks_and_correlations(rng):
    frames = {}
    for dataset in ("cora", "webkb", "citeseer", "citeseer2"):
        records = [
            {
                "dataset": dataset, "table": "2", "setting": f"train={share}%", "scored": scored,
                "method": method, "metric": metric, "run": 0, "value": 50 + 20 * rng.random(),
            }
            for share in (10, 30)
            for method in methods.FLAT_METHODS
            for metric in (methods.MACRO, methods.MICRO)
            for scored in (ALL_POINTS, UNLABELLED)
        ]  # fmt: skip
        frames[f"{dataset}/table2"] = pd.DataFrame(records)
    context = Context(find_job(PAPER, "all", "summary"), {}, SETTINGS, frames)
    result = summary.run(context)
    found = pd.DataFrame([{**vars(row), **row.at} for row in result.rows])
    found = found[(found["reading"] == "inferred") & (found["scored"] == ALL_POINTS)]
    ranks = found[found["metric"] == "average_rank"]
    assert ranks["value"].mean() == pytest.approx((1 + len(methods.FLAT_METHODS)) / 2)
    every = pd.concat(frames.values())
    macro = every[(every["scored"] == ALL_POINTS) & (every["metric"] == methods.MACRO)]
    means = macro.pivot_table(index=["dataset", "setting"], columns="method", values="value")
    gain = 100 * (means["PRODSCORE"] / means["V12"] - 1)
    r, p = stats.pearsonr((means["V1"] - means["V2"]).abs(), gain)
    three = found[(found["table"] == "3") & (found["method"] == "PRODSCORE over V12")]
    three = three.set_index("metric")["value"]
    assert three["pearson_r"] == pytest.approx(r)
    assert three["p_value"] == pytest.approx(p)
    assert set(found.loc[found["role"] == "ours", "method"]) == {"SUMSCORE over V12"}
    with pytest.raises(ValueError, match="average ranks need all of them"):
        protocol.average_ranks(macro[macro["method"] != "V1"], methods.FLAT_NAMES, summary.CASE)


def test_mip_check_agrees(rng, run):
    job = find_job(PAPER, "all", "mip_check")
    values, timings, _ = run(job, [linked(rng), tree_data(rng)])
    share = values[values["metric"].isin(["cvxpy_agrees_pct", "batch_agrees_pct"])]
    assert (share["value"] == 100).all()
    assert set(share["origin"]) == {"cora", "amazon_tree"}
    assert set(share["method"]) == {"MAXAGREE", *methods.COUNTERPART}
    assert set(timings["table"]) == {"time:mip_check"}
    assert not set(timings["table"]) & set(values["table"])


RIVAL = Job(PAPER, "cora", "rival_toy", f"{rivals.__name__}.toy:run")


def test_a_rival_sees_the_labels_that_were_given_and_no_other(rng, run, monkeypatch):
    data = linked(rng)
    seen = []

    def predict(Xs, y, seed):
        seen.append(y)
        assert [X.shape[0] for X in Xs] == [y.size] * 2
        return np.random.default_rng(seed).integers(0, 4, y.size)

    context = Context(RIVAL, {"cora": data}, SETTINGS)
    result = rivals.compare(context, "toy", predict)
    assert {row.role for row in result.rows} == {"ours"}
    assert {row.method for row in result.rows} == {"toy"}
    masks = [
        protocol.partition("cora", percent, run_, data.labels)
        for percent in SETTINGS.train
        for run_ in range(SETTINGS.partitions.cora)
    ]
    assert len(seen) == len(masks)
    for y, known in zip(seen, masks, strict=True):
        assert (y[~known] == -1).all()
        np.testing.assert_array_equal(y[known], data.labels[known])
    again = rivals.compare(context, "toy", predict)
    assert [row.value for row in again.rows] == [row.value for row in result.rows]
    # its rows are sound, and stand where Table 2's stand
    monkeypatch.setattr(Job, "load", lambda job: lambda context: result)
    values, timings, _ = run(RIVAL, [data])
    monkeypatch.undo()
    two, _, _ = run(find_job(PAPER, "cora", "table2"), [data])
    places = [set(part.loc[part["table"] == "2", "setting"]) for part in (values, two)]
    assert places[0] == places[1]
    assert timings["seconds"].notna().all()


def test_a_rival_that_answers_nonsense_is_told(rng):
    context = Context(RIVAL, {"cora": linked(rng)}, SETTINGS)
    for answer, text in (
        (lambda y: y[:-1], "one whole number for each"),
        (lambda y: y + 0.5, "one whole number for each"),
        (lambda y: y, "must lie in 0 to 3"),
        (lambda y: y + 9, "must lie in 0 to 3"),
    ):
        with pytest.raises(ValueError, match=text):
            rivals.compare(context, "toy", lambda Xs, y, seed, answer=answer: answer(y))


def test_a_perfect_rival_reaches_the_top_on_every_level(rng):
    data = tree_data(rng, "nell_mv")
    job = Job(PAPER, "nell_mv", "rival_toy", RIVAL.entry)
    truth = {target.level: target.y for target in protocol.targets(data)}

    def predict(Xs, y, seed):
        (level,) = [k for k, labels in truth.items() if (labels[y >= 0] == y[y >= 0]).all()]
        return truth[level]

    result = rivals.compare(Context(job, {"nell_mv": data}, SETTINGS), "toy", predict)
    assert {vars(row)["at"]["level"] for row in result.rows} == set(truth)
    assert all(row.value == pytest.approx(100) for row in result.rows)
    assert set(rivals.DATASETS) == set(TABLE2)
