"""scikit-learn's own checks on every estimator: of one matrix, or the one-view form of it.

An exemption has a reason, and fails the test when it is no longer needed.
"""

import warnings
from functools import partial

import numpy as np
import pytest
from contract import OUTPUTS
from sklearn.base import BaseEstimator, clone, is_classifier, is_clusterer
from sklearn.preprocessing import normalize
from sklearn.utils import TransformerTags
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data
from test_contract import EVERY, ONE_MATRIX, called

from manyviews import baselines as b
from manyviews import models as m

#: Models of distributions: rows must sum to one.
PROPORTIONS = (m.CoPLSA, m.LinkPLSA)
#: For which -1 is a class, where 1 is another.
SIGNS = (m.PassiveAggressive, m.MultiViewPassiveAggressive, m.TwoViewPassiveAggressive)

#: Checks that cannot hold: of which estimators, which, and why.
EXEMPT = [
    ([m.MVPLSA, m.DPLSA, b.NaiveBayesEnsemble, b.CoTraining], ["check_classifiers_train"],
     "its data have two columns, of which proportions keep one dimension"),
    ([m.MVPLSA, m.DPLSA], ["check_requires_y_none"],
     "without labels it clusters, if it is told how many classes"),
    ([m.PairwiseCoPLSA], ["check_estimators_dtypes", "check_estimator_sparse_array",
     "check_estimator_sparse_matrix", "check_estimator_sparse_tag", "check_fit2d_1feature"],
     "its data have rows of zeros: documents that no view has are refused"),
    ([m.CoPLSA], ["check_methods_subset_invariance"],
     "the coupled fold-in stops for all rows at once: equal up to the tolerance"),
    ([m.PLSA, b.PLSAClustering], ["check_transformer_general",
     "check_transformer_data_not_an_array"],
     "EM stops for all documents at once, fold-in one by one: equal up to the tolerance"),
    ([m.PLSA, b.PLSAClustering], ["check_sample_weight_equivalence_on_dense_data",
     "check_sample_weight_equivalence_on_sparse_data"],
     "the random start has a line for every row, so repeated rows start elsewhere; from equal "
     "starts they are equal: tests/library/test_sample_weight.py"),
    ([b.PLSAClustering], ["check_clustering"], "it draws negative counts"),
]  # fmt: skip
SQUARES = "of two equal views the product squares the cosines: opposite sides score alike"


def offers(name):
    return available_if(lambda self: hasattr(self.estimator, name))


class OneView(BaseEstimator):
    """A multi-view estimator as one of one matrix, which becomes one or several equal views.

    Number and names of the columns are checked here, as the estimator calls them otherwise.
    Whatever else is wrong with the matrix, the estimator has to notice.
    """

    def __init__(self, estimator, *, copies=1, counts=False, binary=False, prepare=None):
        self.estimator = estimator
        self.copies = copies
        self.counts = counts
        self.binary = binary
        self.prepare = prepare

    def fit(self, X, y=None):
        return self._fitted(clone(self.estimator).fit(self._views(X), y), X, reset=True)

    @offers("partial_fit")
    def partial_fit(self, X, y=None, classes=None):
        first = not hasattr(self, "estimator_")
        if not first:
            validate_data(self, X, skip_check_array=True, reset=False)
        inner = clone(self.estimator) if first else self.estimator_
        return self._fitted(inner.partial_fit(self._views(X), y, classes=classes), X, reset=first)

    @offers("fit_predict")
    def fit_predict(self, X, y=None):
        return self.fit(X, y).labels_

    @offers("transform")
    def fit_transform(self, X, y=None):
        return self.fit(X, y).transform(X)

    def __getattr__(self, name):
        if name in (*OUTPUTS, "score") and hasattr(self.estimator, name):
            return partial(self._asked, name)
        raise AttributeError(name)

    def _views(self, X):
        return [X if self.prepare is None else self.prepare(X)] * self.copies

    def _fitted(self, inner, X, *, reset):
        """Keep the fitted estimator, and show what it has and scikit-learn looks for."""
        self.estimator_ = inner
        validate_data(self, X, skip_check_array=True, reset=reset)
        for name in ("classes_", "labels_", "n_iter_"):
            if hasattr(inner, name):
                setattr(self, name, getattr(inner, name))
        return self

    def _asked(self, name, X, y=None):
        """Ask the fitted estimator; of several views' answers return the first."""
        check_is_fitted(self, "estimator_")
        if getattr(X, "ndim", 0) == 2:  # what is no matrix, the estimator refuses
            validate_data(self, X, skip_check_array=True, reset=False)
        found = getattr(self.estimator_, name)(self._views(X), *(() if y is None else (y,)))
        return found[0] if isinstance(found, list) else found

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = self.estimator.__sklearn_tags__()
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags, tags.target_tags = inner.classifier_tags, inner.target_tags
        if hasattr(self.estimator, "transform"):  # to one array each: then they have no such tag
            tags.transformer_tags = inner.transformer_tags or TransformerTags()
        tags.input_tags.sparse, tags.input_tags.positive_only = True, self.counts
        tags.non_deterministic = False
        if is_classifier(self.estimator):
            tags.classifier_tags.multi_class = not self.binary
        elif is_clusterer(self.estimator):
            tags.target_tags.required = False
        return tags


def exemptions(model):
    """Return name and reason of the checks that cannot hold."""
    found = {
        check: reason
        for kinds, checks, reason in EXEMPT
        for check in checks
        if type(model) in kinds
    }
    if getattr(model, "combine", "") == "prod":
        found["check_classifiers_train"] = SQUARES
    if not isinstance(model, (*PROPORTIONS, b.SemanticSpace)):
        found["check_dtype_object"] = "what is no number raises ValueError here, not TypeError"
    if is_classifier(model):
        reason = "labels in a column are refused, not reshaped with a warning"
        found["check_supervised_y_2d"] = reason
        if not isinstance(model, SIGNS):
            found["check_classifiers_classes"] = "-1 marks rows without a label; it is no class"
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


@pytest.mark.parametrize("model", EVERY, ids=called)
def test_scikit_learns_checks(model):
    exempt, form = exemptions(model), model if model in ONE_MATRIX else one_view(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own checks, and of exemptions
        found = check_estimator(form, expected_failed_checks=exempt, on_fail=None)
    assert not {c["check_name"]: c["exception"] for c in found if c["status"] == "failed"}
    held = {c["check_name"] for c in found if c["status"] != "xfail"}  # not all versions have all
    assert not held & set(exempt), "an exemption is no longer needed"
