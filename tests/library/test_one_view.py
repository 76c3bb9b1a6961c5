"""scikit-learn's own checks on every estimator: of one matrix, or the one-view form of it.

An exemption has a reason, and fails the test when it is no longer needed.
"""

import warnings
from functools import partial

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.preprocessing import normalize
from sklearn.utils.estimator_checks import check_estimator
from test_contract import MODELS, called

from manyviews import baselines as b
from manyviews import models as m
from manyviews.testing.one_view import OneView

#: Models of distributions: rows must sum to one.
PROPORTIONS = (m.CoPLSA, m.LinkPLSA)
#: For which -1 is a class, where 1 is another.
SIGNS = (m.PassiveAggressive, m.MultiViewPassiveAggressive, m.TwoViewPassiveAggressive)

PLANE = {
    "check_classifiers_train": "its data have two columns, of which proportions keep one dimension"
}
CLUSTERS = {"check_requires_y_none": "without labels it clusters, if it is told how many classes"}
SQUARES = {
    "check_classifiers_train": "of two equal views the product squares the cosines, so rows on "
    "opposite sides score alike"
}
EMPTY_ROWS = dict.fromkeys(
    (
        "check_estimators_dtypes",
        "check_estimator_sparse_array",
        "check_estimator_sparse_matrix",
        "check_estimator_sparse_tag",
        "check_fit2d_1feature",
    ),
    "its data have rows of zeros: documents that no view has are refused",
)
TOGETHER = {
    "check_methods_subset_invariance": "the coupled fold-in stops for all rows at once: equal up "
    "to the tolerance"
}
PLSA = dict.fromkeys(
    ("check_transformer_general", "check_transformer_data_not_an_array"),
    "EM stops for all documents at once, fold-in document by document: equal up to the tolerance",
) | dict.fromkeys(
    (
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
    ),
    "the random start has a line for every row, so repeated rows start elsewhere; from equal "
    "starts they are equal: tests/library/test_sample_weight.py",
)
OWN = {
    m.MVPLSA: PLANE | CLUSTERS,
    m.DPLSA: PLANE | CLUSTERS,
    b.NaiveBayesEnsemble: PLANE,
    b.CoTraining: PLANE,
    m.PairwiseCoPLSA: EMPTY_ROWS,
    m.CoPLSA: TOGETHER,
    m.PLSA: PLSA,
    b.PLSAClustering: PLSA | {"check_clustering": "it draws negative counts"},
}
#: Estimators of one matrix.
ONE_MATRIX = [
    m.PLSA(2), b.PLSAClustering(2), b.SphericalKMeans(), m.PassiveAggressive(), b.SemanticSpace(),
]  # fmt: skip


def exemptions(model):
    """Return name and reason of the checks that cannot hold."""
    if isinstance(model, b.SemanticSpace):
        return {}
    found = SQUARES if getattr(model, "combine", "") == "prod" else OWN.get(type(model), {})
    if not isinstance(model, PROPORTIONS):
        reason = "what is no number raises ValueError here, not TypeError"
        found = found | {"check_dtype_object": reason}
    if is_classifier(model):
        reason = "labels in a column are refused, not reshaped with a warning"
        found = found | {"check_supervised_y_2d": reason}
        if not isinstance(model, SIGNS):
            reason = "-1 marks rows without a label; it is no class"
            found = found | {"check_classifiers_classes": reason}
    return found


def one_view(model):
    """Return the one-view form: as many copies as the model needs, and what values it takes."""
    prepare = partial(normalize, norm="l1") if isinstance(model, PROPORTIONS) else None
    X, y = np.random.default_rng(0).random((20, 4)), np.arange(20) % 2
    form = OneView(model, prepare=prepare, binary=isinstance(model, m.TwoViewPassiveAggressive))
    form.set_params(copies=2 if fault(form, X, y) else 1)
    return form.set_params(counts="Negative values in data" in fault(form, -X, y))


def fault(form, X, y):
    """Return the error of a fit, or nothing."""
    try:
        clone(form).fit(X, y)
    except ValueError as error:
        return str(error)
    return ""


def checked(form, exempt):
    """Return the names of scikit-learn's checks that failed, and those expected to."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own checks, and of exemptions
        found = check_estimator(form, expected_failed_checks=exempt, on_fail=None)
    failed = {c["check_name"]: c["exception"] for c in found if c["status"] == "failed"}
    return failed, {c["check_name"] for c in found if c["status"] == "xfail"}


@pytest.mark.parametrize("model", [*ONE_MATRIX, *(model for model, _ in MODELS)], ids=called)
def test_scikit_learns_checks(model):
    exempt = exemptions(model)
    failed, expected = checked(model if model in ONE_MATRIX else one_view(model), exempt)
    assert not failed
    assert expected == set(exempt), "an exemption is no longer needed"


def test_the_wrapper_leaves_faults_to_the_estimator():
    class Careless(b.NaiveBayesEnsemble):
        def fit(self, Xs, y):
            return super().fit([np.nan_to_num(X) for X in Xs], y)

    exempt = exemptions(b.NaiveBayesEnsemble())
    assert "check_estimators_nan_inf" in checked(OneView(Careless(), counts=True), exempt)[0]
