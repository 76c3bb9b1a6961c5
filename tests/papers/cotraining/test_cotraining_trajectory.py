"""Errors recorded along one run of co-training equal those of runs that stop there."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from reproduction.data.format import MultiViewData
from reproduction.papers.cotraining.protocol import cotrained, draw, errors, words_of
from reproduction.papers.cotraining.settings import PaperSettings
from reproduction.results.jobs import Context, find_job


@pytest.mark.parametrize("pool", [12, 20, 75])
def test_the_error_after_every_round_is_that_of_a_fresh_run(rng, pool):
    """Few pages and many rounds: the pool runs dry, too."""
    settings = PaperSettings(trajectory_draws=2, rounds=14, pool=pool, label_negative=2)
    labels = (np.arange(90) % 3 == 0).astype(np.int64)
    views = {}
    for name in ("page", "link"):
        shares = np.where(labels[:, None] == 1, [0.6] * 5 + [0.4] * 5, [0.4] * 5 + [0.6] * 5)
        views[name] = sp.csr_matrix((rng.random((90, 10)) < shares).astype(float))
    ids = [str(i) for i in range(90)]
    data = MultiViewData("webkb_course", views, labels, ["non-course", "course"], ids)
    job = find_job("cotraining", "webkb_course", "trajectory")
    result = job.load()(Context(job, {"webkb_course": data}, settings))
    rows = pd.DataFrame([{**vars(row), **row.at} for row in result.rows])
    assert set(rows["reading"]) == {"recorded"}
    for number in range(2):
        part = draw(words_of(data), labels, settings, number)
        for rounds in range(1, 15):
            found = cotrained(part, settings, rounds=rounds)
            expected = [row.value for row in errors(part, found, "fig2", "co-training", round=1)]
            here = rows[rows["run"] == number]
            last = min(rounds, int(here["round"].max()))  # later rounds change nothing
            assert here.loc[here["round"] == last, "value"].tolist() == expected
    assert rows["round"].max() > 3
