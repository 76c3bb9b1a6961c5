"""The protocol of the paper on label sets, on small made-up data."""

import itertools
from functools import partial

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from job_rows import run_job
from scipy import stats

from manyviews.metrics import macro_f1
from manyviews.models.multiview_kmeans import MultiViewKMeans
from manyviews.seeding import generator
from reproduction.data.format import MultiViewData
from reproduction.papers.multiview_hier import paper, protocol, settings, summary
from reproduction.papers.multiview_hier.protocol import TAKEN, Found
from reproduction.papers.multiview_hier.settings import ALL_POINTS, MACRO, MICRO, PAPER, UNLABELLED
from reproduction.papers.multiview_hier.trees import leaves, programme, tree_views
from reproduction.results.rows import INFERRED, Row

CAP = 7
SMALL = {
    "iterations": CAP, "tree_rows": {"stand_ins": 20}, "tree_runs": {"stand_ins": 2},
    "constraint_runs": 1,
}  # fmt: skip
CLASSES = ["a/x", "a/y", "b/x", "b/y"]
TREE = {"root": (), "a": ("root",), "b": ("root",)} | {name: (name[0],) for name in CLASSES}
LINKS = ("content", "cited", "cites", "links")


def made_up(rng, name="cora", per_class=25, empty=0.3):
    """Overlapping classes, so that labels move for some iterations; rows lack the second view."""
    y = np.repeat(np.arange(4), per_class)
    made = {}
    tree = "tree" in name or name == "nell_mv"
    leaf = ("margin", "shape", "texture")
    wanted = settings.VIEWS[name] if tree else leaf if name == "leaves" else LINKS
    for v, view in enumerate(wanted):
        centres = rng.random((4, 25)) ** 2
        X = rng.poisson(1.2 * centres[y]).astype(float)
        X[rng.random(y.size) < (empty if v else 0)] = 0.0
        made[view] = sp.csr_matrix(X)
    ids, ontology = [str(i) for i in range(y.size)], TREE if tree else None
    return MultiViewData(name, made, y, CLASSES, ids, ontology=ontology)


def drawn(data, share=20.0, run=0, level=None, draw=TAKEN["draw"], other=None, **how):
    """One partition, as Table 2 or Table 4 draws it."""
    seeded = partial(generator, PAPER, data.name)
    if data.ontology and data.name != "nell_mv":
        return leaves(tree_views(data, 1000), run, seeded, share)
    asked = {name: TAKEN[name] for name in ("pair", "join", "words", "centroids", "concat")}
    made = protocol.views({"": data, "by_line": other}, **{**asked, **how})
    return protocol.partition(made, run, seeded, share, level, draw)


def run(name, *data, results=None, **changed):
    """Run a job and return its rows and times."""
    place = f"{data[0].name if data else 'all'}/{name}"
    return run_job(PAPER, place, *data, given={**SMALL, **changed}, results=results)[:2]


# -- partitions and views


def test_partitions_are_drawn_per_class(rng):
    data = made_up(rng)
    data.labels = np.repeat([0, 1, 2], [56, 30, 14])
    known = drawn(data, 10).known
    assert np.bincount(data.labels[known]).tolist() == [6, 3, 1]
    np.testing.assert_array_equal(known, drawn(data, 10.0, draw="per class").known)


def test_views_are_those_that_are_named(rng):
    data, other = made_up(rng, "leaves"), made_up(rng, "leaves")
    for how, source, pair in (
        ({}, data, ("margin", "texture")),
        ({"pair": "shape+texture"}, data, ("shape", "texture")),
        ({"pair": "shape", "join": "line"}, other, ("margin", "shape")),
    ):
        part = drawn(data, other=other, **how)
        for view, name in zip(part.views.pair, pair, strict=True):
            np.testing.assert_array_equal(view.raw.toarray(), source.views[name].toarray())
        assert part.views.data is data
    dense = data.views["margin"].toarray()
    weight = 1 + np.log(len(dense) / np.maximum((dense > 0).sum(axis=0), 1))
    found = drawn(data, words="1+idf").views.pair[0].raw.toarray()
    np.testing.assert_allclose(found, dense * weight)


def test_words_of_the_trees_are_weighted(rng):
    data = made_up(rng, "amazon_tree")
    for view, name in zip(tree_views(data, 1000).pair, settings.VIEWS["amazon_tree"], strict=True):
        dense = data.views[name].toarray()
        df = (dense > 0).sum(axis=0)
        idf = np.where(df > 0, np.log(len(dense) / np.maximum(df, 1)), 0.0)
        np.testing.assert_allclose(view.raw.toarray(), dense * idf, rtol=1e-12)


def test_levels_of_a_tree(rng):
    data = made_up(rng, "nell_mv")
    assert protocol.levels(data) == [2, 3]
    np.testing.assert_array_equal(protocol.labels_at(data, 2), data.labels // 2)
    np.testing.assert_array_equal(protocol.labels_at(data, 3), data.labels)
    values, _ = run("table2", data)
    found = set(values.loc[values["table"] == "2", "setting"])
    assert {"level=2;train=10%", "level=3;train=30%;scored=unlabelled"} <= found


# -- cells by hand


def test_a_cell_of_table_2_by_hand(rng):
    """Six points, two classes; one of the four unlabelled ones is wrong."""
    part = drawn(made_up(rng))
    part.y, guess = np.array([0, 0, 0, 1, 1, 1]), Found(np.array([0, 0, 1, 1, 1, 1]))
    part.known = np.array([True, False, False, True, False, False])
    # all: F1 of class 0 is 2*2/(2+3), of class 1 2*3/(4+3); unlabelled: 2*1/(1+2) and 2*2/(3+2)
    assert protocol.f1_pct(part, guess, ALL_POINTS) == pytest.approx(100 * (4 / 5 + 6 / 7) / 2)
    assert protocol.f1_pct(part, guess, ALL_POINTS, average=MICRO) == pytest.approx(100 * 5 / 6)
    assert protocol.f1_pct(part, guess, UNLABELLED) == pytest.approx(100 * (2 / 3 + 4 / 5) / 2)
    assert protocol.f1_pct(part, guess, UNLABELLED, average=MICRO) == pytest.approx(75.0)
    same = np.array([True, False, True, False, True, True])
    assert protocol.agreement(part, same, ALL_POINTS) == pytest.approx(4 / 6)
    assert protocol.agreement(part, same, UNLABELLED) == pytest.approx(3 / 4)


def test_a_cell_of_table_4_by_hand(rng):
    """Leaves without a word in common; one point in five of every leaf looks like the next leaf.

    Whoever goes by the words is wrong about those alone, if they are not labelled. Each leaf then
    has as many points that wrongly look like it as points of it that look like another, so its F1
    is the share that is right, and so is the mean over the leaves.
    """
    data = made_up(rng, "amazon_tree", per_class=20)
    y, known = data.labels, drawn(data).known
    odd = np.concatenate([np.flatnonzero(~known & (y == c))[:4] for c in range(4)])
    words = y.copy()
    words[odd] = (y[odd] + 1) % 4
    for name in data.views:
        counts = np.zeros((80, 20))
        for i, c in enumerate(words):
            counts[i, 5 * c : 5 * c + 5] = rng.integers(3, 6, size=5)
        data.views[name] = sp.csr_matrix(counts)
    values, timings = run("table4", data, tree_train=[20, 30])
    cells = values[(values["table"] == "4") & (values["metric"] == MACRO)]
    cells = cells[(cells["train"] == 20) & (cells["run"] == 0) & (cells["reading"] == INFERRED)]
    cells = cells.set_index(["method", "scored"])["value"]
    for method in ("SUMSCORE", "Hier-SUMSCORE", "Hier-PRODSCORE"):
        assert cells[method, ALL_POINTS] == pytest.approx(100 * (80 - 16) / 80), method
        assert cells[method, UNLABELLED] == pytest.approx(100 * (64 - 16) / 64), method
    assert set(timings["metric"]) == {"seconds", "iterations", "documents"}
    sets = values[(values["table"] == "extra:label_sets") & (values["reading"] == "hard")]
    assert (sets.loc[sets["metric"] == "violating_sets_pct", "value"] == 0).all()


def test_programmes_have_the_cosines_of_the_first_step(rng):
    """One by one: a label's centroid is the mean of the labelled unit rows below it."""
    part = drawn(made_up(rng, "amazon_tree", empty=0.0))
    below = part.ontology.above[part.columns[part.y]] & part.known[:, None]
    cosines = np.zeros(((~part.known).sum(), 2, len(part.ontology)))
    for v, view in enumerate(part.views.pair):
        X = view.raw.toarray()
        X /= np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-300)
        for label in np.flatnonzero(below.any(axis=0)):
            mean = X[below[:, label]].mean(axis=0)
            cosines[:, v, label] = X[~part.known] @ mean / np.linalg.norm(mean)
    for method, expected in (
        ("Hier-SUMSCORE", cosines[:, :1] + cosines[:, 1:]),
        ("Hier-PRODSCORE", cosines[:, :1] * cosines[:, 1:]),
        ("Hier-MAXAGREE", cosines),
    ):
        problem, scores = programme(part, method)
        np.testing.assert_allclose(scores, expected, atol=1e-9)
        assert problem.n_views == scores.shape[1]


def test_ranks_by_hand():
    """Three methods, two test cases, one tie."""
    values = {"p": {"A": 90, "B": 80, "C": 80}, "q": {"A": 50, "B": 70, "C": 60}}
    rows = pd.DataFrame(values).rename_axis("method").reset_index()
    rows = rows.melt("method", var_name="case").merge(
        pd.Series([MACRO, MICRO], name="metric"), "cross"
    )
    ranks = summary.average_ranks(rows, ("A", "B", "C"), ["case"])
    assert ranks == {"A": 2.0, "B": 1.75, "C": 2.25}
    with pytest.raises(ValueError, match="average ranks need all of them"):
        summary.average_ranks(rows[1:], ("A", "B", "C"), ["case"])


def test_a_relative_gain_of_table_4_by_hand():
    """Two runs: the means are 55 and 44, so the tree gains a quarter; the others gain nothing."""
    macro = {"Hier-SUMSCORE": (50.0, 60.0), "SUMSCORE": (40.0, 48.0)}
    rows = [
        Row("4", {"train": 5.0, "scored": scored}, method, metric, value, run=run)
        for method, metric, scored in itertools.product(
            settings.RANKED, (MACRO, MICRO), (ALL_POINTS, UNLABELLED)
        )
        for run, value in enumerate(macro.get(method, (30.0, 32.0)))
    ]
    frame = pd.DataFrame([{**vars(row), **row.at} for row in rows])
    made = [row for row in summary.over_shares(frame) if row.metric == "relative_gain_pct"]
    gains = {(row.method, vars(row)["at"]["scored"]): row.value for row in made}
    assert gains["Hier-SUMSCORE", ALL_POINTS] == pytest.approx(25.0)
    assert gains["Hier-PRODSCORE", UNLABELLED] == pytest.approx(0.0)


def test_correlations_of_table_3_are_those_of_the_cases(rng):
    axes = {
        "setting": ("train=10%", "train=30%"), "method": settings.FLAT_NAMES,
        "metric": (MACRO, MICRO), "scored": (ALL_POINTS, UNLABELLED),
    }  # fmt: skip
    cells = pd.MultiIndex.from_product(axes.values(), names=axes).to_frame(index=False)
    cells = cells.assign(table="2", run=0)
    frames = {
        f"{name}/table2": cells.assign(dataset=name, value=50 + 20 * rng.random(len(cells)))
        for name in settings.TABLE2
    }
    found, _ = run("summary", results=frames)
    found = found[(found["reading"] == INFERRED) & (found["scored"] == ALL_POINTS)]
    every = pd.concat(frames.values())
    macro = every[(every["scored"] == ALL_POINTS) & (every["metric"] == MACRO)]
    means = macro.pivot_table(index=["dataset", "setting"], columns="method", values="value")
    gain = 100 * (means["PRODSCORE"] / means["V12"] - 1)
    r, p = stats.pearsonr((means["V1"] - means["V2"]).abs(), gain)
    three = found[found["method"] == "PRODSCORE over V12"].set_index("metric")["value"]
    assert (three["pearson_r"], three["p_value"]) == pytest.approx((r, p))
    assert set(found.loc[found["role"] == "ours", "method"]) == {"SUMSCORE over V12"}


# -- readings


def test_cotrain_takes_the_class_with_the_smallest_sum_of_angles(rng):
    """The same by plain loops: means of the rows on which both views agree, then two angles."""
    data = made_up(rng, empty=0.0)
    part = drawn(data, draw="uniform")
    model = part.model("COTRAIN", CAP, cotrain_order="alternating")
    found = paper.by_angles(part, CAP).labels
    by_view = model.label_sets_.argmax(axis=2)
    units = [view.X.toarray() for view in part.views.pair]
    np.testing.assert_array_equal(found[part.known], part.y[part.known])
    for row in np.flatnonzero(~part.known):
        sums = []
        for c in range(4):
            means = [X[(by_view == c).all(axis=1)].sum(axis=0) for X in units]
            means = [mean / max(np.linalg.norm(mean), 1e-300) for mean in means]
            cosines = [X[row] @ mean for X, mean in zip(units, means, strict=True)]
            sums.append(np.arccos(np.clip(cosines, -1, 1)).sum())
        assert sums[found[row]] == pytest.approx(min(sums), abs=1e-9)


def test_readings_found_after_seeing_print_are_fits_that_stop_earlier_or_stand_elsewhere(rng):
    data = made_up(rng, "pubmed")
    values, _ = run("hypotheses", data, short_run=2)
    assert INFERRED not in set(values["reading"])  # no row of print's own reading: nothing moves
    linked = np.asarray((data.views["cites"] != 0).sum(axis=1)).ravel() > 0
    for share, number in itertools.product((10, 30), range(2)):
        part, here = drawn(data, share, number), values[values["run"] == number]
        labels = {
            (name, cap): MultiViewKMeans(combine, max_iter=cap)
            .fit(part.views.for_method(combine), part.given)
            .labels_
            for (name, combine), cap in itertools.product(settings.FLAT_METHODS.items(), (2, CAP))
        }
        wanted = [("short run", share, 2)]
        # these stand for the cells of the largest share
        wanted += [("share mislabelled", 30, CAP)] if share == 10 else []
        for reading, cells, cap in wanted:
            found = here[(here["reading"] == reading) & (here["train"] == cells)]
            found = found.set_index("method")["value"].to_dict()
            same = labels["V1", cap] == labels["V2", cap]
            assert found.pop("V1 vs V2") == pytest.approx(same.mean())
            expected = {name: 100 * macro_f1(part.y, labels[name, cap]) for name in found}
            assert found == pytest.approx(expected, abs=1e-9)
            assert set(found) == set(settings.FLAT_NAMES)
        found = here[(here["reading"] == settings.LINKED) & (here["train"] == share)]["value"]
        same = labels["V1", CAP] == labels["V2", CAP]
        assert found.tolist() == pytest.approx([same[linked].mean()])


def test_predicted_again_forgets_labels_and_sends_empty_rows_to_the_largest_class(rng):
    data = made_up(rng, "pubmed", empty=0.5)
    data.labels = np.repeat(np.arange(4), [10, 50, 20, 20])
    part = drawn(data, 30)
    found = paper.predicted_again(part, CAP)
    empty = np.diff(part.views.pair[1].X.indptr) == 0
    assert (found["V2"].labels[empty] == 1).all()
    # away from ties the class order does not matter: compare with the ordinary fit
    expected = part.model("V1", CAP).scores_[:, 0].argmax(axis=1)
    np.testing.assert_array_equal(found["V1"].labels, expected)


def test_some_readings_of_the_search_by_hand(rng):
    data = made_up(rng)
    found, _ = run("search", data)
    part = drawn(data, 10)
    cells = found[(found["train"] == 10) & (found["run"] == 0)]
    cells = cells.set_index([cells["reading"].str.removeprefix("sum_scores: "), "method"])["value"]
    assert set(cells.index.get_level_values(0)) == set(paper.SEARCH)
    free, done = ~part.known, part.flat("SUMSCORE", CAP).labels
    expected = 100 * macro_f1(part.y[free], done[free])
    assert cells["unlabelled points scored", "SUMSCORE"] == pytest.approx(expected)
    joined = 100 * macro_f1(part.y, part.flat("V12", CAP).labels)
    assert cells["labels of the concatenation", "MAXAGREE"] == pytest.approx(joined)
    total = sum(part.model(name, CAP).scores_[:, 0] for name in ("V1", "V2"))
    apart = 100 * macro_f1(part.y, np.where(part.known, part.y, total.argmax(axis=1)))
    assert cells["views trained apart", "SUMSCORE"] == pytest.approx(apart)
