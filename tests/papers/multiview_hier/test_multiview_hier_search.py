"""The declared search: readings are what their names say, and see labelled points alone."""

import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.metrics import macro_f1
from reproduction.data.format import MultiViewData
from reproduction.papers.multiview_hier import PAPER, SEARCHED, methods, protocol, search
from reproduction.papers.multiview_hier.columns import TABLES
from reproduction.papers.multiview_hier.settings import PaperSettings
from reproduction.results.jobs import Context, find_job
from reproduction.results.published import printed_methods
from reproduction.results.rows import result_frames
from reproduction.results.settings import complete

SETTINGS = complete(PaperSettings, {"max_iter": 6}, size="quick")


def made_up(rng, name="cora"):
    labels = rng.permutation(np.repeat(np.arange(3), [40, 30, 20]))
    names = {*methods.VIEWS[name], search.OTHER_SECOND[name]}
    names |= set() if name == "leaves" else {"links"}
    views = {}
    for view in sorted(names):
        centres = rng.random((3, 25)) ** 2
        views[view] = sp.csr_matrix(rng.poisson(1.2 * centres[labels]).astype(float))
    return MultiViewData(
        name=name, views=views, labels=labels, class_names=["a", "b", "c"],
        ids=[str(i) for i in range(labels.size)], provenance={"source": "made up"},
    )  # fmt: skip


def ground_of(data):
    ground = search.Ground(data.name, data.views, SETTINGS.max_iter)
    (target,) = protocol.targets(data)
    case = next(protocol.cases(data.name, target, SETTINGS.train, range(1)))
    return ground, case


@pytest.mark.parametrize("name", SEARCHED)
def test_every_reading_that_applies_has_rows_of_both_methods(rng, name):
    data = made_up(rng, name)
    result = search.run(Context(find_job(PAPER, name, "search"), {name: data}, SETTINGS))
    frame = result_frames(PAPER, name, result.rows, TABLES, printed_methods(PAPER))[0]
    assert set(frame["table"]) == {"search:2"}
    left_out = search.OF_WORDS if name == "leaves" else ()
    expected = {f"sum_scores: {r}" for r in search.READINGS if r not in left_out}
    assert set(frame["reading"]) == expected
    assert set(frame["method"]) == {"SUMSCORE", "MAXAGREE"}
    assert set(frame["role"]) == {"ours"}


def test_a_hundred_classes_leave_out_what_takes_minutes(rng):
    ground, _ = ground_of(made_up(rng, "leaves"))
    left = set(search.READINGS) - set(search.applicable(ground, 100))
    assert left == {*search.OF_WORDS, search.OF_FEW_CLASSES}


def test_some_readings_by_hand(rng):
    data = made_up(rng)
    ground, case = ground_of(data)
    fits = protocol.fit_flat(ground.base, case.given, SETTINGS.max_iter)
    rows = {
        row.method: row.value for row in search.reading_rows(ground, case, search.ON_UNLABELLED)
    }
    for method in search.METHODS:
        free = ~case.known
        expected = 100 * macro_f1(case.y[free], fits[method].labels[free])
        assert rows[method] == pytest.approx(expected)
    joined = search.READINGS["labels of the concatenation"](ground, case)
    np.testing.assert_array_equal(joined["SUMSCORE"], fits["V12"].labels)
    apart = search.READINGS["views trained apart"](ground, case)["SUMSCORE"]
    total = fits["V1"].model.scores_[:, 0] + fits["V2"].model.scores_[:, 0]
    np.testing.assert_array_equal(apart, np.where(case.known, case.y, total.argmax(axis=1)))


#: This draw makes sure of one point of every class, so it looks at all labels, as Table 2's does.
DRAWN = "labelled points drawn over all classes"


@pytest.mark.parametrize("reading", [name for name in search.READINGS if name != DRAWN])
def test_no_reading_sees_the_labels_it_is_scored_with(rng, reading):
    """Sentinel: shuffled labels of the unlabelled points move no prediction."""
    data = made_up(rng)
    ground, case = ground_of(data)
    before = search.READINGS[reading](ground, case)
    y = case.y.copy()
    free = ~case.known
    y[free] = rng.permutation(y[free])
    target = protocol.Target(None, y, case.target.names)
    after = search.READINGS[reading](
        ground, protocol.Case(target, case.percent, case.run, case.known)
    )
    for method in search.METHODS:
        np.testing.assert_array_equal(before[method], after[method])
