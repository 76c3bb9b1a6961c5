import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from reproduction.verdicts.claims import (
    ClaimResult,
    best_in_every_column,
    better,
    combine,
    holds_if,
    insensitive,
    monotone_trend,
    original_rows,
    pair,
    paired_test,
    real_rows,
    select,
    untestable,
    verdict_of,
)


def rows_of(values, **fixed):
    """Rows from {(data set, rate, method): [values of runs]}."""
    records = [
        {
            "paper": "p", "dataset": dataset, "table": "1", "rate": rate, "setting": f"r={rate}",
            "method": method, "role": "published", "metric": "accuracy_pct", "reading": "paper",
            "run": run, "value": value, "provenance": "original", **fixed,
        }
        for (dataset, rate, method), runs in values.items()
        for run, value in enumerate(runs)
    ]  # fmt: skip
    return pd.DataFrame(records)


def test_paired_test_is_scipys(rng):
    a, b = rng.normal(0.3, 1, 20), rng.normal(0, 1, 20)
    ours = paired_test(a, b)
    assert ours.t_p == pytest.approx(stats.ttest_rel(a, b, alternative="greater").pvalue)
    assert ours.wilcoxon_p == pytest.approx(stats.wilcoxon(a - b, alternative="greater").pvalue)
    assert ours.effect_size == pytest.approx((a - b).mean() / (a - b).std(ddof=1))
    interval = stats.t.interval(
        0.95, 19, loc=(a - b).mean(), scale=(a - b).std(ddof=1) / math.sqrt(20)
    )
    assert (ours.low, ours.high) == pytest.approx(interval)
    assert paired_test(a, b, test="wilcoxon").p_value == ours.wilcoxon_p


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_constant_differences_have_a_certain_answer(alternative):
    same = paired_test([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], alternative=alternative)
    assert (same.p_value, same.difference) == (1.0, 0.0)
    above = paired_test([1.1, 2.1, 3.1], [1.0, 2.0, 3.0], alternative=alternative)
    assert above.p_value == (1.0 if alternative == "less" else 0.0)


@pytest.mark.parametrize(("values", "text"), [([1.0], "at least 2"), ([1.0, math.nan], "finite")])
def test_paired_test_refuses(values, text):
    with pytest.raises(ValueError, match=text):
        paired_test(values)


def test_paired_test_names_wrong_options():
    with pytest.raises(ValueError, match="alternative 'up'"):
        paired_test([1.0, 2.0], alternative="up")
    with pytest.raises(ValueError, match="test 'z'"):
        paired_test([1.0, 2.0], test="z")


def test_paired_test_holds_its_level(rng):
    """Under no effect about one in twenty tests rejects."""
    rejected = np.mean([paired_test(rng.normal(size=15)).p_value <= 0.05 for _ in range(1500)])
    assert 0.02 < rejected < 0.085


@pytest.mark.parametrize(
    ("effect", "p", "verdict"),
    [
        (1.0, 0.01, "holds"),
        (1.0, 0.05, "holds"),
        (1.0, 0.06, "mixed"),
        (0.0, 0.001, "fails"),
        (-1.0, 0.9, "fails"),
        (math.nan, 0.1, "untestable"),
        (1.0, math.nan, "untestable"),
    ],
)
def test_verdict_of(effect, p, verdict):
    assert verdict_of(effect, p) == verdict


def test_a_result_is_checked():
    with pytest.raises(ValueError, match="'yes'"):
        ClaimResult("yes", 1.0, 0.1, 2, "detail")
    with pytest.raises(ValueError, match="detail"):
        ClaimResult("holds", 1.0, 0.1, 2, "  ")


def test_holds_if():
    assert holds_if(True, "equal").verdict == "holds"
    assert holds_if(False, "not equal").verdict == "fails"
    assert holds_if(False, "not equal", otherwise="mixed").verdict == "mixed"


def test_combine_lets_the_weakest_part_speak():
    good = ClaimResult("holds", 3.0, 0.01, 5, "clear")
    weak = ClaimResult("mixed", 0.5, 0.2, 4, "unclear")
    bad = ClaimResult("fails", -1.0, 0.9, 4, "wrong way")
    assert combine({"a": good, "b": untestable("no data")}).verdict == "holds"
    both = combine({"a": good, "b": weak})
    assert (both.verdict, both.effect, both.p_value, both.n) == ("mixed", 0.5, 0.2, 9)
    assert combine({"a": bad, "b": bad}).verdict == "fails"
    assert combine({"a": good, "b": bad}).verdict == "mixed"
    assert combine({"a": untestable("x")}).verdict == "untestable"
    assert combine({}).verdict == "untestable"


def test_select_takes_print_unless_told():
    rows = rows_of({("A", 1, "m"): [1.0], ("A", 2, "m"): [2.0]})
    other = rows.assign(reading="other", value=9.0)
    added = rows.assign(role="ours", value=5.0)
    both = pd.concat([rows, other, added])
    assert select(both, rate=1)["value"].tolist() == [1.0]
    assert select(both, rate=[1, 2], reading="other")["value"].tolist() == [9.0, 9.0]
    assert select(both, rate=2, role=("published", "ours"))["value"].tolist() == [2.0, 5.0]
    assert len(select(both, reading=None)) == 4
    assert len(select(both, reading=None, role=None)) == 6
    with pytest.raises(ValueError, match="no column 'methods'"):
        select(both, methods="m")


def test_rows_by_provenance():
    rows = rows_of({("A", 1, "m"): [1.0]})
    mixed = pd.concat(
        [rows.assign(provenance=kind) for kind in ("original", "stand-in", "surrogate")]
    )
    assert list(real_rows(mixed)["provenance"]) == ["original", "stand-in"]
    assert list(original_rows(mixed)["provenance"]) == ["original"]


def test_pair_aligns_whatever_the_order(rng):
    left = rows_of({("A", 1, "m"): rng.normal(size=6)})
    right = rows_of({("A", 1, "n"): rng.normal(size=4)}).sample(frac=1, random_state=0)
    a, b = pair(left, right)
    assert a.tolist() == left["value"].tolist()[:4]
    assert b.tolist() == right.sort_values("run")["value"].tolist()


def test_better(rng):
    base = rng.normal(80, 5, size=20)
    rows = rows_of({("A", 1, "m"): base + 3 + rng.normal(0, 0.5, 20), ("A", 1, "n"): base})
    m, n = select(rows, method="m"), select(rows, method="n")
    found = better(m, n, what="m over n")
    assert found.verdict == "holds"
    assert found.effect == pytest.approx((m["value"].to_numpy() - n["value"].to_numpy()).mean())
    assert found.detail.startswith("m over n")
    assert better(n, m).verdict == "fails"
    assert better(n, m, higher_is_better=False).verdict == "holds"
    assert better(m, n, margin=10.0).verdict == "fails"
    assert better(m, n.iloc[:1]).verdict == "untestable"


def test_best_in_every_column():
    columns = {
        ("A", i, method): [value + i]
        for i in range(5)
        for method, value in (("ours", 5.0 + 0.1 * i), ("x", 3.0))
    }
    added = rows_of({("A", i, "added"): [99.0] for i in range(5)}, role="ours")
    rows = pd.concat([rows_of(columns), added])
    assert best_in_every_column(rows, "ours").verdict == "holds"
    assert best_in_every_column(rows, "x").verdict == "fails"
    columns["A", 4, "x"] = [50.0]
    lost = best_in_every_column(rows_of(columns), "ours")
    assert lost.verdict == "mixed"
    assert "4 of 5" in lost.detail
    assert "A r=4" in lost.detail
    assert best_in_every_column(rows, "ours", others=["none"]).verdict == "untestable"
    assert best_in_every_column(rows, "absent").verdict == "untestable"


def test_monotone_trend(rng):
    curves = {("A", r, "m"): 50 + 10 * r + rng.normal(0, 0.3, 8) for r in (0.1, 0.5, 1.0, 2.0)}
    rows = rows_of(curves)
    assert monotone_trend(rows, "rate").verdict == "holds"
    assert monotone_trend(rows, "rate", direction="decreasing").verdict == "fails"
    assert monotone_trend(rows[rows["rate"] != 0.1].iloc[:8], "rate").verdict == "untestable"
    flat = rows.assign(value=1.0)
    assert monotone_trend(flat, "rate").verdict == "fails"
    with pytest.raises(ValueError, match="direction 'up'"):
        monotone_trend(rows, "rate", direction="up")


def test_insensitive(rng):
    base = rng.normal(80, 5, size=20)
    near = {("A", c, "m"): base + rng.normal(0, 0.3, 20) for c in (1, 2, 3)}
    assert insensitive(rows_of(near), margin=2.0).verdict == "holds"
    far = {**near, ("A", 3, "m"): base + 5 + rng.normal(0, 0.3, 20)}
    found = insensitive(rows_of(far), margin=2.0)
    assert found.verdict == "fails"
    assert found.effect < 0
    noisy = {("A", c, "m"): [80.0, 84.0, 80.1] if c == 1 else [83.0, 80.0, 81.0] for c in (1, 2)}
    assert insensitive(rows_of(noisy), margin=2.0).verdict == "mixed"
    assert insensitive(rows_of({("A", 1, "m"): base}), margin=1.0).verdict == "untestable"
    with pytest.raises(ValueError, match="positive margin"):
        insensitive(rows_of(near), margin=0.0)
