"""Every interval behind a claim against known truth: pools of 400 real partitions a case.

Sets of runs are drawn from a pool with replacement, so the pool's own mean is the truth. Bounds are
widened by four standard errors of the simulation: any seed passes.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from reproduction.papers.multiview_hier.settings import PaperSettings as Hierarchies
from reproduction.papers.mvplsa.settings import PaperSettings as Topics
from reproduction.papers.twoview_pa.settings import PaperSettings as Online
from reproduction.verdicts import statistics
from reproduction.verdicts.statistics import ALPHA, above, bootstrap, estimate

POOL = Path(__file__).parents[2] / "fixtures" / "partitions.csv.gz"
COVERAGE, FALSE = (0.92, 0.97), 0.075
#: Size up to which a difference does not matter, in points.
MARGIN = 2.0

WEB, REPEATED = Topics().runs.webkb, Online().repetitions
PARTITIONS = Hierarchies().partitions
#: Case, two methods, and the declared number of runs.
CASES = [
    ("cornell 0.01", "MVPLSA", "NBC_V1", WEB),
    ("cornell 0.02", "MVPLSA", "NBC_V1", WEB),
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


def test_pool_is_large_enough(pool):
    assert len({case.split()[0] for case, *_ in CASES}) >= 6
    assert min(len(part) for part in pool.values()) >= 400
    assert all(part.notna().all(axis=None) for part in pool.values())


@pytest.mark.parametrize(("case", "one", "two", "runs"), CASES)
def test_interval_of_a_mean_covers_the_truth(rng, pool, case, one, two, runs):
    differences = (pool[case][one] - pool[case][two]).to_numpy()
    truth, sets = differences.mean(), 1000
    found = [above(estimate([rng.choice(differences, runs)]), truth) for _ in range(sets)]
    covered = np.mean([outcome.low <= 0 <= outcome.high for outcome in found])
    least, most = COVERAGE
    assert least - noise(least, sets) <= covered <= most + noise(most, sets)
    for p_values in ([o.p_holds for o in found], [o.p_refuted for o in found]):
        assert np.mean(np.array(p_values) <= ALPHA) <= FALSE + noise(FALSE, sets)


@pytest.mark.parametrize(("case", "one", "two", "runs"), CASES)
def test_four_times_the_runs_decide_no_less_often(rng, pool, case, one, two, runs):
    differences = (pool[case][one] - pool[case][two]).to_numpy()
    sets = 400

    def decided(n):
        found = [
            above(estimate([rng.choice(differences, n)]), practical=MARGIN) for _ in range(sets)
        ]
        return np.mean([min(o.p_holds, o.p_refuted) <= ALPHA or o.tie for o in found])

    few, many = decided(runs // 4), decided(runs)
    assert many >= few - noise(max(few, 0.01), sets) - noise(max(many, 0.01), sets)


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
