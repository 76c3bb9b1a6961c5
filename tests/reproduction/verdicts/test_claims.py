"""Claims: rows chosen and paired by what a sentence is about, tested, judged on the best data."""

import types

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from asprinted.claims import (
    better,
    data_of,
    differences,
    equal,
    levels_equal,
    resampled,
    select,
    trend,
)
from asprinted.declared import chosen, compared
from asprinted.parts import DATASET, RUN, by_test, every, untestable
from asprinted.statistics import Outcome
from asprinted.words import DATA, PRINT, SUMMARY
from reproduction.rooms import RoomError
from reproduction.verdicts.claim_scores import Claim, score_claims


def rows_of(values, **fixed):
    """Rows from {(data set, rate, method): [values of runs]}."""
    records = [
        {
            "paper": "p", "dataset": dataset, "table": "1", "rate": rate, "setting": f"r={rate}",
            "method": method, "role": "published", "metric": "accuracy_pct", "reading": "inferred",
            "run": run, "value": value, "provenance": "same", **fixed,
        }
        for (dataset, rate, method), runs in values.items()
        for run, value in enumerate(runs)
    ]  # fmt: skip
    return pd.DataFrame(records)


def two(rng, lead, noise=0.1, runs=12, dataset="A", **fixed):
    """Rows of m and n, m ahead of n by so much."""
    base = 50 + rng.normal(size=runs)
    ahead = base + lead + noise * rng.normal(size=runs)
    return rows_of({(dataset, 1, "m"): ahead, (dataset, 1, "n"): base}, **fixed)


def sides(rows):
    return tuple(rows[rows["method"] == name] for name in "mn")


def test_deviations_of_several_sets_and_settings_add_up_as_welch_has_them(rng):
    """Against the definition: a weighted sum of independent means, each with its own spread."""
    keys = [(dataset, rate, m) for dataset in "ABC" for rate in (1, 2) for m in "mn"]
    keys = keys[:10]  # the last set has one setting
    rows = rows_of({key: [rng.normal(50, 1)] for key in keys}, reading=SUMMARY)
    rows = rows.assign(std=rng.uniform(1, 3, 10), runs=rng.integers(3, 9, 10))
    weight = np.where(rows["dataset"] == "C", 1 / 3, 1 / 6)
    share = (weight * rows["std"]) ** 2 / rows["runs"]
    freedom = share.sum() ** 2 / (share**2 / (rows["runs"] - 1)).sum()
    lead = (rows["value"] * weight * np.where(rows["method"] == "m", 1, -1)).sum()
    p = stats.t.sf(lead / np.sqrt(share.sum()), freedom)
    assert better(*sides(rows)).p_holds == pytest.approx(p)


def test_select_takes_the_inferred_reading_unless_told():
    rows = rows_of({("A", 1, "m"): [1.0], ("A", 2, "m"): [2.0]})
    other = rows.assign(reading="other", value=9.0)
    both = pd.concat([rows, other, rows.assign(role="ours", value=5.0)])
    assert select(both, rate=1)["value"].tolist() == [1.0]
    assert select(both, rate=[1, 2], reading="other")["value"].tolist() == [9.0, 9.0]
    assert select(both, rate=2, role=("published", "ours"))["value"].tolist() == [2.0, 5.0]
    assert len(select(both, reading=None)) == 4
    assert len(select(both, reading=None, role=None)) == 6
    with pytest.raises(ValueError, match="no column 'methods'"):
        select(both, methods="m")


def test_what_one_side_has_alone_says_nothing(rng):
    rows, check = two(rng, 3.0), compared(each=("metric",))
    params = {"reading": "inferred", "methods": ["m"], "others": ["n"]}
    alone = [two(rng, 50.0, dataset=key, provenance="stand-in") for key in "BC"]
    more = [part[part["method"] == name] for part, name in zip(alone, "mn", strict=True)]
    more += [sides(two(rng, 50.0, runs=30))[0][12:]]  # further runs
    assert check(pd.concat([rows, *more[:2]]), params) == check(rows, params)
    assert check(pd.concat([rows, *more]), params).effect == check(rows, params).effect


@pytest.mark.parametrize("case", range(10))
def test_differences_are_those_of_a_data_frames_groups(rng, case):
    """The plain way: join, subtract, average settings; runs without all settings are left out."""
    count, keys = int(rng.integers(20, 80)), ["dataset", "setting", "run"]
    draw = {"dataset": ["A", "B"], "setting": ["r=1", "r=2"], "run": range(5)}
    left, right = (
        pd.DataFrame({name: rng.choice(values, count) for name, values in draw.items()}).assign(
            value=rng.normal(size=count)
        )
        for _ in range(2)
    )
    one, other = (frame.groupby(keys)["value"].mean() for frame in (left, right))
    found = differences(left, right)
    for dataset, runs in (one - other).dropna().groupby("dataset"):
        by_run = runs.groupby("run")
        full = by_run.size() == by_run.size().max()
        np.testing.assert_allclose(found[dataset], by_run.mean()[full])


def test_these_data_count_draws_and_data_of_this_kind_count_data_sets(rng):
    leads = {"A": 3.0, "B": 1.0, "C": 2.0}
    rows = pd.concat([two(rng, lead, runs=9, dataset=key) for key, lead in leads.items()])
    rows = pd.concat([rows, rows.assign(rate=2, setting="r=2")])
    draws, sets = (better(*sides(rows), over=unit) for unit in (RUN, DATASET))
    assert (draws.n, draws.unit, sets.n, sets.unit) == (27, "run", 3, "data set")
    assert draws.effect == pytest.approx(sets.effect)
    assert sets.high - sets.low > draws.high - draws.low  # data sets differ more than draws
    assert better(*sides(rows[rows["dataset"] == "A"]), over=DATASET).word == "untestable"


def test_better_and_equal(rng):
    m, n = sides(two(rng, 5))
    assert better(m, n).word == "holds"
    assert better(n, m).word == "refuted"
    assert better(n, m, higher_is_better=False).word == "holds"
    assert better(m, n, margin=10.0).word == "refuted"
    assert better(m, n, margin=-10.0).word == "holds"
    assert better(m, n[n["run"] == 0]).word == "untestable"
    assert better(m, n, names=("M", "N")).reason.startswith(f"M {m['value'].mean():.2f}")
    near, base = sides(two(rng, -0.5))
    assert better(near, base).word == "no practical difference"
    assert better(near, base, margin=1.0).word == "refuted"  # a gain was claimed
    assert better(base, base.assign(method="m")).word == "no practical difference"
    assert equal(m, n, margin=2.0).word == "refuted"
    assert equal(m, n, margin=10.0).word == "holds"
    noisy = m.assign(value=n["value"].to_numpy() + rng.permutation([-9.0, 9.0] * 6))
    assert equal(noisy, n, margin=2.0).word == "open"
    assert equal(m, n[:1], margin=2.0).word == "untestable"
    assert equal(n, n, margin=2.0).word == "holds"  # nothing is more equal than the same


def test_levels_and_trends(rng):
    noise = rng.normal(size=10)
    flat = rows_of({("A", r, "m"): 50 + noise + 0.1 * rng.normal(size=10) for r in (1, 2, 3)})
    assert levels_equal(flat, "rate", margin=2.0).word == "holds"
    steep = rows_of({("A", r, "m"): 50 + 5 * r + noise for r in (1, 2, 3)})
    assert levels_equal(steep, "rate", margin=2.0).word == "refuted"
    assert levels_equal(flat[flat["rate"] == 1], "rate", margin=2.0).word == "untestable"
    values = {(d, r, "m"): 2 * r + 0.01 * rng.normal(size=3) for d in "AB" for r in (1, 2, 3)}
    rows = rows_of(values)
    found = trend(rows, "rate")
    assert (found.word, found.n) == ("holds", 6)
    assert found.effect == pytest.approx(2.0, abs=0.05)
    assert trend(rows, "rate", rising=False).word == "refuted"
    assert trend(rows[rows["rate"] < 3], "rate").word == "untestable"
    wild = rows_of({("A", r, "m"): rng.permutation([-9.0, 9.0, -8.0, 8.0]) for r in (1, 2, 3)})
    assert trend(wild, "rate").word == "open"


def test_a_statistic_of_a_table(rng):
    rows = pd.concat([two(rng, 8, noise=1, runs=15, dataset=key) for key in "AB"])

    def most(mean, std):  # m above n on more than half of the data sets
        return (mean[..., 0] > mean[..., 1]).mean(axis=-1) - 0.5

    found = resampled(rows, most, what="ahead on {}")
    assert (found.word, found.n, found.unit) == ("holds", 30, "run")
    assert resampled(rows, lambda mean, std: -most(mean, std), what="{}").word == "refuted"
    lacking = rows[(rows["dataset"] == "A") | (rows["method"] == "m")]
    assert resampled(lacking, most, what="{}").n == 15  # B has no n: no vote


def test_print_is_judged_by_means_and_by_its_deviations():
    values = {("A", r, m): [50.0 + 3 * (m == "m") + r] for r in (1, 2, 3) for m in "mn"}
    rows = rows_of(values, reading=PRINT)
    m, n = sides(rows)
    assert better(m, n).word == "holds"
    assert better(n, m).word == "refuted"
    assert trend(m, "rate").word == "holds"
    assert equal(m, n, margin=2.0).word == "refuted"
    # three settings with deviations of 10 over 4 runs: 3 points are 3 / sqrt(2 * 25 / 3) = .73
    found = better(*sides(rows.assign(std=10.0, runs=4.0)))
    assert found.word == "open"
    error = (found.high - found.low) / 2 / 1.959964
    assert found.effect / error == pytest.approx(0.7348, abs=1e-3)
    tight = rows.assign(std=1.0, runs=20.0)
    assert better(*sides(tight)).word == "holds"
    spread = lambda mean, std: (std[..., 3] - std[..., 0]).mean(axis=-1)  # noqa: E731
    assert resampled(tight, spread, what="{}").word == "refuted"  # equal is not above


def ahead(rows, params):
    """Check: ``m`` beats ``n`` on every data set there is."""
    part = select(rows, reading=params.get("reading", "inferred"))
    return every({str(key): better(*sides(found)) for key, found in part.groupby("dataset")})


def given(rows, params):
    p = params["p"]
    outcome = Outcome(5, params.get("effect", 1.0), 0.1, 2.0, 0.5, p, 1 - p, False, "t-test")
    return by_test(outcome, data_of(rows), "a given p-value")


def printed(rows, params):
    part = select(rows, reading=params["reading"], table="3", dataset="cornell", rate=0.01)
    ours, other = (part[part["method"] == name] for name in ("MVPLSA", "NBC_V1"))
    return better(ours, other) if len(ours) else untestable("not run")


CHECKS = types.SimpleNamespace(
    ahead=ahead,
    given=given,
    printed=printed,
    broken=lambda rows, params: rows["no such column"],
    silent=lambda rows, params: "holds",
)


def claim(name="claim", **more):
    base = {
        "id": name, "paper": "mvplsa", "at": {"section": "5", "paragraph": 1, "sentence": 2},
        "statement": "So.", "origin": "published", "scope": "universal", "about": "these data",
        "check": "ahead",
    }  # fmt: skip
    return Claim(**{**base, **more})


def leads_of(rng, leads, **fixed):
    """Rows from {data set: (lead of m over n, word of the data)}."""
    made = {key: two(rng, each[0], runs=8, dataset=key, **fixed) for key, each in leads.items()}
    return pd.concat([rows.assign(provenance=leads[key][1]) for key, rows in made.items()])


def score(rows, *claims):
    return score_claims("mvplsa", rows, claims or [claim()], CHECKS)[0]


@pytest.mark.parametrize(
    ("leads", "said"),
    [
        ({"cora": (5.0, "same")}, ("holds", "same", "yes")),
        *(({"cora": (5.0, word)}, ("holds", word, "no")) for word in DATA[1:4]),
        # the paper's own data go before all other, these before stand-ins
        (
            {"cora": (5.0, "same"), "reuters": (-5.0, "subset"), "tree": (-5.0, "stand-in")},
            ("holds", "same", "yes"),
        ),
        ({"reuters": (-5.0, "subset"), "tree": (5.0, "stand-in")}, ("refuted", "subset", "no")),
        # surrogates never vote
        ({"cora": (-5.0, "same"), "nell": (9.0, "surrogate")}, ("refuted", "same", "yes")),
        ({"nell": (9.0, "surrogate")}, ("untestable", "", "no")),
    ],
)
def test_the_best_data_vote_and_only_the_papers_own_count(rng, leads, said):
    rows = leads_of(rng, leads)
    found = score(rows).iloc[0]
    assert tuple(found[["text", "data", "counts"]]) == said
    ours = score(rows, claim(origin="ours")).iloc[0]
    assert tuple(ours[["text", "data", "counts"]]) == (*said[:2], "no")
    if said[0] == "untestable":
        assert found["text_reason"] == "its data are here as surrogates only (nell): no vote"


def test_sentences_do_not_pay_for_each_other(rng):
    rows = leads_of(rng, {"cora": (1.0, "same")})
    p_values = {"a": 0.012, "b": 0.04, "c": 0.06, "d": 0.96}
    said = [claim(name, check="given", params={"p": p}) for name, p in p_values.items()]
    assert score(rows, *said)["text"].tolist() == ["holds", "holds", "open", "refuted"]


def test_the_order_of_rows_changes_nothing(rng):
    leads = {"cora": (0.05, "same"), "webkb": (0.1, "same"), "tree": (1.0, "stand-in")}
    rows = leads_of(rng, leads)
    for _ in range(5):
        poisoned = rows.iloc[rng.permutation(len(rows)), ::-1]
        pd.testing.assert_frame_equal(score(rows), score(poisoned), check_exact=True)


def test_both_readings_are_judged_and_all_others_counted(rng):
    readings = {"inferred": 5.0, "text": -5.0, "other": 5.0}
    rows = pd.concat(
        [leads_of(rng, {"cora": (lead, "same")}, reading=name) for name, lead in readings.items()]
    )
    both = claim(params={"reading": "text"}, inferred={"reading": "inferred"})
    found = score(rows, both).iloc[0]
    assert found[["text", "inferred"]].tolist() == ["refuted", "holds"]
    assert found["text_effect"] < 0 < found["inferred_effect"]
    assert (found["readings_run"], found["readings_hold"]) == (3, 2)


def test_print_is_judged_by_the_same_check(rng):
    """Every printed figure of the paper is a row; a check sees nothing else of print."""
    rows = leads_of(rng, {"cora": (5.0, "same")}, table="3", rate=0.01)
    found = score(rows, claim(check="printed", params={"reading": "text"})).iloc[0]
    said = found[["in_print", "in_print_tested", "text"]].tolist()
    assert said == ["holds", "holds", "untestable"]


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"check": "broken"}, "broken failed: KeyError"),
        ({"check": "silent"}, "returned no part"),
        ({"check": "absent"}, "has no 'absent'"),
        ({"about": "data of this kind"}, "is about data of this kind, its test counts each run"),
    ],
)
def test_a_check_that_does_not_answer_is_an_error(wrong, text, rng):
    with pytest.raises(RoomError, match=text):
        score(leads_of(rng, {"cora": (5.0, "same")}), claim(**wrong))


@pytest.mark.parametrize(("reading", "found"), [(PRINT, 2), ("inferred", 0)])
def test_only_print_says_nothing_of_columns_it_lacks(reading, found):
    rows = pd.DataFrame({"reading": reading, "role": "published", "table": "2", "C": [np.nan] * 2})
    assert len(chosen(rows, {"reading": reading, "C": 0.1}, table="2")) == found
    assert len(chosen(rows.assign(C=[0.1, 0.2]), {"reading": reading, "C": 0.1})) == 1
