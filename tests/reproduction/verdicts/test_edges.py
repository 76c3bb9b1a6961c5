"""Near an edge: the steps, what a cell says of its runs, and runs that comparisons share."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from reproduction.results.further import Further, Limits
from reproduction.results.jobs import Job
from reproduction.verdicts.agreement import Figure, stable_share
from reproduction.verdicts.edges import Near, Plan, shared_runs, steps
from reproduction.verdicts.margins import Unit

NEAR = [Near("a cell", "inferred", 3, 0.5)]
PERCENT = Unit("percentage", 2.0)


def test_the_edge_by_hand():
    """Print 50 over 10 runs, no deviation; ours 2.5 margins away with hardly any spread.

    The standard error is a thousandth of the margin, so the word follows from the mean alone: near
    up to 55, different above. Resampled means of runs around 55 lie on both sides; around 54 never.
    """
    printed = Figure(50.0, math.nan, 10)
    edge = 55.0 + 0.01 * np.array([-1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0])
    share = stable_share("at the edge", edge, printed, PERCENT)
    # of 8 draws from two values 93 in 256 have fewer high than low ones, 70 as many
    assert share == pytest.approx((93 + 70) / 256, abs=0.08)
    assert stable_share("off the edge", edge - 1.0, printed, PERCENT) == 1.0


def test_runs_are_doubled_until_nothing_is_near_or_there_may_be_no_more():
    asked = []

    def near(until):
        def answer(runs):
            asked.append(runs)
            return NEAR if runs < until else []

        return answer

    assert steps(5, 20, near(0)) == [(5, [])]
    assert steps(5, 20, near(10)) == [(5, NEAR), (10, [])]
    assert steps(5, 20, near(99)) == [(5, NEAR), (10, NEAR), (20, NEAR)]
    assert steps(5, 5, near(99)) == [(5, NEAR)]
    assert steps(5, 19, near(99)) == [(5, NEAR), (10, NEAR)]
    assert asked == [5, 5, 10, 5, 10, 20, 5, 5, 10]


def plan(most=80, factor=4, budget=60.0, **changes):
    way = Further(1.0, fixed={"CoTr_*": "its parameters are searched"})
    job = replace(Job("p", "d", "n", "m:f", further=way), **changes)
    return Plan(job, 20, most, Limits(factor, budget))


@pytest.mark.parametrize(
    ("known", "method", "first", "runs", "stable", "said"),
    [
        (plan(), "A", 20, 20, 0.95, ""),
        (plan(), "A", 20, 20, 0.9, ""),
        (plan(), "A", 20, 40, 0.95,
         "its job went on from 20 to 40 runs, as a figure was near an edge"),
        (plan(), "A", 20, 80, 0.5,
         "its job went on from 20 to 80 runs, as a figure was near an edge; this one still is: "
         "4 times the declared runs are the most"),
        (plan(40), "A", 20, 40, 0.5,
         "its job went on from 20 to 40 runs, as a figure was near an edge; this one still is: the "
         "next doubling would take the job to 60 core seconds, over the budget of 60"),
        (plan(20, budget=19.0), "A", 20, 20, 0.5,
         "near an edge, without further runs: the next doubling would take the job to 20 core "
         "seconds, over the budget of 19"),
        (plan(20, 1), "A", 20, 20, 0.5,
         "near an edge, without further runs: this configuration makes none"),
        (plan(), "CoTr_E", 20, 20, 0.5,
         "near an edge, without further runs: its parameters are searched"),
        (plan(further=None), "A", 20, 20, 0.5,
         "near an edge, without further runs: its job has no way to go on"),
        (plan(further=None, fixed="it has no random part"), "SCM", 1, 1, math.nan,
         "one run: it has no random part"),
        (plan(), "A", 1, 1, math.nan, ""),
    ],
)  # fmt: skip
def test_a_cell_says_why_it_has_its_runs(known, method, first, runs, stable, said):
    assert known.why(method, first, runs, stable) == said


def rows_of(*parts):
    """Rows of (method, runs, file); further files hold the runs after the first three."""
    records = [
        {
            "dataset": "d", "table": table, "setting": "r=1", "method": method, "metric": "m",
            "reading": "inferred", "role": role, "run": run, "value": 1.0,
            "source": f"results/p/d/{file}{'.further' if run > 2 else ''}.csv",
        }
        for table, method, role, runs, file in parts
        for run in range(runs)
    ]  # fmt: skip
    return pd.DataFrame(records)


def test_comparisons_take_a_further_run_only_where_every_method_has_it():
    rows = rows_of(
        ("3", "A", "published", 12, "one"),
        ("3", "B", "published", 6, "two"),
        ("3", "guess", "control", 12, "one"),
        ("4", "A", "published", 12, "one"),
        ("5", "A", "published", 12, "one"),
        ("5", "C", "published", 3, "three"),  # its runs did not go on
        ("6", "A", "published", 12, "one"),
        ("6", "D", "published", 2, "three"),  # never had all runs
    )
    last = shared_runs(rows).groupby(["table", "method"])["run"].max()
    assert last.to_dict() == {
        ("3", "A"): 5, ("3", "B"): 5, ("3", "guess"): 5, ("4", "A"): 11, ("5", "A"): 2,
        ("5", "C"): 2, ("6", "A"): 11, ("6", "D"): 1,
    }  # fmt: skip


def test_without_further_runs_all_rows_are_compared():
    rows = rows_of(("3", "A", "published", 3, "one"), ("3", "B", "published", 2, "two"))
    pd.testing.assert_frame_equal(shared_runs(rows), rows)
