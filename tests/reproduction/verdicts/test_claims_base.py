"""What checks are made of: rows chosen, paired by what a sentence is about, tested."""

import numpy as np
import pandas as pd
import pytest

from reproduction.verdicts.claims import (
    better,
    by_unit,
    data_of,
    equal,
    levels_equal,
    margin_of,
    original_rows,
    pair,
    real_rows,
    select,
    trend,
)
from reproduction.verdicts.parts import DATASET, PARTITION, RUN, verdict_of
from reproduction.verdicts.words import DATA


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


def test_rows_by_data():
    rows = rows_of({("A", 1, "m"): [1.0]})
    mixed = pd.concat([rows.assign(provenance=word) for word in DATA])
    assert list(real_rows(mixed)["provenance"]) == list(DATA[:-1])
    assert list(original_rows(mixed)["provenance"]) == ["same"]
    assert data_of(rows, rows.assign(provenance="subset")) == "subset"
    with pytest.raises(ValueError, match="'original'"):
        data_of(rows.assign(provenance="original"))


def test_pair_aligns_whatever_the_order(rng):
    left = rows_of({("A", 1, "m"): rng.normal(size=6)})
    right = rows_of({("A", 1, "n"): rng.normal(size=4)}).sample(frac=1, random_state=0)
    a, b = pair(left, right)
    assert a.tolist() == left["value"].tolist()[:4]
    assert b.tolist() == right.sort_values("run")["value"].tolist()


@pytest.mark.parametrize("case", range(30))
def test_means_are_those_of_a_data_frames_groups(rng, case):
    """The plain way: group, join, group again; also with repeated rows and settings left empty."""

    def some():
        count = int(rng.integers(0, 60))
        return pd.DataFrame(
            {
                "dataset": rng.choice(["A", "B"] if case % 2 else ["A"], count),
                "setting": rng.choice(np.array(["r=1", "r=2", None], dtype=object), count),
                "run": rng.integers(0, 5, count),
                "value": rng.normal(size=count),
            }
        )

    left, right = some(), some()
    keys = ["dataset", "setting", "run"]
    sides = [frame.groupby(keys)["value"].mean() for frame in (left, right)]
    both = pd.concat(sides, axis=1, join="inner").sort_index()
    np.testing.assert_array_equal(np.transpose(pair(left, right)), both)
    level = ["dataset"] if case % 2 else ["dataset", "run"]
    means = both.groupby(level).mean()
    found = by_unit(left, right, DATASET if case % 2 else RUN)
    np.testing.assert_array_equal(np.transpose(found), means)


def test_runs_of_different_data_sets_are_never_paired(rng):
    one, two = (rows_of({(key, 1, "m"): rng.normal(size=5)}) for key in "AB")
    with pytest.raises(ValueError, match="never paired"):
        pair(one, two, ("run",))
    assert pair(one, two)[0].size == 0
    both = pd.concat([one, two])
    with pytest.raises(ValueError, match="about one data set"):
        by_unit(both, both, RUN)


def test_a_data_set_counts_once(rng):
    """Twelve cases that are six data sets at two shares are six units, not twelve."""
    lead = {f"d{i}": rng.normal(1.0, 1.0) for i in range(6)}
    values = {}
    for key, shift in lead.items():
        for rate in (10, 30):
            base = 50 + rng.normal(size=4)
            values[key, rate, "n"] = base
            values[key, rate, "m"] = base + shift
    rows = rows_of(values)
    found = better(of(rows, "m"), of(rows, "n"), unit=DATASET)
    assert found.n == 6
    assert found.effect == pytest.approx(np.mean(list(lead.values())))
    wrong = better(of(rows, "m"), of(rows, "n").assign(dataset="d0"), unit=DATASET)
    assert wrong.state == "untestable"  # one common data set is no sample


def test_settings_of_a_run_are_averaged(rng):
    values = {("A", rate, m): rng.normal(size=8) for rate in (1, 2, 3) for m in "mn"}
    rows = rows_of(values)
    found = better(of(rows, "m"), of(rows, "n"), unit=PARTITION, overlap=0.5)
    assert found.n == 8


def test_better(rng):
    base = 50 + rng.normal(size=12)
    rows = rows_of({("A", 1, "m"): base + 5 + 0.1 * rng.normal(size=12), ("A", 1, "n"): base})
    m, n = of(rows, "m"), of(rows, "n")
    assert verdict_of(better(m, n, unit=RUN)) == "holds"
    assert verdict_of(better(n, m, unit=RUN)) == "refuted"
    assert verdict_of(better(n, m, unit=RUN, higher_is_better=False)) == "holds"
    assert verdict_of(better(m, n, unit=RUN, margin=10.0)) == "refuted"
    assert verdict_of(better(m, n, unit=RUN, margin=-10.0)) == "holds"
    assert verdict_of(better(m, n[n["run"] == 0], unit=RUN)) == "untestable"
    assert better(m, n, unit=RUN, names=("M", "N")).reason.startswith(f"M {m['value'].mean():.2f}")


def test_identical_methods_are_uninformative(rng):
    base = rng.normal(size=12)
    rows = rows_of({("A", 1, "m"): base, ("A", 1, "n"): base})
    m, n = of(rows, "m"), of(rows, "n")
    assert verdict_of(better(m, n, unit=RUN)) == "uninformative"
    assert verdict_of(better(m, n, unit=RUN, margin=-2.0)) == "uninformative"
    assert verdict_of(equal(m, n, unit=RUN, margin=2.0)) == "uninformative"
    nudged = m.assign(value=m["value"] + 1e-3 * (m["run"] == 0))
    assert verdict_of(equal(nudged, n, unit=RUN, margin=2.0)) == "holds"


def test_partitions_need_their_correction_and_runs_must_not_have_it(rng):
    rows = rows_of({("A", 1, m): rng.normal(size=5) for m in "mn"})
    for unit, overlap in ((PARTITION, 0.0), (RUN, 0.25), (DATASET, 0.25)):
        with pytest.raises(ValueError, match="partitions share rows"):
            better(of(rows, "m"), of(rows, "n"), unit=unit, overlap=overlap)
    with pytest.raises(ValueError, match="unit 'fold'"):
        by_unit(rows, rows, "fold")


def test_equal(rng):
    base = 50 + rng.normal(size=12)
    rows = rows_of({("A", 1, "m"): base + 5 + 0.1 * rng.normal(size=12), ("A", 1, "n"): base})
    m, n = of(rows, "m"), of(rows, "n")
    assert verdict_of(equal(m, n, unit=RUN, margin=2.0)) == "refuted"
    assert verdict_of(equal(m, n, unit=RUN, margin=2.0, centre=5.5)) == "holds"
    noisy = m.assign(value=n["value"].to_numpy() + rng.permutation([-9.0, 9.0] * 6))
    assert verdict_of(equal(noisy, n, unit=RUN, margin=2.0)) == "undecided"
    assert verdict_of(equal(m, n[:1], unit=RUN, margin=2.0)) == "untestable"


def test_levels_equal(rng):
    noise = rng.normal(size=10)
    flat = rows_of({("A", r, "m"): 50 + noise + 0.1 * rng.normal(size=10) for r in (1, 2, 3)})
    assert verdict_of(levels_equal(flat, "rate", margin=2.0, unit=RUN)) == "holds"
    steep = rows_of({("A", r, "m"): 50 + 5 * r + noise for r in (1, 2, 3)})
    assert verdict_of(levels_equal(steep, "rate", margin=2.0, unit=RUN)) == "refuted"
    still = rows_of({("A", r, "m"): noise for r in (1, 2)})
    assert verdict_of(levels_equal(still, "rate", margin=2.0, unit=RUN)) == "uninformative"
    one = levels_equal(flat[flat["rate"] == 1], "rate", margin=2.0, unit=RUN)
    assert verdict_of(one) == "untestable"


def test_trend(rng):
    values = {(d, r, "m"): r + 0.01 * rng.normal(size=3) for d in "ABCD" for r in (1, 2, 3)}
    rows = rows_of(values)
    assert verdict_of(trend(rows, "rate")) == "holds"
    assert trend(rows, "rate").n == 4
    assert verdict_of(trend(rows, "rate", rising=False)) == "refuted"
    flat = rows.assign(value=1.0)
    assert verdict_of(trend(flat, "rate")) == "uninformative"
    assert verdict_of(trend(rows[rows["rate"] < 3], "rate")) == "untestable"
    single = rows[rows["dataset"] == "A"]
    assert trend(single, "rate", unit=PARTITION, overlap=0.5).n == 3
    with pytest.raises(ValueError, match="about one data set"):
        trend(rows, "rate", unit=RUN)


def test_margins_are_those_of_the_units():
    assert (margin_of("accuracy_pct"), margin_of("map_at_10")) == (2.0, 0.03)
