"""Every public estimator on several views keeps the contract; exemptions have a reason."""

import inspect
import itertools
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from manyviews import baselines, models
from manyviews.baselines import (
    AMGL,
    CCA,
    SCM,
    CCAKMeans,
    ConcatenatedViews,
    CoRegularisedSpectral,
    CoTraining,
    KernelCCA,
    LSAKMeans,
    MeanGraphSpectral,
    MultiViewClustering,
    NaiveBayesEnsemble,
    PLSAClustering,
    SingleView,
    Stacking,
    ViewSelector,
    VotePLSA,
)
from manyviews.models import (
    DPLSA,
    MVPLSA,
    CoPLSA,
    LinkPLSA,
    MultiViewKMeans,
    MultiViewPassiveAggressive,
    PairwiseCoPLSA,
    TwoViewPassiveAggressive,
)
from manyviews.testing import check_multiview_estimator, multiview_checks
from manyviews.testing.common import OUTPUTS

ONE_MATRIX = {"PLSA", "PLSAClustering", "PassiveAggressive", "SemanticSpace", "SphericalKMeans"}
#: Its table says what the list below offers.
PAGE = Path(__file__).parents[2] / "docs" / "guide" / "contract.md"
MODELS = [
    (MVPLSA(4, max_iter=15, random_state=0), {}, {}),
    (DPLSA(4, max_iter=15, random_state=0), {}, {}),
    (MultiViewKMeans("sum"), {}, {}),
    (MultiViewKMeans("prod"), {}, {}),
    (MultiViewKMeans("maxagree"), {"n_views": 3}, {}),
    (MultiViewKMeans("cotrain"), {}, {}),
    (MultiViewKMeans("concat"), {}, {}),
    (MultiViewPassiveAggressive(max_iter=3), {"n_views": 3}, {}),
    (MultiViewPassiveAggressive(max_iter=3, multiclass="margin"), {}, {}),
    (TwoViewPassiveAggressive(max_iter=3, C=1.0), {"n_classes": 2}, {}),
    (CoPLSA(3, max_iter=10, random_state=0), {}, {}),
    (LinkPLSA(3, max_iter=10, random_state=0), {}, {}),
    (PairwiseCoPLSA(3, max_iter=10, random_state=0), {}, {}),
    (NaiveBayesEnsemble(), {"n_views": 3}, {}),
    (NaiveBayesEnsemble(combine="product"), {}, {}),
    (CoTraining(max_iter=3, random_state=0), {}, {}),
    (MultiViewClustering(3, random_state=0), {}, {}),
    (VotePLSA(3, max_iter=10, random_state=0), {}, {}),
    (CCAKMeans(3, random_state=0), {}, {}),
    (CoRegularisedSpectral(3, random_state=0), {}, {}),
    (MeanGraphSpectral(3, random_state=0), {}, {}),
    (AMGL(3, random_state=0), {}, {}),
    (LSAKMeans(3, random_state=0), {}, {}),
    (Stacking(random_state=0), {"n_views": 3}, {}),
    (SingleView(PLSAClustering(3, random_state=0)), {}, {}),
    (ConcatenatedViews(PLSAClustering(3, random_state=0)), {}, {}),
    (ViewSelector(3, n_runs=1, random_state=0), {}, {}),
    (CCA(2), {}, {}),
    (KernelCCA(2), {}, {}),
    (SCM(2), {}, {}),
]


def called(value):
    return type(value).__name__ + getattr(value, "combine", "") if hasattr(value, "fit") else ""


def test_every_public_class_is_checked():
    public = {name for package in (models, baselines) for name in package.__all__}
    checked = {type(model).__name__ for model, _, _ in MODELS}
    assert checked == public - ONE_MATRIX


@pytest.mark.parametrize(("model", "size", "exempt"), MODELS, ids=called)
def test_contract(model, size, exempt, rng):
    seed = int(rng.integers(1 << 30))
    check_multiview_estimator(model, seed=seed, exempt=exempt, **size)


class Careless(NaiveBayesEnsemble):
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
    ("fault", "check"),
    [
        ("writes", "input_is_left_alone"),
        ("parameters", "parameters"),
        ("class -1", "labels_of_any_kind"),
        ("order", "rows_are_judged_alone"),
        ("score", "score_of_labelled_rows"),
    ],
)
def test_the_checks_find_faults(fault, check):
    with pytest.raises(AssertionError, match=f"Careless fails the check '{check}'"):
        check_multiview_estimator(Careless(fault))


def offers(model):
    """What an estimator offers, under the names of the table's columns."""
    checks = {name for name, _ in multiview_checks(model)}
    settings = inspect.signature(type(model)).parameters
    return {
        "any labels": "labels_of_any_kind" in checks,
        "missing rows": "missing_views" in checks,
        "feature names": "feature_names" in checks,
        "batches": "batch_size" in settings,
        "tol": "tol" in settings,
        **{name: name in checks for name in ("sample_weight", "n_jobs", "verbose", "set_output")},
        **{name: hasattr(model, name) for name in (*OUTPUTS, "partial_fit")},
    }


@pytest.mark.skipif(not PAGE.is_file(), reason="the documentation is not part of a release")
def test_the_table_in_the_documentation_is_that_of_the_checks():
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("| estimator | predict"))
    rows = itertools.takewhile(lambda line: line.startswith("|"), lines[start:])
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in rows]
    table = {row[0]: dict(zip(cells[0], row, strict=True)) for row in cells[2:]}
    for model, _, _ in MODELS:
        said = table[type(model).__name__]
        found = offers(model)
        assert {name: said[name] == "yes" for name in found} == found, type(model).__name__
