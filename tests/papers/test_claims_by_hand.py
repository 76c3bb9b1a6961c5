"""Sentences that print cannot say, or that need a table of their own: made-up rows, known truth."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sentences import COLUMNS, LEVEL, MIRRORED, around_print, words

from reproduction.rooms import open_module, tables_of
from reproduction.verdicts.claim_scores import load_claims_file

BASE = {"setting": "", "role": "published", "reading": "inferred", "provenance": "same"}
CLUSTERING, RETRIEVAL, TREES = "coplsa_clustering", "coplsa_multimodal", "multiview_hier"
MVPLSA, ONLINE = "mvplsa", "twoview_pa"
TWO, COUPLED = "CoPLSA(2)", ("l1 coPLSA", "l2 coPLSA", "sKL coPLSA")
L1, L2, SKL = COUPLED


def judged(paper, name, rows, **changed):
    """The part of a claim, with its own parameters but some."""
    claim = next(claim for claim in load_claims_file(paper) if claim.id == name)
    params = {**claim.params, **(claim.inferred or {}), **changed}
    return getattr(open_module(paper, "claims"), claim.check)(rows, params)


def word(paper, name, rows, **changed):
    return judged(paper, name, rows, **changed).word


def made(paper, by, values, rng=None, **same):
    """Rows from {values of the columns ``by``: mean of ten runs, or a list of what runs have}.

    The ten runs have exactly this mean, so that equal ones do not differ by chance.
    """
    records = []
    for key, value in values.items():
        at = dict(zip(by.split(), key if isinstance(key, tuple) else (key,), strict=True))
        if not isinstance(value, list):
            noise = rng.standard_normal(10)
            value = value + 0.02 * (noise - noise.mean())
        records += [{**BASE, **same, **at, "run": n, "value": v} for n, v in enumerate(value)]
    return pd.DataFrame(records, columns=[*COLUMNS, *tables_of(paper).columns])


# -- co-regularised PLSA, clustering


@pytest.mark.parametrize(("placebo", "told"), [(40.0, "holds"), (48.0, "refuted")])
def test_information_must_beat_the_placebo_too(rng, placebo, told):
    means = {("PLSA + BOVF", "published"): 40.0, (TWO, "published"): 45.0}
    means["CoPLSA(2) shuffled", "control"] = placebo
    place = {"dataset": "reuters", "table": "1", "metric": "accuracy_pct"}
    rows = made(CLUSTERING, "method role", means, rng, **place)
    assert word(CLUSTERING, "second_view_informs", rows) == told
    assert word(CLUSTERING, "second_view_informs_strong", rows) == "untestable"


def test_best_view_is_that_of_the_accuracy(rng):
    means = {("accuracy", "SP"): 30.0, ("accuracy", "EN"): 25.0}
    means |= {("silhouette", "SP"): 10.0, ("silhouette", "EN"): 40.0}
    place = {"dataset": "reuters", "table": "choice:best_view", "metric": "score"}
    rows = made(CLUSTERING, "rule view", means, rng, method="K-means", **place)
    assert word(CLUSTERING, "best_view", rows) == "holds"
    turned = {"dataset": ["reuters"], "pairs": [["EN", "SP"]]}
    assert word(CLUSTERING, "best_view", rows, **turned) == "refuted"


@pytest.mark.parametrize(
    ("means", "best", "stable"),
    [
        ((40, 45, 46, 45, 41), "holds", "holds"),  # neighbours on the grid are no rivals
        ((40, 45, 46, 45, 49), "refuted", "holds"),
        ((37, 37, 37, 37, 37), "no practical difference", "holds"),
        ((10, 40, 46, 40, 10), "holds", "refuted"),
    ],
)
def test_lambda(rng, means, best, stable):
    grid = [(lam, "raw") for lam in (0.0007, 0.007, 0.07, 0.7, 7.0)]
    values = {**dict(zip(grid, means, strict=True)), (0.07, "l1"): 90.0}  # other views: no vote
    place = {"dataset": "reuters", "table": "fig2", "metric": "accuracy_pct"}
    rows = made(CLUSTERING, "lambda_ scale", values, rng, method=TWO, **place)
    assert word(CLUSTERING, "best_lambda", rows) == best
    assert word(CLUSTERING, "stable_lambda", rows) == stable
    assert word(CLUSTERING, "best_lambda", rows[rows["lambda_"] != 0.07]) == "untestable"


@pytest.mark.parametrize(("work", "told"), [(80, "holds"), (200, "refuted"), (8, "untestable")])
def test_cost_bound(work, told):
    """A bound of which 8 % is used is met by anything."""
    place = {"dataset": "corel5k", "table": "extra:cost", "sweep": "pairs", "share": 0.01}
    rows = made(CLUSTERING, "metric", {"work": [work], "bound": [100]}, method=TWO, **place)
    assert word(CLUSTERING, "cost", rows) == told


# -- co-regularised PLSA, retrieval


def test_l1_is_among_the_methods_that_beat_others(rng):
    rows = around_print(RETRIEVAL, rng)
    rows.loc[rows["method"] == L1, "value"] -= 0.3
    assert word(RETRIEVAL, "beats_scm", rows) == "refuted"
    assert word(RETRIEVAL, "beats_link", rows) == "no practical difference"  # a third of it
    rows.loc[rows["method"] == L1, "value"] -= 0.3
    assert word(RETRIEVAL, "beats_link", rows) == "refuted"
    rows.loc[rows["method"] == L1, "value"] += 1.2
    assert word(RETRIEVAL, "above_l2", rows) == "holds"


def test_scm_stands_against_every_run(rng):
    rows = around_print(RETRIEVAL, rng)
    once = rows[(rows["method"] != "SCM") | (rows["run"] == 0)]
    found = judged(RETRIEVAL, "beats_scm", once, methods=[SKL])
    assert (found.word, found.n) == ("holds", 20)  # ten runs on each data set
    lifted = once.assign(value=once["value"] + (once["method"] == "SCM"))
    assert word(RETRIEVAL, "beats_scm", lifted, methods=[SKL]) == "refuted"


def test_directions_that_differ(rng):
    rows = around_print(RETRIEVAL, rng)
    for gap, told in ((0.01, "holds"), (0.1, "refuted")):
        moved = rows.assign(value=rows["value"] + gap * (rows["direction"] == "i2t"))
        assert word(RETRIEVAL, "directions", moved) == told


def test_the_stand_in_is_used_only_where_there_is_nothing_else(rng):
    turned = around_print(RETRIEVAL, rng, MIRRORED).query("dataset == 'tvgraz'")
    turned = turned.assign(dataset="web_news", provenance="stand-in")
    found = judged(RETRIEVAL, "semantic", pd.concat([around_print(RETRIEVAL, rng), turned]))
    assert (found.word, found.data) == ("holds", "same")
    found = judged(RETRIEVAL, "semantic", turned)
    assert (found.word, found.data) == ("refuted", "stand-in")


@pytest.mark.parametrize(
    ("exact", "two_step", "monotone", "existence"),
    [
        ([0, 0], ([3, 1], [0, 0]), "holds", "holds"),
        ([0, 0], ([0, 0], [0, 1]), "holds", "holds"),
        ([0, 0], ([0, 0], [0, 0]), "holds", "refuted"),
        ([1, 1], ([3, 1], [0, 0]), "refuted", "refuted"),
    ],
)
def test_falls_are_counted_by_start_and_update(exact, two_step, monotone, existence):
    starts = ("random start", "from the exact solution")
    falls = {(L2, starts[0]): exact, (L2, starts[1]): [0, 0]}
    falls[SKL, starts[1]] = [2, 2]  # of another start: no vote
    falls |= {("l2, two-step update", s): n for s, n in zip(starts, two_step, strict=True)}
    place = {"dataset": "wikipedia_pairs", "table": "extra:monotone", "metric": "falls"}
    rows = made(RETRIEVAL, "method start", falls, **place)
    found = judged(RETRIEVAL, "monotone", rows)
    assert (found.word, found.effect) == (monotone, -sum(exact))
    assert word(RETRIEVAL, "two_step", rows) == existence


@pytest.mark.parametrize(
    ("sweeps", "steps", "told"), [(8, 7, "holds"), (30, 7, "refuted"), (8, 30, "refuted")]
)
def test_all_iterations_must_be_quick(sweeps, steps, told):
    counts = {(SKL, "sweeps", 0.99): [sweeps, sweeps], (L2, "sweeps", 0.99): [7, 9]}
    counts |= {(SKL, "sweeps", 0.9): [99], (L2, "newton_steps", None): [steps, steps]}
    place = {"dataset": "wikipedia_pairs", "table": "extra:convergence"}
    rows = made(RETRIEVAL, "method metric share", counts, **place)
    assert word(RETRIEVAL, "quick", rows) == told


# -- label sets in several views


def test_correlations_are_those_of_the_means_of_the_cases(rng):
    rows = around_print(TREES, rng)
    wide = rows[(rows["table"] == "2") & (rows["metric"] == "macro_f1_pct")]
    wide = wide.pivot_table("value", ["dataset", "setting"], "method")
    r, p_value = stats.pearsonr((wide["V1"] - wide["V2"]).abs(), wide["PRODSCORE"] / wide["V12"])
    gains = {"gains": [["PRODSCORE", "V12"]]}
    assert judged(TREES, "imbalance", rows, **gains).effect == pytest.approx(-r)
    found = judged(TREES, "imbalance_maxagree", rows, **gains)
    assert found.effect == pytest.approx(p_value - 0.05)
    assert found.word == "refuted"  # .03 in print: significant


@pytest.mark.parametrize(("name", "table"), [("best_ranks", "2"), ("hier_ranks", "4")])
def test_ranks_are_averages_over_cases_and_scores(name, table, rng):
    rows = around_print(TREES, rng)
    macro = rows[rows["metric"] == "macro_f1_pct"]
    rows = pd.concat([rows, macro.assign(metric="micro_f1_pct")])  # methods in the same order
    claim = next(claim for claim in load_claims_file(TREES) if claim.id == name)
    ranked = [*claim.params["methods"], *claim.params["others"]]
    wide = macro[macro["table"] == table].pivot_table("value", ["dataset", "setting"], "method")
    ranks = wide[ranked].dropna().rank(axis=1, ascending=False).mean()
    best, worst = ranks.idxmin(), ranks.idxmax()
    found = judged(TREES, name, rows, methods=[best], others=[worst])
    assert found.effect == pytest.approx(ranks[worst] - ranks[best])
    assert found.word == "holds"
    assert word(TREES, name, rows, methods=[worst], others=[best]) == "refuted"
    assert word(TREES, name, rows[rows["metric"] != "micro_f1_pct"]) == "untestable"


def test_most_is_more_than_half(rng):
    rows = around_print(TREES, rng, LEVEL)
    sets = sorted(set(rows.loc[rows["table"] == "2", "dataset"]) - {"all"})
    for won, told in ((5, "holds"), (4, "refuted"), (3, "refuted")):
        lead = np.where(rows["dataset"].isin(sets[:won]), 9.0, -1.0)
        moved = rows.assign(value=rows["value"] + lead * (rows["method"] == "SUMSCORE"))
        found = word(TREES, "beat_best_view", moved, methods=["SUMSCORE"])
        assert (len(sets), found) == (8, told)


def test_every_share_counts_where_the_sentence_says_so(rng):
    rows = around_print(TREES, rng, LEVEL)
    lead = np.where(rows["train"] == 5, -4.0, 9.0)
    rows["value"] += lead * rows["method"].eq("Hier-SUMSCORE")
    pairs = {"pairs": [["Hier-SUMSCORE", "SUMSCORE"]]}
    assert word(TREES, "hier_macro", rows, **pairs) == "refuted"
    assert word(TREES, "hier_macro", rows, every_share=False, **pairs) == "holds"


def test_leaders_go_by_agreement_not_by_labels(rng):
    """The views of a tree may agree most where the labels are fewest."""
    rows = around_print(TREES, rng, LEVEL)
    rows = rows[(rows["table"] == "4") & (rows["dataset"] == "nell_mv")]
    first, last = rows["train"] == rows["train"].min(), rows["train"] == rows["train"].max()
    lead = first * rows["method"].eq("Hier-MAXAGREE") + last * rows["method"].eq("Hier-PRODSCORE")
    rows = rows.assign(value=rows["value"] + 9.0 * lead)
    assert word(TREES, "agreement_leads", rows) == "holds"
    shares = rows["metric"] == "view_agreement"
    turned = rows.assign(value=rows["value"].where(~shares, 1 - rows["value"]))
    assert word(TREES, "agreement_leads", turned) == "refuted"


def test_iterations_are_counted():
    counts = {"V1": 12, "V12": 14, "Hier-SUMSCORE": 6, "SUMSCORE": 18}
    flips = {(m, step): [1.0] * 8 for m, count in counts.items() for step in range(count)}
    place = {"dataset": "amazon_tree", "table": "fig11b", "metric": "bits_flipped"}
    rows = made(TREES, "method iteration", flips, **place)
    for method, told in (("Hier-SUMSCORE", "holds"), ("SUMSCORE", "refuted")):
        assert word(TREES, "hier_converges", rows, methods=[method]) == told


def test_shares_of_points():
    place = {"dataset": "amazon_tree", "table": "extra:label_sets", "metric": "violating_sets_pct"}
    rows = made(TREES, "method", {"Hier-SUMSCORE": [0.0, 4.0]}, **place)
    for most, told in ((1.0, "refuted"), (5.0, "holds")):
        assert word(TREES, "sum_consistent", rows, margin_pct=most) == told
    place = {"dataset": "cora", "table": "extra:maxagree", "metric": "views_disagree_pct"}
    rows = made(TREES, "method", {"MAXAGREE": [0.2]}, **place)
    for least, told in ((1.0, "refuted"), (0.1, "holds")):
        assert word(TREES, "freedom_is_used", rows, share_pct=least) == told


# -- multi-view PLSA


def test_deviations_are_not_exchanged(rng):
    rows = around_print(MVPLSA, rng, runs=60)
    rates = {0.01: 0.05, 0.02: 0.04, 0.04: 0.02, 0.05: 0.01}
    turned = rows.replace({"method": {"DPLSA": "MVPLSA", "MVPLSA": "DPLSA"}, "rate": rates})
    for each, told in ((rows, "holds"), (turned, "refuted")):
        found = words(MVPLSA, each, only=("more_labels_steadier", "steadier_than_dplsa"))
        assert set(found.values()) == {told}


def test_the_sentence_names_its_test(rng):
    """A plain t-test, two-sided: the same t as that of the mean over data sets."""
    rows = around_print(MVPLSA, rng)
    part = judged(MVPLSA, "significant", rows, table=["4"]).parts["DPLSA"]
    wide = rows[rows["table"] == "4"].pivot_table("value", ["dataset", "run"], "method")
    gap = (wide["MVPLSA"] - wide["DPLSA"]).groupby("dataset")
    error = np.sqrt((gap.var() / gap.size()).sum()) / gap.ngroups
    assert part.test == "t-test"
    assert part.effect == pytest.approx(gap.mean().mean())
    half = (part.high - part.low) / 2
    assert 1.96 * error < half < 4.4 * error
    assert part.effect - part.low == pytest.approx(half)  # no correction for skewness


@pytest.mark.parametrize(
    ("means", "flat", "best"),
    [
        ({2: 95, 4: 95, 12: 95}, "holds", "no practical difference"),
        ({2: 92, 4: 93, 12: 95}, "refuted", "holds"),
        ({2: 95, 4: 93, 12: 92}, "refuted", "refuted"),
        # what is not in the paper's grid has no vote on it
        ({2: 95, 3: 80, 12: 95}, "holds", "no practical difference"),
    ],
)
def test_topics(rng, means, flat, best):
    place = {"dataset": "cornell", "table": "fig3", "metric": "accuracy_pct", "rate": 0.05}
    rows = made(MVPLSA, "topics", means, rng, method="MVPLSA", **place)
    assert word(MVPLSA, "flat_in_topics", rows) == flat
    assert word(MVPLSA, "best_topics", rows) == best
    assert word(MVPLSA, "best_topics", rows, dataset=["newsgv2"]) == "untestable"


@pytest.mark.parametrize(
    ("ours", "best", "not_best"), [(90.0, "holds", "refuted"), (65.0, "refuted", "holds")]
)
def test_clustering(rng, ours, best, not_best):
    means = {"MVPLSA": ours, "MVC": 60.0, "Kmeans_Best": 70.0}
    both = {(method, metric): mean for method, mean in means.items() for metric in ("NMI", "PF")}
    rows = made(MVPLSA, "method metric", both, rng, dataset="newsgv2", table="fig2")
    assert word(MVPLSA, "clustering", rows) == best
    assert word(MVPLSA, "clustering_cornell", rows.assign(dataset="cornell")) == not_best


# -- two-view passive-aggressive learning


def test_a_lead_beyond_what_was_said_refutes(rng):
    rows = around_print(ONLINE, rng, runs=50)
    rows.loc[rows["method"] == "Two-view PA", "value"] += 3.0
    found = words(ONLINE, rows, only=("best_ads", "ads_gain", "webkb_gain"))
    assert found == {"best_ads": "holds", "ads_gain": "refuted", "webkb_gain": "holds"}


def test_a_repetition_counts_once(rng):
    """What folds of one repetition add and take away leaves the mean of the repetition alone."""
    rows = around_print(ONLINE, rng, runs=40)
    found = judged(ONLINE, "ads_cat_poor", rows)
    assert found.n == 8
    swing = rows["run"] % 5 - 2.0
    shifted = rows.assign(value=rows["value"] + 9 * swing * (rows["method"] == "PA Cat"))
    assert judged(ONLINE, "ads_cat_poor", shifted).p_holds == pytest.approx(found.p_holds)


def test_view_differences(rng):
    joint, alone = "Two-view PA", "PA on each view"
    means = {("ads", joint): 1.0, ("webkb_course", joint): 0.4, ("webkb_course", alone): 0.6}
    rows = made(ONLINE, "dataset method", means, rng, metric="mean_view_difference")
    found = judged(ONLINE, "difference_order", rows)
    assert found.word == "holds"
    assert word(ONLINE, "difference_order", rows, small="ads", large="webkb_course") == "refuted"
    # runs of two data sets have no number in common: another numbering changes nothing
    renumbered = rows.assign(run=rows["run"].where(rows["dataset"] != "ads", 9 - rows["run"]))
    assert judged(ONLINE, "difference_order", renumbered).p_holds == pytest.approx(found.p_holds)
    assert word(ONLINE, "difference_shrinks", rows) == "holds"
    swapped = rows.replace({"method": {joint: alone, alone: joint}})
    assert word(ONLINE, "difference_shrinks", swapped) == "refuted"
    assert word(ONLINE, "difference_shrinks", rows, dataset="ads") == "untestable"


def test_identical_views():
    printed, exact = ("Two-view PA", "published"), ("Two-view PA, exact", "ours")
    gaps = {(*printed, "C"): 0.3, (*printed, "C/2"): 0.2, (*exact, "C"): 0.3, (*exact, "C/2"): 0.0}
    place = {"dataset": "ads", "table": "extra:identical views", "metric": "max_weight_difference"}
    values = {key: [gap, gap] for key, gap in gaps.items()}
    rows = made(ONLINE, "method role single", values, reading="own", **place)
    assert word(ONLINE, "identical_printed", rows) == "refuted"
    for single, told in (["C/2"], "holds"), (["C"], "refuted"), (["2 C"], "untestable"):
        assert word(ONLINE, "identical_exact", rows, single=single) == told


# -- simple graph convolution


def test_two_steps_are_set_against_none(rng):
    means = {("2", "inferred", None): 81.0, ("choice:steps", "K=0", 0): 57.0}
    means["choice:steps", "K=3", 3] = 99.0  # no vote
    place = {"dataset": "cora_planetoid", "method": "SGC", "metric": "accuracy_pct"}
    rows = made("sgc", "table reading steps", means, rng, **place)
    assert word("sgc", "beats_words", rows) == "holds"
    rows.loc[rows["steps"] == 0, "value"] += 30
    assert word("sgc", "beats_words", rows) == "refuted"
