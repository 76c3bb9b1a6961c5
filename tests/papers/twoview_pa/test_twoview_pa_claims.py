import pandas as pd
import pytest

from reproduction.papers.twoview_pa import claims
from reproduction.papers.twoview_pa.methods import ALONE, CAT, EXACT, SUM, TWO_VIEW, role_of
from reproduction.verdicts.claim_file import load_claims_file
from reproduction.verdicts.parts import verdict_of

KINDS = {"product_review": "surrogate", "opinion_spam": "stand-in"}


def frame(values, *, table="2", metric="f1_pct", reading="inferred", **columns):
    """Rows from {(data set, method): values per run}."""
    return pd.DataFrame(
        [
            {
                "paper": "twoview_pa", "dataset": dataset, "table": table, **columns,
                "method": method, "role": role_of(method), "metric": metric, "reading": reading,
                "run": run, "value": float(value), "provenance": KINDS.get(dataset, "same"),
            }
            for (dataset, method), series in values.items()
            for run, value in enumerate(series)
        ]
    )  # fmt: skip


def f1_rows(rng, two_view_leads, n=50):
    values = {}
    for dataset, lead in two_view_leads.items():
        base = 80 + rng.normal(size=n)
        for shift, method in enumerate(claims.RIVALS):
            values[dataset, method] = base + 0.1 * shift
        values[dataset, SUM] = base + 1
        values[dataset, TWO_VIEW] = base + 0.2 + lead + 0.5 * rng.normal(size=n)
    return frame(values, folds=5.0)


THREE = {"datasets": ["ads", "webkb_course", "product_review"]}


@pytest.mark.parametrize(
    ("leads", "verdict"),
    [
        ({"ads": 3.0, "webkb_course": 3.0}, "holds"),
        ({"ads": -3.0, "webkb_course": 3.0}, "refuted"),
        ({"ads": -3.0, "webkb_course": -3.0}, "refuted"),
        ({"ads": 3.0, "webkb_course": 0.0}, "undecided"),
    ],
)
def test_best_of_all(leads, verdict, rng):
    found = claims.best_of_all(f1_rows(rng, leads), THREE)
    assert verdict_of(found) == verdict
    assert found.n == 300  # two data sets, three rivals, fifty folds; the third has no rows


def test_folds_take_the_corrected_test(rng):
    """A lead that a plain t-test over 50 folds is sure of is not enough."""
    rows = f1_rows(rng, {"ads": 0.0})
    lead = rows["method"] == TWO_VIEW
    base = rows.loc[rows["method"] == CAT, "value"].to_numpy()
    rows.loc[lead, "value"] = base + 0.4 + rng.permutation([-1.0, 1.0] * 25)
    params = {"datasets": ["ads"], "method": TWO_VIEW, "others": {CAT: 0}}
    found = claims.beats(rows, params)
    assert "corrected t-test" in found.detail
    assert verdict_of(found) == "undecided"
    plain = 0.4 / (1.0102 / 50**0.5)
    assert plain > 2.5  # what the plain test would have found


def test_beats_with_a_margin(rng):
    rows = f1_rows(rng, {"webkb_course": 2.5})
    params = {"datasets": ["webkb_course"], "method": TWO_VIEW, "others": {CAT: 0}}
    assert verdict_of(claims.beats(rows, params)) == "holds"
    assert verdict_of(claims.beats(rows, {**params, "others": {CAT: 5}})) == "refuted"
    assert verdict_of(claims.beats(rows, {**params, "others": {SUM: 0}})) == "holds"
    other = rows.assign(table="choice:tuned", tuned="everything", reading="tuned")
    assert verdict_of(claims.beats(other, params)) == "untestable"
    where = {"table": "choice:tuned", "tuned": "everything", "reading": "tuned"}
    assert verdict_of(claims.beats(other, {**params, "where": where})) == "holds"
    where = {**where, "tuned": "C and gamma"}
    assert verdict_of(claims.beats(other, {**params, "where": where})) == "untestable"


def test_what_the_paper_does_not_have_has_no_vote(rng):
    rows = f1_rows(rng, {"ads": 3.0})
    params = {"datasets": ["ads"]}
    rival = rows[rows["method"] == CAT].assign(role="ours", value=100.0)
    assert claims.best_of_all(pd.concat([rows, rival]), params) == claims.best_of_all(rows, params)


def test_the_text_reading_takes_webkb_as_released(rng):
    """By the text WebKB has rows of unit length; the inferred reading has 0/1 features."""
    found = next(c for c in load_claims_file("twoview_pa") if c.id == "webkb_gain")
    ones = f1_rows(rng, {"webkb_course": 9.0}).assign(scaling=None)
    place = {"table": "choice:scaling", "scaling": "unit", "reading": "one other choice"}
    unit = f1_rows(rng, {"webkb_course": -3.0}).assign(**place)
    rows = pd.concat([ones, unit])
    assert verdict_of(claims.beats(rows, found.params)) == "refuted"
    assert verdict_of(claims.beats(rows, {**found.params, **found.inferred})) == "holds"


def test_view_differences(rng):
    values = {
        ("ads", TWO_VIEW): 1.0 + 0.1 * rng.random(20),
        ("webkb_course", TWO_VIEW): 0.4 + 0.1 * rng.random(20),
        ("webkb_course", ALONE): 0.6 + 0.1 * rng.random(20),
    }
    rows = frame(values, table="fig1", metric="mean_view_difference", scaling="binary", setting="")
    params = {"small": "webkb_course", "large": "ads", "metric": "mean_view_difference"}
    found = claims.difference_order(rows, params)
    assert verdict_of(found) == "holds"
    assert "Welch" in found.detail
    # runs of two data sets have no number in common: another numbering changes nothing
    ads = rows["dataset"] == "ads"
    renumbered = rows.assign(run=rows["run"].where(~ads, 19 - rows["run"]))
    assert claims.difference_order(renumbered, params).p_value == pytest.approx(found.p_value)
    unit = rows.assign(scaling="unit", reading="one other choice", value=-rows["value"])
    both = pd.concat([rows, unit])
    assert verdict_of(claims.difference_order(both, params)) == "holds"
    where = {"scaling": "unit", "reading": "one other choice"}
    assert verdict_of(claims.difference_order(both, {**params, "where": where})) == "refuted"
    swapped = {**params, "small": "ads", "large": "webkb_course"}
    assert verdict_of(claims.difference_order(rows, swapped)) == "refuted"
    shrinks = claims.difference_shrinks(rows, {"datasets": ["webkb_course"]})
    assert verdict_of(shrinks) == "holds"
    assert verdict_of(claims.difference_shrinks(rows, {"datasets": ["ads"]})) == "untestable"


def test_identical_views():
    table = {"table": "extra:identical views", "metric": "max_weight_difference", "reading": "own"}
    rows = pd.concat(
        [
            frame({("ads", TWO_VIEW): [0.3, 0.2]}, C=0.1, gamma=0.5, single="C", **table),
            frame({("ads", EXACT): [0.0, 0.0]}, C=0.1, gamma=0.5, single="C/2", **table),
        ]
    )
    verdict = {
        (method, single): verdict_of(
            claims.identical_views(rows, {"method": method, "single": single})
        )
        for method, single in ((TWO_VIEW, "C"), (EXACT, "C/2"), (EXACT, "C"))
    }
    assert verdict == {
        (TWO_VIEW, "C"): "refuted",
        (EXACT, "C/2"): "holds",
        (EXACT, "C"): "untestable",
    }


def test_what_the_paper_does_not_say_is_ours():
    ours = {c.id for c in load_claims_file("twoview_pa") if c.origin == "ours"}
    assert ours == {"identical_exact", "difference_order_unit", "beats_cat_tuned", "sum_of_parts"}
