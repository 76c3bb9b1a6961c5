import numpy as np
import pytest
from scipy import sparse

from manyviews.models.coplsa import CoPLSA
from manyviews.models.plsa import PLSA, random_doc_topic, random_topic_word


def corpus(seed, n=50, widths=(40, 25), n_topics=4, tokens=60):
    """Modalities drawn from one composition per entity, as distributions over features."""
    rng = np.random.default_rng(seed)
    h = rng.dirichlet(np.full(n_topics, 0.2), n)
    views = []
    for width in widths:
        topics = rng.dirichlet(np.full(width, 0.1), n_topics)
        counts = np.array([rng.multinomial(tokens, p / p.sum()) for p in h @ topics])
        views.append(sparse.csr_matrix(counts / counts.sum(axis=1, keepdims=True)))
    return views


def start(views, k, seed):
    rng = np.random.default_rng(seed)
    hs = [random_doc_topic(v.shape[0], k, rng) for v in views]
    return hs, [random_topic_word(v.shape[1], k, rng) for v in views]


def objective(model, views, hs):
    value = 0.0
    for view, h, topics in zip(views, hs, model.topic_word_, strict=True):
        dense = view.toarray()
        seen = dense > 0
        value += (dense[seen] * np.log((h @ topics)[seen])).sum()
    for i in range(len(hs)):
        for j in range(i):
            a, b = hs[i], hs[j]
            both = (np.diff(views[i].indptr) > 0) & (np.diff(views[j].indptr) > 0)
            a, b = a[both], b[both]
            if model.divergence == "skl":
                value -= model.lam * ((a - b) * np.log(a / b)).sum()
            elif model.divergence == "l2":
                value -= model.lam * 0.5 * ((a - b) ** 2).sum()
            else:
                value -= model.lam * np.abs(a - b).sum()
    return value


@pytest.mark.parametrize("divergence", ["skl", "l2", "l1"])
@pytest.mark.parametrize("widths", [(40, 25), (30, 20, 15)])
@pytest.mark.parametrize("lam", [0.05, 20.0])
def test_objective_is_equation_8_and_never_falls(divergence, widths, lam):
    views = corpus(1, widths=widths)
    model = CoPLSA(5, divergence=divergence, lam=lam, max_iter=25, tol=0.0, random_state=3)
    model.fit(views)
    assert model.n_iter_ == 25
    assert np.all(np.diff(model.objective_) >= -1e-9 * np.abs(model.objective_[:-1]))
    assert objective(model, views, model.doc_topic_) == pytest.approx(model.objective_[-1])
    for h in model.doc_topic_:
        np.testing.assert_allclose(h.sum(axis=1), 1.0)


@pytest.mark.parametrize("divergence", ["skl", "l2", "l1"])
def test_lambda_zero_is_independent_plsa_exactly(divergence):
    views = corpus(2)
    hs, ws = start(views, 4, 0)
    model = CoPLSA(4, divergence=divergence, lam=0.0, max_iter=15, tol=0.0, init=(hs, ws)).fit(
        views
    )
    for i, view in enumerate(views):
        alone = PLSA(4, max_iter=15, tol=0.0, init=(hs[i], ws[i])).fit(view)
        np.testing.assert_array_equal(model.doc_topic_[i], alone.doc_topic_)
        np.testing.assert_array_equal(model.topic_word_[i], alone.topic_word_)


@pytest.mark.parametrize("divergence", ["skl", "l2", "l1"])
def test_an_entity_that_lacks_a_modality_gets_its_composition_from_the_other(divergence):
    a, b = corpus(4)
    b = b.toarray()
    b[[0, 7]] = 0.0
    model = CoPLSA(4, divergence=divergence, lam=0.5, max_iter=20, random_state=0).fit([a, b])
    one, two = model.doc_topic_
    np.testing.assert_allclose(two[[0, 7]], one[[0, 7]], atol=1e-8)
    # the missing side does not pull: the present one is plain PLSA with these topics
    alone = model.fold_in(a[[0, 7]], 0, max_iter=3000, tol=1e-12)
    folded = model.transform([a[[0, 7]], None], max_iter=3000, tol=0.0)
    np.testing.assert_allclose(folded[0], alone, atol=1e-4)
    np.testing.assert_allclose(folded[1], folded[0], atol=1e-8)


@pytest.mark.parametrize("divergence", ["skl", "l2", "l1"])
def test_transform_raises_the_objective_to_where_fit_leaves_it(divergence):
    views = corpus(6)
    model = CoPLSA(4, divergence=divergence, lam=0.3, max_iter=200, tol=1e-9, random_state=0)
    model.fit(views)
    few = objective(model, views, model.transform(views, max_iter=3, tol=0.0))
    many = objective(model, views, model.transform(views, max_iter=400, tol=0.0))
    assert many >= few
    assert many >= model.objective_[-1] - 1e-3 * abs(model.objective_[-1])


def test_joint_l1_step_is_monotone_and_goes_on_where_block_ascent_stalls():
    views = corpus(7)
    values = {}
    for h_step in ("exact", "joint"):
        model = CoPLSA(
            4, divergence="l1", lam=2.0, h_step=h_step, max_iter=60, tol=0.0, random_state=1
        ).fit(views)
        assert np.all(np.diff(model.objective_) >= -1e-9 * np.abs(model.objective_[:-1]))
        values[h_step] = model.objective_[-1]
    # equal starts are the worst case: the printed step returns h = g and H never moves
    assert values["joint"] > values["exact"] + 1.0


def test_the_two_step_update_leaves_the_optimum():
    # from a random start it mostly rises too; what it lacks is the guarantee, and at the exact
    # method's solution it falls
    views = corpus(0)
    options = {"divergence": "l2", "lam": 0.3, "tol": 0.0}
    exact = CoPLSA(5, max_iter=100, init=start(views, 5, 0), **options).fit(views)
    warm = (exact.doc_topic_, exact.topic_word_)
    on = CoPLSA(5, max_iter=5, init=warm, **options).fit(views)
    other = CoPLSA(5, max_iter=5, init=warm, h_step="two_step", **options).fit(views)
    assert np.diff(on.objective_).min() >= -1e-9
    assert np.diff(other.objective_)[0] < -0.1
