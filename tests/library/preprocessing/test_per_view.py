import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler

from manyviews.preprocessing.per_view import PerView, SideBySide
from manyviews.views import Views


def example(rng, missing=0.0):
    matrices = {
        "words": sp.csr_matrix(rng.poisson(1.0, (20, 6)) * 1.0),
        "shape": rng.random((20, 3)),
    }
    observed = rng.random((20, 2)) >= missing
    observed[observed.sum(axis=1) == 0] = True
    return Views(matrices, observed=observed)


def test_each_view_has_its_own_step(rng):
    views = example(rng)
    out = PerView({"words": TfidfTransformer(), "shape": StandardScaler()}).fit_transform(views)
    expected = TfidfTransformer().fit_transform(views.view("words"))
    np.testing.assert_array_equal(out.view("words").toarray(), expected.toarray())
    np.testing.assert_allclose(out.view("shape").mean(axis=0), 0.0, atol=1e-12)
    same = PerView({"words": "passthrough"}).fit_transform(views)
    np.testing.assert_array_equal(same.view("shape"), views.view("shape"))
    both = PerView(Normalizer("l1")).fit_transform(views)
    np.testing.assert_allclose(both.view("shape").sum(axis=1), 1.0)


def test_a_step_sees_the_rows_that_have_its_view(rng):
    views = example(rng, missing=0.4)
    out = PerView(StandardScaler(with_mean=False)).fit_transform(views)
    here = views.observed[:, 1]
    expected = StandardScaler(with_mean=False).fit_transform(views.view("shape")[here])
    np.testing.assert_allclose(out.view("shape")[here], expected)
    assert not out.view("shape")[~here].any()
    assert out.view("words")[~views.observed[:, 0]].nnz == 0
    np.testing.assert_array_equal(out.observed, views.observed)


def test_new_rows_may_lack_a_view_altogether(rng):
    step = PerView({"shape": StandardScaler()}).fit(example(rng))
    views = example(rng)
    observed = views.observed.copy()
    observed[:, 1] = False
    out = step.transform(Views(views, observed=observed))
    assert out.view("shape").shape == (20, 3)
    assert not out.view("shape").any()


def test_views_are_matched_by_name(rng):
    views = example(rng)
    step = PerView({"shape": StandardScaler()}).fit(views)
    turned = step.transform(views.select(["shape", "words"]))
    assert turned.names == ("words", "shape")
    with pytest.raises(ValueError, match="fitted on the views words, shape; got words"):
        step.transform(views.select(["words"]))


def test_errors(rng):
    views = example(rng)
    with pytest.raises(ValueError, match="no view 'links' to transform; the views are words"):
        PerView({"links": StandardScaler()}).fit(views)
    with pytest.raises(ValueError, match="'passthrough'"):
        PerView("drop").fit(views)
    with pytest.raises(ValueError, match=r"has no fit and transform.*: 3"):
        PerView(3).fit(views)
    nothing = Views(views, observed=np.tile([True, False], (20, 1)))
    with pytest.raises(ValueError, match="view 'shape' has no row"):
        PerView({"shape": StandardScaler()}).fit(nothing)


def test_one_table_for_other_estimators():
    views = example(np.random.default_rng(0))
    y = np.array(["a", "b"])[(views.view("shape")[:, 0] > 0.5).astype(int)]
    table = SideBySide().fit(views).transform(views.select(["shape", "words"]))
    np.testing.assert_array_equal(table[:, 6:].toarray(), views.view("shape"))
    assert SideBySide().fit(views).get_feature_names_out()[[0, 6]].tolist() == [
        "words__0",
        "shape__0",
    ]
    model = make_pipeline(PerView({"shape": StandardScaler()}), SideBySide(), LogisticRegression())
    assert model.fit(views, y).score(views, y) > 0.8
    dense = Views({"a": np.ones((3, 1)), "b": np.zeros((3, 2))})
    assert isinstance(SideBySide().fit_transform(dense), np.ndarray)
