"""Every public estimator on several views keeps the contract."""

import inspect
import itertools
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from manyviews import baselines as b
from manyviews import models as m
from manyviews.testing import check_multiview_estimator, multiview_checks
from manyviews.testing.common import OUTPUTS

ONE_MATRIX = {"PLSA", "PLSAClustering", "PassiveAggressive", "SemanticSpace", "SphericalKMeans"}
#: Its table says what the list below offers.
PAGE = Path(__file__).parents[2] / "docs" / "guide" / "contract.md"
#: An estimator, and the size of the problem that it takes.
MODELS = [
    (m.MVPLSA(4, max_iter=15, random_state=0), {}),
    (m.DPLSA(4, max_iter=15, random_state=0), {}),
    (m.MultiViewKMeans("sum"), {}),
    (m.MultiViewKMeans("prod"), {}),
    (m.MultiViewKMeans("maxagree"), {"n_views": 3}),
    (m.MultiViewKMeans("cotrain"), {}),
    (m.MultiViewKMeans("concat"), {}),
    (m.MultiViewPassiveAggressive(max_iter=3), {"n_views": 3}),
    (m.MultiViewPassiveAggressive(max_iter=3, multiclass="margin"), {}),
    (m.TwoViewPassiveAggressive(max_iter=3, C=1.0), {"n_classes": 2}),
    (m.CoPLSA(3, max_iter=10, random_state=0), {}),
    (m.LinkPLSA(3, max_iter=10, random_state=0), {}),
    (m.PairwiseCoPLSA(3, max_iter=10, random_state=0), {}),
    (b.NaiveBayesEnsemble(), {"n_views": 3}),
    (b.NaiveBayesEnsemble(combine="product"), {}),
    (b.CoTraining(max_iter=3, random_state=0), {}),
    (b.MultiViewClustering(3, random_state=0), {}),
    (b.VotePLSA(3, max_iter=10, random_state=0), {}),
    (b.CCAKMeans(3, random_state=0), {}),
    (b.CoRegularisedSpectral(3, random_state=0), {}),
    (b.MeanGraphSpectral(3, random_state=0), {}),
    (b.AMGL(3, random_state=0), {}),
    (b.LSAKMeans(3, random_state=0), {}),
    (b.Stacking(random_state=0), {"n_views": 3}),
    (b.SingleView(b.PLSAClustering(3, random_state=0)), {}),
    (b.ConcatenatedViews(b.PLSAClustering(3, random_state=0)), {}),
    (b.ViewSelector(3, n_runs=1, random_state=0), {}),
    (b.CCA(2), {}),
    (b.KernelCCA(2), {}),
    (b.SCM(2), {}),
]


def called(value):
    return f"{type(value).__name__}{getattr(value, 'combine', '')}" if hasattr(value, "fit") else ""


def test_every_public_class_is_checked():
    checked = {type(model).__name__ for model, _ in MODELS}
    assert checked == {*m.__all__, *b.__all__} - ONE_MATRIX


@pytest.mark.parametrize(("model", "size"), MODELS, ids=called)
def test_contract(model, size, rng):
    check_multiview_estimator(model, seed=int(rng.integers(1 << 30)), **size)


class Careless(b.NaiveBayesEnsemble):
    """Breaks one promise at a time."""

    def __init__(self, fault="", alpha=1.0, combine="mean"):
        super().__init__(alpha, combine)
        self.fault = fault

    def fit(self, Xs, y):
        if self.fault == "writes" and sp.issparse(Xs[0]):
            Xs[0].data[0] = 0.9
        if self.fault == "parameters":
            self.alpha = 2.0
        if self.fault == "class -1":
            y = [99 if isinstance(label, int) and label == -1 else label for label in y]
        return super().fit(Xs, y)

    def predict(self, Xs):
        found = super().predict(Xs)
        return found[::-1] if self.fault == "order" else found

    def score(self, Xs, y, sample_weight=None):
        if self.fault == "score":
            return float(np.mean(self.predict(Xs) == np.asarray(y)))
        return super().score(Xs, y, sample_weight)


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        ("writes", "'same_answers' .* a view was changed"),
        ("parameters", "'same_answers' .* fit changed"),
        ("class -1", "'labels_of_any_kind'"),
        ("order", "'new_rows'"),
        ("score", "'score_of_labelled_rows'"),
    ],
)
def test_the_checks_find_faults(fault, text):
    with pytest.raises(AssertionError, match=f"Careless fails the check {text}"):
        check_multiview_estimator(Careless(fault))


def test_exempt_checks_are_left_out():
    names = [name for name, _ in multiview_checks(Careless())]
    exempt = {"score_of_labelled_rows": "it counts all rows"}
    assert check_multiview_estimator(Careless("score"), exempt=exempt) == names[:-1]
    with pytest.raises(ValueError, match="no such check to leave out: scores"):
        check_multiview_estimator(Careless(), exempt={"scores": ""})


def offers(model):
    """What an estimator offers, under the names of the table's columns."""
    checks = {name for name, _ in multiview_checks(model)}
    columns = {"any labels": "labels_of_any_kind", "missing rows": "missing_views",
               "feature names": "feature_names"}  # fmt: skip
    columns |= {name: name for name in ("sample_weight", "n_jobs", "verbose", "set_output")}
    settings = inspect.signature(type(model)).parameters
    return {
        **{column: check in checks for column, check in columns.items()},
        **{name: hasattr(model, name) for name in (*OUTPUTS, "partial_fit")},
        "batches": "batch_size" in settings,
        "tol": "tol" in settings,
    }


@pytest.mark.skipif(not PAGE.is_file(), reason="the documentation is not part of a release")
def test_the_table_in_the_documentation_is_that_of_the_checks():
    lines = PAGE.read_text(encoding="utf-8").split("| estimator | predict")[1].splitlines()
    rows = itertools.takewhile(lambda line: line.startswith("|"), lines[1:])
    head = ["estimator", "predict", *(cell.strip() for cell in lines[0].split("|")[1:-1])]
    table = {}
    for line in rows:
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        table[cells[0]] = dict(zip(head, cells, strict=True))
    for model, _ in MODELS:
        found, said = offers(model), table[type(model).__name__]
        assert {name: said[name] == "yes" for name in found} == found, type(model).__name__
