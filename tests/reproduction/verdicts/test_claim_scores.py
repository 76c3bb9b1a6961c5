"""Claims of a paper judged together: best data first, in print, two readings, planted faults."""

import types

import pandas as pd
import pytest

from reproduction.verdicts.claim_file import Claim, ClaimError
from reproduction.verdicts.claim_scores import score_claims
from reproduction.verdicts.claims import better, data_of, select
from reproduction.verdicts.parts import RUN, by_test, every, untestable
from reproduction.verdicts.statistics import Outcome
from reproduction.verdicts.words import DATA


def ahead(rows, params):
    """``a`` beats ``b`` on every data set there is."""
    part = select(rows, reading=params.get("reading", "inferred"))
    return every(
        {
            str(key): better(found[found["method"] == "a"], found[found["method"] == "b"])
            for key, found in part.groupby("dataset")
        }
    )


def given(rows, params):
    p = params["p"]
    outcome = Outcome(5, params.get("effect", 1.0), 0.1, 2.0, 0.5, p, 1 - p, False, "t-test")
    return by_test(outcome, RUN, data_of(rows), "a given p-value")


CHECKS = types.SimpleNamespace(
    ahead=ahead,
    given=given,
    broken=lambda rows, params: rows["no such column"],
    silent=lambda rows, params: "holds",
    nothing=lambda rows, params: untestable("never published"),
)


def claim(name="claim", check="ahead", origin="published", **more):
    base = {
        "id": name, "paper": "mvplsa", "at": {"section": "5", "paragraph": 1, "sentence": 2},
        "statement": "So.", "origin": origin, "scope": "universal", "about": "these data",
        "check": check,
    }  # fmt: skip
    return Claim(**{**base, **more})


def rows_of(rng, leads, reading="inferred", runs=8, noise=0.1):
    """Rows from {data set: (lead of a over b, word of the data)}."""
    records = []
    for dataset, (lead, word) in leads.items():
        base = 50 + rng.normal(size=runs)
        for method, values in (
            ("b", base), ("a", base + lead + noise * rng.normal(size=runs)),
        ):  # fmt: skip
            records += [
                {"dataset": dataset, "setting": "", "method": method, "role": "published",
                 "metric": "accuracy_pct", "table": "1", "reading": reading, "run": run,
                 "value": value, "provenance": word}
                for run, value in enumerate(values)
            ]  # fmt: skip
    return pd.DataFrame(records)


def score(rows, *claims):
    return score_claims("mvplsa", rows, claims or [claim()], CHECKS)[0]


def test_a_universal_claim_with_one_failed_data_set_is_refuted(rng):
    leads = {"cora": (5.0, "same"), "webkb": (5.0, "same"), "leaves": (5.0, "same")}
    assert score(rows_of(rng, leads))["text"].item() == "holds"
    found = score(rows_of(rng, {**leads, "leaves": (-5.0, "same")})).iloc[0]
    assert found["text"] == "refuted"
    assert found["text_reason"].startswith("1 of 3 parts go the other way; leaves:")


@pytest.mark.parametrize("word", DATA[1:4])
def test_a_claim_on_other_data_is_shown_and_never_counts(word, rng):
    found = score(rows_of(rng, {"cora": (5.0, word)})).iloc[0]
    assert (found["text"], found["data"], found["counts"]) == ("holds", word, "no")


def test_a_claim_of_ours_never_counts(rng):
    rows = rows_of(rng, {"cora": (5.0, "same")})
    found = score(rows, claim(origin="ours")).iloc[0]
    assert (found["text"], found["data"], found["counts"]) == ("holds", "same", "no")
    assert found["where"].startswith("our own")
    assert score(rows).iloc[0]["counts"] == "yes"


def test_the_papers_own_data_go_before_all_other(rng):
    leads = {"cora": (5.0, "same"), "reuters": (-5.0, "subset"), "tree": (-5.0, "stand-in")}
    found = score(rows_of(rng, leads)).iloc[0]
    assert (found["text"], found["data"], found["counts"]) == ("holds", "same", "yes")
    del leads["cora"]
    found = score(rows_of(rng, leads)).iloc[0]
    assert (found["text"], found["data"], found["counts"]) == ("refuted", "subset", "no")


def test_surrogates_never_vote(rng):
    leads = {"cora": (-5.0, "same"), "nell_mv": (9.0, "surrogate")}
    found = score(rows_of(rng, leads)).iloc[0]
    assert (found["text"], found["text_n"]) == ("refuted", 8)
    alone = score(rows_of(rng, {"nell_mv": (9.0, "surrogate")})).iloc[0]
    assert (alone["text"], alone["data"], alone["counts"]) == ("untestable", "", "no")
    assert alone["text_reason"] == "its data are here as surrogates only (nell_mv): no vote"


def test_sentences_do_not_pay_for_each_other(rng):
    rows = rows_of(rng, {"cora": (1.0, "same")})
    p_values = {"a": 0.012, "b": 0.04, "c": 0.06, "d": 0.96}
    found = score(rows, *(claim(name, "given", params={"p": p}) for name, p in p_values.items()))
    assert found["text"].tolist() == ["holds", "holds", "open", "refuted"]


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_rows_changes_nothing(seed, rng):
    leads = {"cora": (0.05, "same"), "webkb": (0.1, "same"), "tree": (1.0, "stand-in")}
    rows = rows_of(rng, leads)
    poisoned = rows.sample(frac=1.0, random_state=seed)
    poisoned = poisoned[list(reversed(poisoned.columns))]
    pd.testing.assert_frame_equal(score(rows), score(poisoned), check_exact=True)


def test_both_readings_are_judged_and_all_others_counted(rng):
    inferred = rows_of(rng, {"cora": (5.0, "same")})
    text = rows_of(rng, {"cora": (-5.0, "same")}, reading="text")
    other = rows_of(rng, {"cora": (5.0, "same")}, reading="other")
    two = claim(params={"reading": "text"}, inferred={"reading": "inferred"})
    found = score(pd.concat([inferred, text, other]), two).iloc[0]
    assert found[["text", "inferred"]].tolist() == ["refuted", "holds"]
    assert found["text_effect"] < 0 < found["inferred_effect"]
    assert (found["readings_run"], found["readings_hold"]) == (3, 2)


def test_print_is_judged_by_the_same_check(rng):
    """Every printed figure of the paper is a row; a check sees nothing else of print."""

    def printed(rows, params):
        part = select(rows, reading=params["reading"], table="3", dataset="cornell", rate=0.01)
        ours, other = (part[part["method"] == name] for name in ("MVPLSA", "NBC_V1"))
        return better(ours, other) if len(ours) else untestable("not run")

    checks = types.SimpleNamespace(printed=printed)
    rows = rows_of(rng, {"cora": (5.0, "same")}).assign(table="3", rate=0.01)
    found = score_claims(
        "mvplsa", rows, [claim(check="printed", params={"reading": "text"})], checks
    )
    assert found[0].loc[0, ["in_print", "in_print_tested", "text"]].tolist() == [
        "holds", "holds", "untestable"
    ]  # fmt: skip


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
    with pytest.raises(ClaimError, match=text):
        score(rows_of(rng, {"cora": (5.0, "same")}), claim(**wrong))
