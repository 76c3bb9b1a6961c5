"""scikit-learn's own checks on the estimators of one matrix; every exemption has a reason."""

import warnings

import pytest
from sklearn.utils.estimator_checks import check_estimator

from manyviews.baselines import PLSAClustering, SemanticSpace, SphericalKMeans
from manyviews.models import PLSA, PassiveAggressive

OBJECTS = {"check_dtype_object": "what is no number raises ValueError here, not TypeError"}
FOLD_IN = dict.fromkeys(
    ("check_transformer_general", "check_transformer_data_not_an_array"),
    "EM stops for all documents at once, fold-in document by document: equal up to the tolerance",
)
WEIGHTS = dict.fromkeys(
    (
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
    ),
    "the random start has a line for every row, so repeated rows start elsewhere; from equal "
    "starts they are equal: tests/library/test_sample_weight.py",
)
EXEMPT = {
    PLSA: OBJECTS | FOLD_IN | WEIGHTS,
    PLSAClustering: OBJECTS | FOLD_IN | WEIGHTS | {"check_clustering": "it draws negative counts"},
    SphericalKMeans: OBJECTS,
    PassiveAggressive: OBJECTS
    | {
        "check_classifiers_regression_target": "floats are categories, as in all classifiers here",
        "check_supervised_y_2d": "labels in a column are refused, not reshaped with a warning",
    },
    SemanticSpace: {},
}
SETTINGS = {PLSA: {"n_topics": 2}, PLSAClustering: {"n_topics": 2}}


@pytest.mark.parametrize("kind", EXEMPT, ids=lambda kind: kind.__name__)
def test_scikit_learns_checks(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own checks, and of exemptions
        found = check_estimator(
            kind(**SETTINGS.get(kind, {})), expected_failed_checks=EXEMPT[kind], on_fail=None
        )
    failed = [f"{check['check_name']}: {check['exception']}" for check in found
              if check["status"] == "failed"]  # fmt: skip
    assert not failed
    assert sum(check["status"] == "passed" for check in found) > 35
    expected = {check["check_name"] for check in found if check["status"] == "xfail"}
    assert expected == set(EXEMPT[kind]), "an exemption is no longer needed"
