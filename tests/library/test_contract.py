"""Every public estimator on several views keeps the contract."""

import inspect
import itertools
from pathlib import Path

import pytest
from contract import OUTPUTS, checks_of, seeded
from problems import random_case

from manyviews import baselines as b
from manyviews import models as m

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
    case = random_case(rng, **size)
    for check in checks_of(model).values():
        check(seeded(model), case)


def offers(model):
    """What an estimator offers, under the names of the table's columns."""
    checks = checks_of(model)
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
