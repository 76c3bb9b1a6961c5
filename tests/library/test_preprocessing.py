"""From raw data to matrices: texts, sparse weights, a transformer for each view."""

import numpy as np
import pytest
import scipy.sparse as sp
from problems import lacking_some
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler

from manyviews.preprocessing import text as texts
from manyviews.preprocessing.per_view import PerView, SideBySide
from manyviews.preprocessing.sparse import binarise, hstack_csr, idf_weight, row_normalise, tfidf
from manyviews.views import Views


def test_tokens_stop_words_and_stems():
    text = "It's 1993: IBM_PC x86 Zürich a"
    assert texts.tokeniser("words")(text) == ["it", "1993", "ibm_pc", "x86", "rich"]
    assert texts.tokeniser("letters")(text) == ["it", "ibm", "pc", "rich"]
    assert texts.tokeniser("unicode")(text) == ["it", "ibm", "pc", "zürich"]
    pytest.importorskip("snowballstemmer", reason="stems need the extra: manyviews[text]")
    assert (
        texts.stemmed_tokens("The connections of the OX were connected, doing") == ["connect"] * 2
    )


def test_vocabulary_is_sorted_and_cut_by_document_frequency_and_count():
    documents = [["b", "a", "a"], ["b", "c"], [], ["a", "d", "d", "d"]]
    assert texts.build_vocabulary(documents) == ["a", "b", "c", "d"]
    assert texts.build_vocabulary(documents, min_df=2) == ["a", "b"]
    assert texts.build_vocabulary(documents, min_count=3) == ["a", "d"]
    counts, words = texts.bag_of_words(["one two two", "two three", "three three"], min_df=2)
    assert words == ["three", "two"]
    assert np.array_equal(counts.toarray(), [[0, 2], [1, 1], [2, 0]])


def test_counts_are_those_of_a_plain_loop(rng):
    words = [f"w{j:02d}" for j in range(30)]
    for _ in range(30):
        documents = [list(rng.choice(words, size=rng.integers(0, 40))) for _ in range(12)]
        vocabulary = list(rng.permutation(words)[: rng.integers(0, 30)])
        counts = texts.count_matrix(documents, vocabulary)
        plain = [[tokens.count(word) for word in vocabulary] for tokens in documents]
        assert np.array_equal(counts.toarray(), np.reshape(plain, counts.shape))
        assert counts.has_canonical_format
        assert (counts.data > 0).all()
        assert counts.dtype == np.float64
    with pytest.raises(ValueError, match="names a word twice"):
        texts.count_matrix([["a"]], ["a", "a"])


def test_sparse_weights_are_the_dense_formulas(rng):
    """With an empty row, a word that nobody has, and zeros that are stored."""
    counts = rng.poisson(0.6, (12, 9)).astype(float)
    counts[3] = counts[:, 4] = 0
    X = sp.csr_matrix(counts)
    X.data[::3] = 0.0
    counts = X.toarray()
    filled = counts.any(axis=1)
    for norm, order in (("l1", 1), ("l2", 2), ("max", np.inf)):
        Y = row_normalise(X, norm).toarray()
        np.testing.assert_allclose(np.linalg.norm(Y, order, axis=1), filled, rtol=1e-14)
        np.testing.assert_array_equal(Y > 0, counts > 0)
    for rows in (12, 6):  # document frequencies of training rows only
        df = (counts[:rows] > 0).sum(axis=0)
        idf = np.where(df > 0, np.log(rows / np.maximum(df, 1)), 0)
        weighted = tfidf(X) if rows == 12 else idf_weight(X, X[:rows])
        np.testing.assert_allclose(weighted.toarray(), counts * idf, rtol=1e-14)
    np.testing.assert_array_equal(binarise(X).toarray(), counts > 0)
    np.testing.assert_array_equal(hstack_csr([X, X]).toarray(), np.hstack([counts, counts]))


def example(rng, missing=0.0):
    words, shape = sp.csr_matrix(rng.poisson(1.0, (20, 6)) * 1.0), rng.random((20, 3))
    observed = lacking_some(rng, 20, 2, missing)
    return Views({"words": words, "shape": shape}, observed=observed)


def test_each_view_has_its_own_step_that_sees_the_rows_that_have_the_view(rng):
    steps = {"words": TfidfTransformer(), "shape": StandardScaler()}
    for missing in (0.0, 0.4):
        views = example(rng, missing)
        out = PerView(steps).fit_transform(views)
        np.testing.assert_array_equal(out.observed, views.observed)
        for v, (name, kind) in enumerate((("words", TfidfTransformer), ("shape", StandardScaler))):
            here = views.observed[:, v]
            found, expected = out.view(name), kind().fit_transform(views.view(name)[here])
            if name == "words":
                found, expected = found.toarray(), expected.toarray()
            np.testing.assert_allclose(found[here], expected)
            assert not found[~here].any()
    same = PerView({"words": "passthrough"}).fit_transform(views)
    np.testing.assert_array_equal(same.view("shape"), views.view("shape"))
    both = PerView(Normalizer("l1")).fit_transform(views)
    np.testing.assert_allclose(both.view("shape").sum(axis=1), here)


def test_new_rows_may_lack_a_view_and_are_matched_by_name(rng):
    views = example(rng)
    step = PerView({"shape": StandardScaler()}).fit(views)
    lacking = Views(views, observed=np.tile([True, False], (20, 1)))
    out = step.transform(lacking).view("shape")
    assert out.shape == (20, 3)
    assert not out.any()
    assert step.transform(views.select(["shape", "words"])).names == ("words", "shape")
    with pytest.raises(ValueError, match="fitted on the views words, shape; got words"):
        step.transform(views.select(["words"]))
    for steps, Xs, text in (
        ({"links": StandardScaler()}, views, "no view 'links' to transform; the views are words"),
        ("drop", views, "'passthrough'"),
        (3, views, r"has no fit and transform.*: 3"),
        ({"shape": StandardScaler()}, lacking, "view 'shape' has no row"),
    ):
        with pytest.raises(ValueError, match=text):
            PerView(steps).fit(Xs)


def test_one_table_for_other_estimators():
    views = example(np.random.default_rng(0))
    y = np.array(["a", "b"])[(views.view("shape")[:, 0] > 0.5).astype(int)]
    join = SideBySide().fit(views)
    table = join.transform(views.select(["shape", "words"]))
    np.testing.assert_array_equal(table[:, 6:].toarray(), views.view("shape"))
    assert join.get_feature_names_out()[[0, 6]].tolist() == ["words__0", "shape__0"]
    model = make_pipeline(PerView({"shape": StandardScaler()}), SideBySide(), LogisticRegression())
    assert model.fit(views, y).score(views, y) > 0.8
    dense = Views({"a": np.ones((3, 1)), "b": np.zeros((3, 2))})
    assert isinstance(SideBySide().fit_transform(dense), np.ndarray)
