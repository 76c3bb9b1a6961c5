"""EM over blocks of rows is EM over all rows, and nobody sees who worked on which block."""

from itertools import pairwise

import numpy as np
import pytest
from problems import learnt, same, views_with_an_empty_row
from sklearn.base import clone

from manyviews import fit_blocks, save_blocks
from manyviews.models import DPLSA, MVPLSA, PLSA, LinkPLSA

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
MODELS = [
    MVPLSA(5, max_iter=9, random_state=0),
    MVPLSA([3, 5], tol=1e-3, random_state=0, init="product", view_weights="balanced", n_jobs=2),
    MVPLSA(5, max_iter=9, random_state=0, init="random", track_loglik=False),
    DPLSA(5, max_iter=9, random_state=0),
    PLSA(3, max_iter=9, random_state=0),
]


@pytest.fixture
def case(rng):
    """Two views, their blocks, the labels of some rows."""
    views, labels, _ = views_with_an_empty_row(rng)
    return views, [[X[a:b] for X in views] for a, b in pairwise([0, 50, 51, 120, 150])], labels


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_blocks_give_what_all_rows_give(case, model, tmp_path):
    views, blocks, labels = case
    if isinstance(model, PLSA):
        views, blocks, labels = views[0], [block[0] for block in blocks], None
    whole = clone(model).fit(views, labels)
    mapped = fit_blocks(clone(model), save_blocks(tmp_path, blocks), labels)
    same(learnt(whole), learnt(mapped), exact=False)
    same(whole.transform(views), mapped.transform(views), exact=False)
    made = fit_blocks(clone(model), [lambda block=block: block for block in blocks], labels)
    same(learnt(mapped), learnt(made))


def test_processes_of_dask_give_the_same_bits(case, tmp_path):
    distributed, dask = pytest.importorskip("distributed"), pytest.importorskip("dask")
    _, blocks, labels = case
    paths = save_blocks(tmp_path, blocks)
    delayed = [dask.delayed(block) for block in blocks]
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=tmp_path
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        for model, given in ((MODELS[0], paths), (MODELS[3], delayed)):
            expected = fit_blocks(clone(model), paths, labels)
            found = fit_blocks(clone(model), given, labels, client=client)
            same(learnt(expected), learnt(found))


def test_what_does_not_fit_is_explained(case, tmp_path):
    views, blocks, labels = case
    paths = save_blocks(tmp_path / "all", blocks)
    narrow = [[X[:, 1:] for X in block] for block in blocks]
    calls = iter([blocks[0], blocks[1], blocks[1]])
    for model, given, y, text in (
        (MODELS[0], [paths[0], narrow[1]], labels, r"block 1 has views of \[39, 24\] columns"),
        (MODELS[0], paths, labels[1:], "one label per row"),
        (MODELS[0], paths, None, "n_classes must say"),
        (MVPLSA(3, n_classes=2), paths, None, 'set init="random"'),
        (PLSA(3), paths, None, "PLSA takes one matrix"),
        (PLSA(3), [tmp_path], None, "holds no block"),
        (PLSA(3), [], None, "there is no block"),
        (PLSA(3), [-views[0]], None, "negative values"),
        (MVPLSA(3, init="random"), [lambda: next(calls)] * 2, labels[:51], r"now has \(1, 40\)"),
    ):
        with pytest.raises(ValueError, match=text):
            fit_blocks(clone(model), given, y)
    with pytest.raises(TypeError, match="not LinkPLSA"):
        fit_blocks(LinkPLSA(2), paths)
    columns = np.load(paths[2] / "0.indices.npy")
    np.save(paths[2] / "0.indices.npy", columns + 40)
    with pytest.raises(ValueError, match="indices"):
        fit_blocks(clone(MODELS[0]), paths, labels)
