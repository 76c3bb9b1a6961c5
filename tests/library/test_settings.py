"""A wrong setting is refused in one line that names it."""

import inspect
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.cluster import KMeans

from manyviews.baselines import (
    CCA,
    CCAKMeans,
    CoRegularisedSpectral,
    CoTraining,
    KernelCCA,
    MultiViewClustering,
    SingleView,
    SphericalKMeans,
    ViewSelector,
    VotePLSA,
)
from manyviews.models import (
    MVPLSA,
    PLSA,
    CoPLSA,
    LinkPLSA,
    MultiViewKMeans,
    MultiViewPassiveAggressive,
    PairwiseCoPLSA,
    TwoViewPassiveAggressive,
)
from manyviews.testing import random_case

sys.path.insert(0, str(Path(__file__).parent))
from test_contract import MODELS, called
from test_one_view import ONE_MATRIX

#: Settings that only some fits look at: with an ontology, with topics, for one criterion.
AT_TIMES = {"subset", "mutex", "consistency", "plsa_iter", "sample_size"}


@pytest.mark.parametrize("model", [*ONE_MATRIX, *(model for model, _, _ in MODELS)], ids=called)
def test_every_number_and_choice_is_checked(model, rng):
    binary = isinstance(model, TwoViewPassiveAggressive) or model in ONE_MATRIX
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
        (MVPLSA([3]), "names 1 views"),
        (MVPLSA(3, init=np.ones((3, 2))), "init has shape"),
        (MVPLSA(3, init=-np.ones((36, 3))), "non-negative"),
        (MVPLSA(3, view_weights=[1.0]), "view_weights has 1"),
        (MVPLSA(3, view_weights="heavy"), "view_weights must be one of"),
        (MVPLSA(3, view_weights=[1.0, -1.0]), r"view_weights\[1\] must be at least"),
        (MVPLSA(3, n_classes=4), "4 classes were announced, but y has rows of 3 class"),
        (CoPLSA(3, h_step="joint"), "two modalities"),
        (CoPLSA(3, h_step="two_step"), "l2 update"),
        (CoPLSA(3, init=([np.ones((3, 10)) / 10], [])), "one array per modality"),
        (LinkPLSA(2, alpha=(1.0,)), "2 weights"),
        (LinkPLSA(2, alpha=(1.0, -1.0)), "alpha must be at least 0"),
        (PairwiseCoPLSA(100), "exceeds the documents, n_samples=36"),
        (PairwiseCoPLSA(3, sigma="median"), "positive number or 'mean'"),
        (PairwiseCoPLSA(3, pair_share=1.5), "pair_share must be at most 1"),
        (PairwiseCoPLSA(3, pair_share=0), "pair_share must be at least 1"),
        (PairwiseCoPLSA(3, view_weights=[1.0]), "1 entries for 2 views"),
        (PairwiseCoPLSA(3, view_weights=[0.9, 0.9]), "sum to 1"),
        (PairwiseCoPLSA(3, label_view=2), "label_view=2, but there are 2 views"),
        (PairwiseCoPLSA(3, init=[]), "init has 0 entries for 2 views"),
        (MultiViewPassiveAggressive(weights=[1, 2, 3]), "one number a view"),
        (MultiViewPassiveAggressive(weights=[1, -2]), "not negative"),
        (MultiViewPassiveAggressive(weights=[0, 0]), "not all 0"),
        (MultiViewPassiveAggressive(C=0), "C must be positive"),
        (TwoViewPassiveAggressive(C=0), "C must be positive"),
        (TwoViewPassiveAggressive(variant="exact", empty="limit"), "a quotient of Algorithm 1"),
        (MultiViewKMeans("view3"), "there are 2 views"),
        (CCA(1, reg=-1.0), "reg"),
        (KernelCCA(1, kernels=("chi2", "rbf")), "unknown kernel"),
        (KernelCCA(1, kernels=("linear",)), "one each"),
        (CCAKMeans(37), "exceeds the documents, n_samples=36"),
        (CCAKMeans(3, label_view=2), "label_view=2"),
        (CoRegularisedSpectral(36), "must be smaller than n_samples=36"),
        (CoRegularisedSpectral(3, n_neighbors=36), "n_neighbors=36 must be smaller"),
        (CoRegularisedSpectral(3, label_view=2), "label_view=2, but there are 2 views"),
        (CoTraining((1, 0, 1)), r"per_class\[1\] must be at least 1"),
        (MultiViewClustering(2, view_weights=[1.0]), "2 views need 2 weights"),
        (SingleView(KMeans(3), view=2), "view=2, but there are 2 views"),
        (ViewSelector(37), "between 2 and n_samples=36"),
        (VotePLSA(37), "exceeds the documents, n_samples=36"),
        (VotePLSA(3, init=[None]), "init has 1 entries for 2 views"),
    ],
    ids=called,
)
def test_settings_that_do_not_fit_are_explained(model, message, rng):
    case = random_case(rng, n_classes=2 if isinstance(model, TwoViewPassiveAggressive) else 3)
    with pytest.raises(ValueError, match=message):
        model.fit(case.matrices, case.classes)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (PLSA(2, init=(np.ones((36, 2)), np.ones((2, 9)) / 9)), "row 0 sums to 2"),
        (PLSA(2, init=(np.ones((36, 2)) / 2, np.ones((2, 3)))), "shape"),
        (SphericalKMeans(37), "need at least 37 rows"),
    ],
)
def test_settings_of_one_matrix_too(model, message, rng):
    with pytest.raises(ValueError, match=message):
        model.fit(random_case(rng).matrices[0])


def test_clusterers_are_told_how_many(rng):
    Xs = random_case(rng).matrices
    with pytest.raises(ValueError, match="n_classes must say"):
        MVPLSA(3).fit(Xs)
    with pytest.raises(ValueError, match="only 36 documents"):
        MVPLSA(3, n_classes=37).fit(Xs)
    with pytest.raises(ValueError, match="needs labelled documents"):
        MVPLSA(3, n_classes=2, init="naive_bayes").fit(Xs)
    with pytest.raises(ValueError, match="pass y, or use one of 'silhouette'"):
        ViewSelector(3).fit(Xs)
