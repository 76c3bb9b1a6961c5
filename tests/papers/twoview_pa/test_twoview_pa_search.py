"""The declared search on Ads: readings are what their names say, and see training rows alone."""

import numpy as np
import pytest
import scipy.sparse as sp

from reproduction.data.format import MultiViewData
from reproduction.papers.twoview_pa import search
from reproduction.papers.twoview_pa.columns import TABLES
from reproduction.papers.twoview_pa.methods import CAT, PAPER, PRINTED, TWO_VIEW
from reproduction.papers.twoview_pa.protocol import f1_pct, folds, signs
from reproduction.papers.twoview_pa.settings import PaperSettings
from reproduction.results.jobs import Context, find_job
from reproduction.results.published import printed_methods
from reproduction.results.rows import result_frames
from reproduction.results.settings import complete

SETTINGS = complete(PaperSettings, {}, size="quick")


@pytest.fixture
def data(rng):
    y = np.arange(60) % 2
    views = {}
    for name in ("one", "two"):
        shares = rng.random((2, 12)) ** 2
        X = (rng.random((60, 12)) < 0.6 * shares[y]).astype(float)
        X[rng.random(60) < 0.1] = 0.0  # some rows are empty in a view
        views[name] = sp.csr_matrix(X)
    return MultiViewData("ads", views, y, ["no", "yes"], [str(i) for i in range(60)])


@pytest.fixture
def ground(data):
    fold = next(folds(data.labels, 5, range(1), "ads"))
    return search.Ground(data, signs(data), fold, SETTINGS)


def test_every_reading_has_rows_that_stand_for_printed_cells(data):
    result = search.run(Context(find_job(PAPER, "ads", "search"), {"ads": data}, SETTINGS))
    frame = result_frames(PAPER, "ads", result.rows, TABLES, printed_methods(PAPER))[0]
    assert set(frame["reading"]) == {f"order_on_ads: {name}" for name in search.READINGS}
    assert set(frame["method"]) == set(PRINTED)
    assert (frame["gamma"] == SETTINGS.gamma).all()  # also where a reading takes another gamma


def test_exchanged_rows_and_both_classes_by_hand(ground):
    plain = ground.scores()
    rows = {r.method: r.value for r in search.reading_rows(ground, "the two rows exchanged")}
    positive = ground.y[ground.fold.test] > 0
    assert rows[CAT] == pytest.approx(float(f1_pct(plain[TWO_VIEW], positive)))
    assert rows[TWO_VIEW] == pytest.approx(float(f1_pct(plain[CAT], positive)))
    rows = {r.method: r.value for r in search.reading_rows(ground, search.BOTH_CLASSES)}
    said = plain[CAT] > 0
    one = 200 * (said & positive).sum() / max(1, said.sum() + positive.sum())
    two = 200 * (~said & ~positive).sum() / max(1, (~said).sum() + (~positive).sum())
    assert rows[CAT] == pytest.approx((one + two) / 2)


@pytest.mark.parametrize("reading", search.READINGS)
def test_labels_of_test_rows_move_no_score(ground, reading):
    """Sentinel: turned labels of the test fold change no score."""
    before = search.READINGS[reading](ground)
    y = ground.y.copy()
    y[ground.fold.test] *= -1
    after = search.READINGS[reading](search.Ground(ground.data, y, ground.fold, SETTINGS))
    for method in PRINTED:
        np.testing.assert_array_equal(before[method], after[method])
