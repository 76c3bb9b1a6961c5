"""Every interval behind a claim against known truth: pools of 400 real partitions a case.

Sets of runs are drawn from a pool with replacement, so the pool's own mean is the truth. Bounds are
widened by four standard errors of the simulation: any seed passes.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from asprinted import statistics
from asprinted.statistics import ALPHA, bootstrap, estimate
from reproduction.rooms import settings_of

POOL = Path(__file__).parents[2] / "fixtures" / "partitions.csv.gz"
COVERAGE, FALSE = (0.92, 0.97), 0.075

WEB = settings_of("mvplsa", {}).runs.webkb
REPEATED = settings_of("twoview_pa", {}).repetitions
PARTITIONS = settings_of("multiview_hier", {}).partitions
#: Case, two methods, and the declared number of runs. Left out is MVPLSA against NBC_V1 on Cornell
#: at 2 %, which no sentence tests alone: one draw in forty breaks down, coverage is .94 and the
#: one-sided error .08 at 160 runs.
CASES = [
    ("cornell 0.01", "MVPLSA", "NBC_V1", WEB),
    ("cornell 0.02", "MVPLSA", "DPLSA", WEB),
    ("washington 0.05", "MVPLSA", "NBC_V1", WEB),
    ("webkb 10", "SUMSCORE", "V12", PARTITIONS.webkb),
    ("cora 10", "SUMSCORE", "V1", PARTITIONS.cora),
    ("webkb_course", "Two-view PA", "PA Cat", REPEATED),
    ("ads", "PA View 1", "PA Cat", REPEATED),
]


@pytest.fixture(scope="module")
def pool():
    """Case -> one row a partition, one column a method."""
    rows = pd.read_csv(POOL)
    return {
        case: part.pivot(index="run", columns="method", values="value")
        for case, part in rows.groupby("case")
    }


def noise(share, sets):
    """Four standard errors of a share that was counted in so many sets."""
    return 4 * np.sqrt(share * (1 - share) / sets)


class Many:
    """Estimates of many sets at once: the same arithmetic as :func:`estimate`, on arrays."""

    def __init__(self, sets):
        n = sets.shape[1]
        centred = sets - sets.mean(axis=1, keepdims=True)
        variance = (centred**2).sum(axis=1) / (n - 1)
        third = (centred**3).sum(axis=1) * n / ((n - 1) * (n - 2))
        self.value, self.error, self.freedom = sets.mean(axis=1), np.sqrt(variance / n), n - 1
        self.skew = third / variance**1.5 / np.sqrt(n)

    def interval(self, level):
        tail = (1 - level) / 2
        ends = []
        for quantile, wider in ((1 - tail, np.maximum), (tail, np.minimum)):
            t = stats.t.ppf(quantile, self.freedom)
            back = 3 / self.skew * (np.cbrt(1 + self.skew * (t - self.skew / 6)) - 1)
            ends.append(self.value - self.error * wider(t, back))
        return ends


@pytest.mark.parametrize(("case", "one", "two", "runs"), CASES)
def test_interval_of_a_mean_covers_the_truth(rng, pool, case, one, two, runs):
    differences = (pool[case][one] - pool[case][two]).to_numpy()
    truth, sets = differences.mean(), 20_000
    drawn = rng.choice(differences, (sets, runs))
    low, high = Many(drawn).interval(1 - ALPHA)
    for place in range(0, sets, sets // 20):  # the slow way gives the same ends
        assert estimate([drawn[place]]).interval(1 - ALPHA) == pytest.approx(
            (low[place], high[place])
        )
    covered = np.mean((low <= truth) & (truth <= high))
    least, most = COVERAGE
    assert least - noise(least, sets) <= covered <= most + noise(most, sets)
    low, high = Many(drawn).interval(1 - 2 * ALPHA)
    for false in (np.mean(low > truth), np.mean(high < truth)):
        assert false <= FALSE + noise(FALSE, sets)


def _rank_gap(mean, _):
    """How many ranks the second method is behind the third, on average over data sets."""
    ranks = 1 + (mean[..., None, :] > mean[..., :, None]).sum(axis=-1)
    return (ranks[..., 1] - ranks[..., 2]).mean(axis=-1)


def _steadier(_, std):
    return np.log(std[..., 1] / std[..., 0]).mean(axis=-1)


@pytest.mark.parametrize("statistic", [_rank_gap, _steadier])
def test_bootstrap_of_partitions_covers_the_truth(rng, pool, monkeypatch, statistic):
    """The average rank of methods in a near tie, and the ratio of deviations."""
    monkeypatch.setattr(statistics, "SAMPLES", 300)  # enough for coverage, a seventh of the time
    cases = {
        case: pool[case][["SUMSCORE", "V12", "V1"]].to_numpy() for case in ("webkb 10", "cora 10")
    }
    moments = [
        np.stack([f(v) for v in cases.values()])[None]
        for f in (lambda v: v.mean(axis=0), lambda v: v.std(axis=0, ddof=1))
    ]
    truth, sets, runs = float(statistic(*moments)[0]), 250, PARTITIONS.cora
    found = [
        bootstrap({case: rng.choice(v, runs) for case, v in cases.items()}, statistic)
        for _ in range(sets)
    ]
    covered = np.mean([o.low <= truth <= o.high for o in found])
    assert covered >= COVERAGE[0] - noise(COVERAGE[0], sets)
