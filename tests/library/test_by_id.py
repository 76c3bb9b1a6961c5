"""Rows by id: the order of data frames, labels and weights changes nothing; wrong uses are told."""

import numpy as np
import pytest
from problems import partly, word_views
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline

from manyviews import baselines as b
from manyviews import models as m
from manyviews.model_selection import LabelledFold, labelled_scorer, transductive_validate
from manyviews.preprocessing.per_view import PerView, SideBySide
from manyviews.views import Views

pandas = pytest.importorskip("pandas", reason="data frames need pandas")


def problem(rng, n_rows=30, n_views=2, n_classes=3, drop=0.2):
    """Return frames that lack some rows each, the labels of some rows, weights and all classes."""
    ids = np.array([f"row {i}" for i in rng.permutation(n_rows)])
    Xs, codes = word_views(rng, n_rows, n_classes, widths=(6, 7, 8)[:n_views])
    frames = {}
    for v, X in enumerate(Xs):
        kept = rng.random(n_rows) >= drop
        kept[v::n_views] = kept[: 2 * n_classes] = True  # every row is somewhere, the views meet
        counts = X.toarray() + 9 * np.eye(n_classes, X.shape[1])[codes]  # no two classes look alike
        frame = pandas.DataFrame(counts, index=ids, columns=[*"abcdefgh"[: X.shape[1]]])
        frames[f"view {v}"] = frame[kept]
    truth = pandas.Series(np.array(["x", "y", "z"])[codes], index=ids)
    weights = pandas.Series(rng.integers(1, 4, n_rows) * 1.0, index=ids)
    return frames, truth[partly(rng, codes, 0.7) >= 0], weights, truth


def shuffled(values, rng):
    return values.iloc[rng.permutation(len(values))]


@pytest.mark.parametrize("form", ["to_frame", "to_dict", "copy"])
def test_shuffling_frames_labels_and_weights_changes_nothing(form, rng):
    """Answers are the same by id, whatever holds the labels. (Of every model: the contract.)"""
    frames, known, weights, truth = problem(rng, n_views=3)
    found = []
    for shuffle in (lambda values: values, lambda values: shuffled(values, rng)):
        mixed = {name: shuffle(frame) for name, frame in frames.items()}
        y, w, asked = (getattr(shuffle(each), form)() for each in (known, weights, truth))
        model = b.NaiveBayesEnsemble().fit(Views(mixed), y, sample_weight=w)
        found.append((model.score(mixed, asked, w), model.predict_proba(mixed).sort_index()))
    assert found[0][0] == pytest.approx(found[1][0])
    pandas.testing.assert_frame_equal(found[0][1], found[1][1], rtol=1e-6)


def test_answers_have_ids_and_names_where_the_rows_have_ids(rng):
    """Their numbers are those of positions: the contract."""
    frames, known, _, truth = problem(rng)
    views = Views(frames)
    plain = views.without_ids()
    model = m.MVPLSA(3, max_iter=5, random_state=0).fit(views, shuffled(known, rng))
    assert isinstance(model.predict(plain), np.ndarray)
    assert model.labels_.index.tolist() == views.ids.tolist()
    assert model.predict_proba(views).columns.tolist() == ["x", "y", "z"]
    assert model.transform(views).columns.tolist() == model.get_feature_names_out().tolist()
    assert model.score(views, truth) == model.score(plain, truth[views.ids])


def test_lists_of_projections_have_ids_and_are_one_table_to_scikit_learn(rng):
    frames, _, _, truth = problem(rng)
    views = Views(frames)
    found = b.CCA(2).fit(views).transform(frames)
    assert [Z.index.tolist() for Z in found] == [views.ids.tolist()] * 2
    plain = b.CCA(2).fit(views.without_ids()).transform(views.without_ids())
    np.testing.assert_array_equal(np.asarray(found), np.hstack(plain))
    y = views.align(shuffled(truth, rng))
    model = make_pipeline(b.CCA(2), LogisticRegression()).fit(views, y)
    assert model.score(views, y) > 0.5
    for first in (b.CCA(2), SideBySide(), make_pipeline(PerView(), SideBySide())):
        with pytest.raises(ValueError, match=r"use y = views\.align"):
            make_pipeline(first, LogisticRegression()).fit(views, truth[views.ids[::-1]])
    with pytest.warns(UserWarning, match="columns are returned; set n_components="):
        b.CCA(50).fit(views)
    spaces = b.SCM(2).fit(views, truth[views.ids[3:]]).spaces_  # three rows have no label
    assert [len(space.model_.classes_) for space in spaces] == [3, 3]


def test_scikit_learns_tools_take_views_with_ids(rng):
    """Unlabelled rows are left out of any score."""
    frames, _, _, truth = problem(rng, n_rows=40, n_classes=2, drop=0.0)
    views, bayes = Views(frames), b.NaiveBayesEnsemble()
    y = views.align(truth)
    scoring = ["accuracy", "roc_auc", "neg_log_loss"]
    scores = cross_validate(bayes, views, y == "x", cv=2, scoring=scoring)
    assert all(np.isfinite(scores[name]).all() for name in scores)
    with pytest.raises(ValueError, match=r"y = views\.align\(y\) before"):
        cross_validate(bayes, views, truth[views.ids[::-1]], cv=2, error_score="raise")
    some = np.where(np.arange(40) % 5 == 3, -1, np.asarray(y == "x", dtype=int))
    scores = cross_validate(bayes, views, some, cv=2, scoring=labelled_scorer())["test_score"]
    np.testing.assert_array_equal(scores, cross_validate(bayes, views, some, cv=2)["test_score"])


def test_folds_take_labels_and_groups_by_id(rng):
    frames, known, _, truth = problem(rng)
    views = Views(frames)
    groups = pandas.Series(np.arange(len(truth)) % 3, index=truth.index)
    one = LabelledFold(GroupKFold(3)).split(views, known, groups)
    two = LabelledFold(GroupKFold(3)).split(views, shuffled(known, rng), shuffled(groups, rng))
    for (_, test), (_, same) in zip(one, two, strict=True):
        np.testing.assert_array_equal(test, same)
        assert set(views.ids[test]) <= set(known.index)
    model = m.MultiViewKMeans("sum")
    expected = transductive_validate(model, frames, known, cv=3)["test_score"]
    again = transductive_validate(model, frames, shuffled(known, rng), cv=3)["test_score"]
    np.testing.assert_array_equal(expected, again)


def test_wrong_uses_are_told_with_their_mend(rng):
    frames, known, weights, truth = problem(rng)
    (one, two), views, codes = frames.values(), Views(frames), np.arange(30) % 3
    arrays = [np.ones((30, 3)) + np.eye(3)[codes], np.eye(3)[codes]]
    texts = ["a text"] * 30
    fit, plsa = b.NaiveBayesEnsemble().fit, m.MVPLSA(3, max_iter=2)
    for call, given, text in (
        (Views, [[one, two.set_axis(range(len(two)))]], "no row in common"),
        (Views, [{"a": np.array(texts)}], "CountVectorizer"),
        (fit, [[one[:9], one[:9]], truth], "do not have"),
        (fit, [views, known.reset_index(drop=True)], "no id of y"),
        (fit, [views, pandas.concat([known, known[3:4]])], f"names row {known.index[3]!r} twice"),
        (fit, [views, known, weights[:5]], "sample_weight lacks .* every row"),
        (fit, [[one, one[::-1]], codes[: len(one)]], "y goes by position"),
        (fit, [arrays, {"r": "x"}], "rows have none"),
        (fit, [[texts, arrays[0]], codes], "CountVectorizer"),
        (plsa.fit, [arrays, rng.random(30)], "cut it into classes"),
        (plsa.fit, [[-X for X in arrays], codes], "better classified by logistic"),
        (m.PassiveAggressive().fit, [arrays[0], rng.random(30)], "cut it into classes"),
    ):
        with pytest.raises(ValueError, match=text):
            call(*given)
