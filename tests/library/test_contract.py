"""Every public estimator on several views keeps the contract; exemptions have a reason."""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator

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
from manyviews.testing import (
    check_multiview_estimator,
    contract_table,
    malformed_labels,
    malformed_views,
    multiview_checks,
    random_case,
)

ONE_MATRIX = {"PLSA", "PLSAClustering", "PassiveAggressive", "SemanticSpace", "SphericalKMeans"}
#: Written by ``python tests/library/test_contract.py`` from the list below.
PAGE = Path(__file__).parents[2] / "docs" / "guide" / "contract.md"
INTRODUCTION = """# The contract

What every estimator on several views offers, read off the checks that it passes in our tests
(`manyviews.testing.check_multiview_estimator`, which you can run on your own). Estimators of one
matrix (PLSA, PLSAClustering, PassiveAggressive, SemanticSpace, SphericalKMeans) pass scikit-learn's
`check_estimator`. Beside what has a column, all checks hold for all: input is left alone, the same
seed gives the same answer, any container will do, models can be stored, malformed views ({views}
kinds) and labels ({labels} kinds) are refused, rows are judged alone, views are matched by name,
labels by id.

## Rows by id

Rows have ids if the views are data frames (their index) or `Views` with `ids`. Then

- labels, weights and groups that name their rows (a Series, a data frame of one column, a mapping
  from ids) are matched by id, in `fit`, in `score` and in the folds; a row without a label is
  unlabelled, one without a weight is an error, and so is an id that no row has;
- what `predict`, `predict_proba`, `decision_function` and `transform` return, and `labels_`, is a
  Series or a data frame with these ids, in the order of `Views.ids` (arrays without pandas, and
  where scikit-learn has picked the rows: its scorers and meta-estimators compute with arrays).

Rows without ids, that is matrices in a list or a mapping, go by position, and answers are arrays.
The order of the rows matters only to what a model draws at random row by row, as in scikit-learn.
Estimators of one matrix keep to scikit-learn's rule: position, and arrays.

Frames need an id in common; frames that only count their rows (0, 1, 2, ...) must have the same
number. Behind a transformer in a pipeline labels go by position: `y = views.align(y)` first, and
also before scikit-learn splits the rows. `score` leaves unlabelled rows out; scikit-learn's
`scoring="accuracy"` takes the marker for a class, `model_selection.labelled_scorer("accuracy")`
does not. A view that new rows lack, not among the names or None in a list, is one that all of them
miss. `class_weight` is `sample_weight` with scikit-learn's `compute_sample_weight`.

## What each offers

"""
#: Where the page goes on with the counts of ``test_one_view.py``.
ONE_VIEW_HEADING = "## scikit-learn's own checks"
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


def called(value, between=""):
    if not isinstance(value, BaseEstimator):
        return ""
    combine = f"{between}{value.combine}" if hasattr(value, "combine") else ""
    return type(value).__name__ + combine


def test_every_public_class_is_checked():
    public = {name for package in (models, baselines) for name in package.__all__}
    checked = {type(model).__name__ for model, _, _ in MODELS}
    assert checked == public - ONE_MATRIX


@pytest.mark.parametrize(("model", "size", "exempt"), MODELS, ids=called)
def test_contract(model, size, exempt, rng):
    seed = int(rng.integers(1 << 30))
    passed = check_multiview_estimator(model, seed=seed, exempt=exempt, **size)
    assert len(passed) == len(list(multiview_checks(model))) - len(exempt)


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
        ("class -1", "unlabelled_markers"),
        ("order", "rows_are_judged_alone"),
        ("score", "score_of_labelled_rows"),
    ],
)
def test_the_checks_find_faults(fault, check):
    with pytest.raises(AssertionError, match=f"Careless fails the check '{check}'"):
        check_multiview_estimator(Careless(fault))


def test_exemptions_must_name_a_check():
    with pytest.raises(ValueError, match="no such check to leave out: nothing"):
        check_multiview_estimator(NaiveBayesEnsemble(), exempt={"nothing": "for fun"})


def page():
    case = random_case(np.random.default_rng(0))
    kinds = {"views": len(malformed_views(case)), "labels": len(malformed_labels(case))}
    return INTRODUCTION.format(**kinds) + contract_table(model for model, _, _ in MODELS)


@pytest.mark.skipif(not PAGE.parent.is_dir(), reason="the documentation is not part of a release")
def test_the_table_in_the_documentation_is_that_of_the_checks():
    table, _, _ = PAGE.read_text(encoding="utf-8").partition(f"\n{ONE_VIEW_HEADING}")
    assert table == page(), f"run: python {Path(__file__).name}"


if __name__ == "__main__":
    from test_one_view import section

    PAGE.write_text(f"{page()}\n{section()}", encoding="utf-8")
