"""What checks are made of: rows chosen, paired by what a sentence is about, tested."""

import numpy as np
import pandas as pd
import pytest

from reproduction.verdicts.claims import (
    DATASETS,
    better,
    differences,
    equal,
    levels_equal,
    resampled,
    select,
    trend,
)
from reproduction.verdicts.words import PRINT


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


def of(rows, method):
    return rows[rows["method"] == method]


def two(rng, lead, noise=0.1, runs=12):
    base = 50 + rng.normal(size=runs)
    values = {("A", 1, "m"): base + lead + noise * rng.normal(size=runs), ("A", 1, "n"): base}
    rows = rows_of(values)
    return of(rows, "m"), of(rows, "n")


def test_select_takes_the_inferred_reading_unless_told():
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


@pytest.mark.parametrize("case", range(10))
def test_differences_are_those_of_a_data_frames_groups(rng, case):
    """The plain way: join, subtract, average settings; runs without all settings are left out."""
    count = int(rng.integers(20, 80))
    left, right = (
        pd.DataFrame(
            {
                "dataset": rng.choice(["A", "B"], count),
                "setting": rng.choice(["r=1", "r=2"], count),
                "run": rng.integers(0, 5, count),
                "value": rng.normal(size=count),
            }
        )
        for _ in range(2)
    )
    keys = ["dataset", "setting", "run"]
    sides = [frame.groupby(keys)["value"].mean() for frame in (left, right)]
    gap = (sides[0] - sides[1]).dropna()
    found = differences(left, right)
    for dataset, runs in gap.groupby("dataset"):
        by_run = runs.groupby("run")
        full = by_run.size() == by_run.size().max()
        np.testing.assert_allclose(found[dataset], by_run.mean()[full])


def test_these_data_count_draws_and_data_of_this_kind_count_data_sets(rng):
    values = {}
    for key, lead in {"A": 3.0, "B": 1.0, "C": 2.0}.items():
        for rate in (10, 30):
            base = 50 + rng.normal(size=9)
            values[key, rate, "n"] = base
            values[key, rate, "m"] = base + lead + 0.1 * rng.normal(size=9)
    rows = rows_of(values)
    draws = better(of(rows, "m"), of(rows, "n"))
    sets = better(of(rows, "m"), of(rows, "n"), over=DATASETS)
    assert (draws.n, draws.unit) == (27, "run")
    assert (sets.n, sets.unit) == (3, "data set")
    assert draws.effect == pytest.approx(sets.effect)
    assert sets.high - sets.low > draws.high - draws.low  # data sets differ more than draws
    one = better(of(rows, "m"), of(rows, "n")[lambda f: f["dataset"] == "A"], over=DATASETS)
    assert one.word == "untestable"
    with pytest.raises(ValueError, match="over 'folds'"):
        better(of(rows, "m"), of(rows, "n"), over="folds")


def test_better(rng):
    m, n = two(rng, 5)
    assert better(m, n).word == "holds"
    assert better(n, m).word == "refuted"
    assert better(n, m, higher_is_better=False).word == "holds"
    assert better(m, n, margin=10.0).word == "refuted"
    assert better(m, n, margin=-10.0).word == "holds"
    assert better(m, n[n["run"] == 0]).word == "untestable"
    assert better(m, n, names=("M", "N")).reason.startswith(f"M {m['value'].mean():.2f}")
    near, base = two(rng, -0.5)
    assert better(near, base).word == "no practical difference"
    assert better(near, base, margin=1.0).word == "refuted"  # a gain was claimed
    assert better(base, base.assign(method="m")).word == "no practical difference"


def test_equal(rng):
    m, n = two(rng, 5)
    assert equal(m, n, margin=2.0).word == "refuted"
    assert equal(m, n, margin=2.0, centre=5.5).word == "holds"
    noisy = m.assign(value=n["value"].to_numpy() + rng.permutation([-9.0, 9.0] * 6))
    assert equal(noisy, n, margin=2.0).word == "open"
    assert equal(m, n[:1], margin=2.0).word == "untestable"
    assert equal(n, n, margin=2.0).word == "holds"  # nothing is more equal than the same


def test_levels_equal(rng):
    noise = rng.normal(size=10)
    flat = rows_of({("A", r, "m"): 50 + noise + 0.1 * rng.normal(size=10) for r in (1, 2, 3)})
    assert levels_equal(flat, "rate", margin=2.0).word == "holds"
    steep = rows_of({("A", r, "m"): 50 + 5 * r + noise for r in (1, 2, 3)})
    assert levels_equal(steep, "rate", margin=2.0).word == "refuted"
    assert levels_equal(flat[flat["rate"] == 1], "rate", margin=2.0).word == "untestable"


def test_trend(rng):
    values = {(d, r, "m"): 2 * r + 0.01 * rng.normal(size=3) for d in "AB" for r in (1, 2, 3)}
    rows = rows_of(values)
    found = trend(rows, "rate")
    assert (found.word, found.n) == ("holds", 6)
    assert found.effect == pytest.approx(2.0, abs=0.05)
    assert trend(rows, "rate", rising=False).word == "refuted"
    assert trend(rows[rows["rate"] < 3], "rate").word == "untestable"
    flat = rows_of({("A", r, "m"): rng.permutation([-9.0, 9.0, -8.0, 8.0]) for r in (1, 2, 3)})
    assert trend(flat, "rate").word == "open"


def test_a_statistic_of_a_table(rng):
    rows = rows_of(
        {(d, 1, m): level + rng.normal(size=15) for d in "AB" for m, level in (("m", 9), ("n", 1))}
    )

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
    m, n = of(rows, "m"), of(rows, "n")
    assert better(m, n).word == "holds"
    assert better(n, m).word == "refuted"
    assert trend(m, "rate").word == "holds"
    assert equal(m, n, margin=2.0).word == "refuted"
    # three settings with deviations of 10 over 4 runs: 3 points are 3 / sqrt(2 * 25 / 3) = .73
    wide = rows.assign(std=10.0, runs=4.0)
    found = better(of(wide, "m"), of(wide, "n"))
    assert found.word == "open"
    assert found.effect / ((found.high - found.low) / 2 / 1.959964) == pytest.approx(
        0.7348, abs=1e-3
    )
    tight = rows.assign(std=1.0, runs=20.0)
    assert better(of(tight, "m"), of(tight, "n")).word == "holds"
    spread = lambda mean, std: (std[..., 3] - std[..., 0]).mean(axis=-1)  # noqa: E731
    assert resampled(tight, spread, what="{}").word == "refuted"  # equal is not above
