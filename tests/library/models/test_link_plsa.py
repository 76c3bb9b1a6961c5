import numpy as np
import pytest
from scipy import sparse

from manyviews.models.link_plsa import LinkPLSA
from manyviews.models.plsa import PLSA, random_doc_topic, random_topic_word


def modalities(seed, n=40, widths=(30, 12)):
    rng = np.random.default_rng(seed)
    counts = [1.0 + rng.poisson(1.0, (n, f)) * (rng.random((n, f)) < 0.5) for f in widths]
    return [c / c.sum(axis=1, keepdims=True) for c in counts]


@pytest.mark.parametrize("alpha", [None, (0.8, 0.2)])
def test_objective_rises_and_is_the_weighted_likelihood(alpha):
    views = modalities(0)
    model = LinkPLSA(4, alpha=alpha, max_iter=30, tol=0.0, random_state=1).fit(views)
    assert np.all(np.diff(model.objective_) >= -1e-12)
    weights = (0.5, 0.5) if alpha is None else alpha
    value = sum(
        a * (v * np.log(model.doc_topic_ @ t)).sum()
        for a, v, t in zip(weights, views, model.topic_word_, strict=True)
    )
    assert value == pytest.approx(model.objective_[-1])
    for topics in model.topic_word_:
        np.testing.assert_allclose(topics.sum(axis=1), 1.0)


def test_a_weight_of_one_is_plsa_of_that_modality():
    views = modalities(1)
    rng = np.random.default_rng(0)
    h = random_doc_topic(40, 3, rng)
    ws = [random_topic_word(v.shape[1], 3, rng) for v in views]
    model = LinkPLSA(3, alpha=(1.0, 0.0), max_iter=12, tol=0.0, init=(h, ws)).fit(views)
    alone = PLSA(3, max_iter=12, tol=0.0, init=(h, ws[0])).fit(views[0])
    np.testing.assert_allclose(model.doc_topic_, alone.doc_topic_, rtol=1e-10)


def test_three_modalities_and_missing_ones():
    views = modalities(2, widths=(20, 10, 8))
    views[2][:5] = 0.0
    model = LinkPLSA(3, random_state=0).fit(views)
    h = model.transform([views[0], None, sparse.csr_matrix(views[2])])
    assert h.shape == (40, 3)
    np.testing.assert_allclose(h.sum(axis=1), 1.0)
