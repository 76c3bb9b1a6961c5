"""Every public estimator keeps the contract, and refuses a wrong setting by its name."""

import inspect

import numpy as np
import pytest
from contract import CHECKS, seeded
from problems import random_case
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression

from manyviews import baselines as b
from manyviews import models as m

#: Estimators of one matrix; their contract is scikit-learn's own (test_one_view.py).
ONE_MATRIX = [
    m.PLSA(2), b.PLSAClustering(2), b.SphericalKMeans(), m.PassiveAggressive(), b.SemanticSpace(),
]  # fmt: skip
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
    (b.Stacking(estimator=LogisticRegression(class_weight="balanced"), combine="mean"), {}),
    (b.GraphSpreading(n_neighbors=5), {"n_views": 3}),
    (b.SGC(n_neighbors=5), {}),
    (b.SingleView(b.PLSAClustering(3, random_state=0)), {}),
    (b.ConcatenatedViews(b.PLSAClustering(3, random_state=0)), {}),
    (b.ViewSelector(3, n_runs=1, random_state=0), {}),
    (b.CCA(2), {}),
    (b.KernelCCA(2), {}),
    (b.SCM(2), {}),
]
_listed = {type(model) for model in (*ONE_MATRIX, *(model for model, _ in MODELS))}
_public = {getattr(package, name) for package in (m, b) for name in package.__all__}
# a class that is not listed is tried as it is without arguments
MODELS += [(kind(), {}) for kind in sorted(_public - _listed, key=lambda kind: kind.__name__)]
EVERY = [*ONE_MATRIX, *(model for model, _ in MODELS)]


def called(value):
    return f"{type(value).__name__}{getattr(value, 'combine', '')}" if hasattr(value, "fit") else ""


@pytest.mark.parametrize(("model", "size"), MODELS, ids=called)
def test_contract(model, size, rng):
    case = random_case(rng, **size)
    for check, applies in CHECKS:
        if applies(model):
            check(seeded(model), case)


#: Settings that only some fits look at: with an ontology, with topics, for one criterion.
AT_TIMES = {"subset", "mutex", "consistency", "plsa_iter", "sample_size"}


@pytest.mark.parametrize("model", EVERY, ids=called)
def test_every_number_and_choice_is_checked(model, rng):
    binary = isinstance(model, m.TwoViewPassiveAggressive) or model in ONE_MATRIX
    case = random_case(rng, n_classes=2 if binary else 3)
    Xs = case.matrices[0] if model in ONE_MATRIX else case.matrices
    for name in inspect.signature(type(model)).parameters:
        value = getattr(model, name)
        wrong = {int: (-1,), float: (-1.0, np.nan), str: ("no such",)}.get(type(value), ())
        for setting in () if name in (*AT_TIMES, "random_state") else wrong:
            with pytest.raises(ValueError, match=name):
                clone(model).set_params(**{name: setting}).fit(Xs, case.classes)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (m.MVPLSA([3]), "names 1 views"),
        (m.MVPLSA(3, init=np.ones((3, 2))), "init has shape"),
        (m.MVPLSA(3, init=-np.ones((36, 3))), "non-negative"),
        (m.MVPLSA(3, view_weights=[1.0]), "view_weights has 1"),
        (m.MVPLSA(3, view_weights=[1.0, -1.0]), r"view_weights\[1\] must be at least"),
        (m.MVPLSA(3, n_classes=4), "4 classes were announced, but y has rows of 3 class"),
        (m.MVPLSA(3, view_weights=[0, 0]), "all 0"),
        (m.MVPLSA("auto"), "n_topics must be an integer, got"),
        (m.CoPLSA(3, h_step="joint"), "two modalities"),
        (m.CoPLSA(3, h_step="two_step"), "l2 update"),
        (m.CoPLSA(3, init=([np.ones((3, 10)) / 10], [])), "one array per modality"),
        (m.LinkPLSA(2, alpha=(1.0,)), "2 weights"),
        (m.PairwiseCoPLSA(100), "must not exceed n_samples=36"),
        (m.PairwiseCoPLSA(3, sigma="median"), "positive number or 'mean'"),
        (m.PairwiseCoPLSA(3, pair_share=1.5), "pair_share must be at most 1"),
        (m.PairwiseCoPLSA(3, view_weights=[1.0]), "1 entries for 2 views"),
        (m.PairwiseCoPLSA(3, view_weights=[0.9, 0.9]), "sum to 1"),
        (m.PairwiseCoPLSA(3, label_view=2), "label_view=2, but there are 2 views"),
        (b.CoRegularisedSpectral(3, label_view=2), "label_view=2, but there are 2 views"),
        (b.CCAKMeans(3, label_view=0.5), "label_view must be an integer"),
        (b.MultiViewClustering(3, view_weights=[1, float("nan")]), "must be finite"),
        (m.PairwiseCoPLSA(3, init=[]), "init has 0 entries for 2 views"),
        (m.MultiViewPassiveAggressive(weights=[1, 2, 3]), "one number a view"),
        (m.MultiViewPassiveAggressive(weights=[1, -2]), "not negative"),
        (m.MultiViewPassiveAggressive(weights=[0, 0]), "not all 0"),
        (m.TwoViewPassiveAggressive(C=0), "C must be positive"),
        (m.TwoViewPassiveAggressive(variant="exact", empty="limit"), "a quotient of Algorithm 1"),
        (m.MultiViewKMeans(3), r"MVPLSA\(n_classes=3\)"),
        (m.MultiViewKMeans("view3"), "there are 2 views"),
        (b.Stacking(estimator=KMeans(2)), "has no predict_proba"),
        (b.SGC(graphs=["links"]), "there is no view 'links'; the views are 0 to 1"),
        (b.SGC(shared=True), "needs graphs"),
        (b.GraphSpreading(graphs=[1]), "view 1 is to be a graph .*transductive_validate"),
        (b.KernelCCA(1, kernels=("chi2", "rbf")), "unknown kernel"),
        (b.KernelCCA(1, kernels=("linear",)), "one each"),
        (b.CoRegularisedSpectral(36), "must be smaller than n_samples=36"),
        (b.CoRegularisedSpectral(3, n_neighbors=36), "n_neighbors=36 must be smaller"),
        (b.CoTraining((1, 3)), "3 classes of y .* per_class=1"),
        (b.CoTraining((1, 0, 1)), r"per_class\[1\] must be at least 1"),
        (b.MultiViewClustering(3, view_weights=[0, 0]), "all 0"),
        (b.MultiViewClustering(2, view_weights=[1.0]), "has 1 numbers for 2 view"),
        (b.SingleView(KMeans(3), view=2), "view=2, but there are 2 views"),
        (b.ViewSelector(37), "between 2 and n_samples=36"),
        (b.VotePLSA(3, init=[None]), "init has 1 entries for 2 views"),
    ],
    ids=called,
)
def test_settings_that_do_not_fit_are_explained(model, message, rng):
    case = random_case(rng, n_classes=2 if isinstance(model, m.TwoViewPassiveAggressive) else 3)
    with pytest.raises(ValueError, match=message):
        model.fit(case.matrices, case.classes)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (m.MVPLSA(3), "n_classes must say"),
        (m.MVPLSA(3, n_classes=37), "only 36 documents"),
        (m.MVPLSA(3, n_classes=2, init="naive_bayes"), "needs labelled documents"),
        (b.ViewSelector(3), "pass y, or use one of 'silhouette'"),
        (
            m.PLSA(2, init=(np.diag([1.0, 0.5]).repeat(18, axis=0), np.ones((2, 9)) / 9)),
            "row 18 sums to 0.5",
        ),
        (m.PLSA(2, init=(np.ones((36, 2)) / 2, np.ones((2, 3)))), "shape"),
        (b.SphericalKMeans(37), "must not exceed n_samples=36"),
    ],
    ids=called,
)
def test_settings_without_labels_too(model, message, rng):
    Xs = random_case(rng).matrices
    with pytest.raises(ValueError, match=message):
        model.fit(Xs[0] if isinstance(model, m.PLSA | b.SphericalKMeans) else Xs)
