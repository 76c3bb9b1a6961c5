"""Trajectories held against print: filling, RMS by length, hypotheses as tables."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from reproduction.pages import training
from reproduction.pages.training import Trajectory
from reproduction.verdicts.hypotheses import Hypothesis, Outcome


def made_up(rng, stops=True, runs=8, top=12):
    """Two cells that come nearest to print after five steps; some fits stop early."""
    records = []
    for panel in ("one", "two"):
        for run in range(runs):
            end = int(rng.integers(6, top + 1)) if stops else top
            for length in range(1, end + 1):
                value = 50 + abs(length - 5) + rng.normal(0, 0.05)
                records.append((panel, "m", length, run, value))
    rows = pd.DataFrame(records, columns=["panel", "series", "length", "run", "value"])
    printed = pd.DataFrame(
        {"panel": ["one", "two"], "series": "m", "published": 50.0, "deviation": [math.nan, 1.0]}
    )
    return Trajectory("steps", "score", "Nothing is said.", rows, printed, stops, 5.0)


def test_a_fit_that_stopped_keeps_its_last_value(rng):
    found = made_up(rng)
    filled = found.filled()
    last = found.rows.sort_values("length").groupby(["panel", "series", "run"]).last()
    top = found.rows["length"].max()
    end = filled[filled["length"] == top].set_index(["panel", "series", "run"])["value"]
    assert end.to_dict() == last["value"].to_dict()
    assert len(filled) == 2 * 8 * top
    same = found.rows.merge(filled, on=["panel", "series", "length", "run"], suffixes=("", "_2"))
    np.testing.assert_array_equal(same["value"], same["value_2"])


@pytest.mark.parametrize("stops", [True, False])
def test_distance_by_length_is_that_of_the_means(rng, stops):
    found = made_up(rng, stops)
    frame = training.distance_by_length(found, "toy")
    filled = found.filled()
    for row in frame.itertuples():
        here = filled[filled["length"] == row.length].groupby("panel")["value"].mean()
        assert row.rms == pytest.approx(float(np.sqrt(np.mean((here - 50.0) ** 2))))
        # drawn runs differ more than all of them do: next to print the distance may lie below both
        assert row.rms - 0.2 <= row.rms_high
        assert row.rms_low <= min(row.rms + 0.2, row.rms_high)
    assert frame.loc[frame["rms"].idxmin(), "length"] == 5
    assert frame.equals(training.distance_by_length(found, "toy"))
    assert "smallest after 5 steps" in training.distance_sentence(found, frame)


def test_lengths_that_some_cell_lacks_are_left_out(rng):
    found = made_up(rng, stops=False)
    rows = found.rows[(found.rows["panel"] == "one") | (found.rows["length"] < 4)]
    part = Trajectory("steps", "score", ".", rows, found.printed, False, 5.0)
    assert training.distance_by_length(part, "toy")["length"].tolist() == [1, 2, 3]


def test_the_front_page_says_the_same_as_the_page_on_training(rng):
    """Both leave out surrogates alone: a subset is real data on either page."""
    whole = made_up(rng)
    kinds = {"one": "same", "two": "subset"}
    odd = whole.rows.assign(value=0.0, provenance="surrogate")
    rows = pd.concat([whole.rows.assign(provenance=whole.rows["panel"].map(kinds)), odd])

    def find(given):
        return replace(whole, rows=given) if len(given) else None

    (finding,) = training.length_findings(find, rows, "toy")
    best, last = training.nearest(training.distance_by_length(whole, "toy"), "median")
    numbers = finding.said.numbers
    assert numbers["cells"] == 2
    assert (numbers["there"], numbers["after"]) == (best["median"], last["median"])
    assert training.length_findings(find, odd, "toy") == ()


def test_hypotheses_as_a_table():
    base = {"what": "w", "why": "y", "evidence": "e", "tried": 7}
    one = Hypothesis(id="a", verdict="refuted", **base)
    two = Hypothesis(id="b", reading="r", **base)
    outcome = Outcome("supported", cells=4, before=2.0, after=0.5, luck=1.0, p_value=0.01)
    found = [(one, Outcome("refuted")), (two, outcome)]
    table = training.hypotheses_table(found)
    assert table["verdict"].tolist() == ["refuted", "supported"]
    assert table["RMS under it"].tolist() == ["", "0.50"]
    assert training.summary_table({"p": found}).to_dict("records") == [
        {"paper": "p", "supported": 1, "refuted": 1, "undecided": 0}
    ]
