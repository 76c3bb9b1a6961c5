"""What users import is what was measured: papers that call kernels get the classes' answers.

On real data, where a mirror has them.
"""

import numpy as np
import pytest
from job_rows import real

from manyviews.baselines.cotraining import CoTraining
from manyviews.models.passive_aggressive import PassiveAggressive
from manyviews.models.two_view_pa import TwoViewPassiveAggressive
from manyviews.seeding import generator
from reproduction.papers.cotraining import paper as cotraining
from reproduction.papers.twoview_pa import protocol as pa
from reproduction.results.cases import Step
from reproduction.results.settings import complete
from reproduction.rooms import study_of


def settings(paper):
    return complete(study_of(paper).settings, {}, size="full")


def seeded(paper, dataset):
    return lambda *names: generator(paper, dataset, *names)


@pytest.mark.parametrize("dataset", ["ads", "webkb_course"])
def test_two_view_passive_aggressive(dataset, tmp_path):
    data, given = real(dataset, tmp_path), settings("twoview_pa")
    how = (given.folds, given.scaling, given.order, given.passes, given.choices)
    part = next(pa.cross_validation(data, 0, seeded("twoview_pa", dataset), *how))
    (variant, gate), told = pa.VARIANTS[pa.TWO_VIEW], {"C": 0.1, "gamma": 0.5, "empty": given.empty}
    two = TwoViewPassiveAggressive(variant=variant, gate=gate, **told)
    models = {pa.VIEW_1: (0,), pa.VIEW_2: (1,), pa.CAT: (2,), pa.TWO_VIEW: (0, 1)}
    for method, places in models.items():
        views, rows = [part.views[place] for place in places], part.orders[0]
        one = len(views) == 1
        model = PassiveAggressive(C=0.1) if one else two
        train, test = ([X[chosen] for X in views] for chosen in (rows, part.test))
        model.partial_fit(train[0] if one else train, part.y[rows])
        expected = model.decision_function(test[0] if one else test)
        found = next(Step.of(pa.FITS[method], 1).result(told, part)).test
        # the class adds up a row's scores in another order; what is published has the same bits
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
        positive = part.y[part.test] > 0
        assert pa.f1_pct(found, positive) == pa.f1_pct(expected, positive), method


def test_cotraining(tmp_path):
    data, given = real("webkb_course", tmp_path), settings("cotraining")
    own = seeded("cotraining", "webkb_course")
    sizes = {name: getattr(given, name) for name in ("words", "held_out", "positive", "negative")}
    part = cotraining.draw(data, 0, own, **sizes)
    names = ("pool", "label_negative", "label_positive", "smoothing")
    labels = {name: getattr(given, name) for name in names}
    *_, found = zip(range(given.rounds), cotraining.cotrained(part, 0, own, **labels), strict=False)
    model = CoTraining(
        [given.label_negative, given.label_positive], pool_size=given.pool, max_iter=given.rounds,
        alpha=given.smoothing, random_state=own(0, "pool"),
    ).fit(part.Xs, part.given)  # fmt: skip
    expected = cotraining.classifiers(*model.view_posteriors(part.held_out))
    for name, posterior in expected.items():
        assert np.array_equal(found[1][name], posterior), name
