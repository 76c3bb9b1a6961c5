"""scikit-learn's own checks on the one-view form of every estimator on several views.

An exemption has a reason, and fails the test when it is no longer needed.
"""

import sys
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import sklearn
from sklearn.base import clone, is_classifier
from sklearn.preprocessing import normalize
from sklearn.utils.estimator_checks import check_estimator

from manyviews.baselines import CoTraining, NaiveBayesEnsemble
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
from manyviews.testing.one_view import OneView

sys.path.insert(0, str(Path(__file__).parent))
from test_contract import MODELS, ONE_VIEW_HEADING, PAGE, called

#: Models of distributions: rows must sum to one.
PROPORTIONS = (CoPLSA, LinkPLSA)
BINARY = (TwoViewPassiveAggressive,)

OBJECTS = {"check_dtype_object": "what is no number raises ValueError here, not TypeError"}
CLASSIFIER = {
    "check_supervised_y_2d": "labels in a column are refused, not reshaped with a warning",
}
MINUS_ONE = {"check_classifiers_classes": "-1 marks rows without a label; it is no class"}
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


def exemptions(model):
    """Return name and reason of the checks that cannot hold."""
    found = {} if isinstance(model, PROPORTIONS) else OBJECTS
    if is_classifier(model):
        found = found | CLASSIFIER
        if not isinstance(model, MultiViewPassiveAggressive | TwoViewPassiveAggressive):
            found = found | MINUS_ONE
    return found | {
        MVPLSA: PLANE | CLUSTERS,
        DPLSA: PLANE | CLUSTERS,
        NaiveBayesEnsemble: PLANE,
        CoTraining: PLANE,
        PairwiseCoPLSA: EMPTY_ROWS,
        CoPLSA: TOGETHER,
        MultiViewKMeans: SQUARES if getattr(model, "combine", "") == "prod" else {},
    }.get(type(model), {})


def one_view(model):
    """Return the one-view form: as many copies as the model needs, and what values it takes."""
    prepare = partial(normalize, norm="l1") if isinstance(model, PROPORTIONS) else None
    rng = np.random.default_rng(0)
    X, y = rng.random((20, 4)), np.arange(20) % 2
    copies = 1 if fault(OneView(model, prepare=prepare), X, y) == "" else 2
    refused = fault(OneView(model, copies=copies, prepare=prepare), -X, y)
    return OneView(
        model,
        copies=copies,
        counts="Negative values in data" in refused,
        binary=isinstance(model, BINARY),
        prepare=prepare,
    )


def fault(form, X, y):
    """Return the error of a fit, or nothing."""
    try:
        clone(form).fit(X, y)
    except ValueError as error:
        return str(error)
    return ""


def checked(form, exempt):
    """Return what scikit-learn found, check by check."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own checks, and of exemptions
        return check_estimator(form, expected_failed_checks=exempt, on_fail=None)


def row(model, form, found):
    """Return the line of the documentation's table."""
    counts = [sum(c["status"] == status for c in found) for status in ("passed", "xfail")]
    return f"| {called(model, ' ')} | {form.copies} | {counts[0]} | {counts[1]} |"


@pytest.mark.parametrize("model", [model for model, _, _ in MODELS], ids=called)
def test_scikit_learns_checks(model):
    form, exempt = one_view(model), exemptions(model)
    found = checked(form, exempt)
    failed = [f"{c['check_name']}: {c['exception']}" for c in found if c["status"] == "failed"]
    assert not failed
    assert sum(c["status"] == "passed" for c in found) > 30
    expected = {c["check_name"] for c in found if c["status"] == "xfail"}
    assert expected == set(exempt), "an exemption is no longer needed"
    if PAGE.is_file() and f"scikit-learn {sklearn.__version__}" in PAGE.read_text("utf-8"):
        assert row(model, form, found) in PAGE.read_text("utf-8"), "run: python test_contract.py"


def test_the_wrapper_leaves_faults_to_the_estimator():
    class Careless(NaiveBayesEnsemble):
        def fit(self, Xs, y):
            return super().fit([np.nan_to_num(X) for X in Xs], y)

    found = checked(OneView(Careless(), counts=True), exemptions(NaiveBayesEnsemble()))
    failed = {c["check_name"] for c in found if c["status"] == "failed"}
    assert "check_estimators_nan_inf" in failed


def section():
    """Return the part of the documentation that has the counts."""
    rows, reasons, total = [], {}, {"passed": 0, "xfail": 0, "failed": 0}
    for model, _, _ in MODELS:
        form, exempt = one_view(model), exemptions(model)
        found = checked(form, exempt)
        rows.append(row(model, form, found))
        for check in found:
            if check["status"] in total:
                total[check["status"]] += 1
        for name, reason in exempt.items():
            reasons.setdefault(reason, {}).setdefault(name)
    listed = [
        f"- {', '.join(f'`{name}`' for name in names)}: {reason}"
        for reason, names in reasons.items()
    ]
    return "\n".join(
        [
            ONE_VIEW_HEADING,
            "",
            f"`check_estimator` of scikit-learn {sklearn.__version__} on the one-view form of each",
            "(`manyviews.testing.OneView`: the matrix is the only view, or two equal ones where a",
            f"model needs two): {total['passed']} checks pass, {total['failed']} fail, "
            f"{total['xfail']} are exempt:",
            "",
            *listed,
            "",
            "| estimator | views | passed | exempt |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )
