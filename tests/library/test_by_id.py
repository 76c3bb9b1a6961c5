"""Rows by id: the order of data frames, labels and weights changes nothing; wrong uses are told."""

import numpy as np
import pytest
from sklearn.base import clone
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
    codes = np.arange(n_rows) % n_classes
    frames = {}
    for v in range(n_views):
        counts = rng.poisson(1 + 9 * np.eye(n_classes + v)[codes])
        frame = pandas.DataFrame(counts * 1.0, index=ids, columns=[*"abcdefgh"[: n_classes + v]])
        kept = rng.random(n_rows) >= drop
        kept[v::n_views] = True  # every row is somewhere, and the views meet
        kept[: 2 * n_classes] = True
        frames[f"view {v}"] = frame[kept]
    truth = pandas.Series(np.array(["x", "y", "z"])[codes], index=ids)
    shown = rng.random(n_rows) < 0.7
    shown[:n_classes] = True
    weights = pandas.Series(rng.integers(1, 4, n_rows) * 1.0, index=ids)
    return frames, truth[shown], weights, truth


def shuffled(values, rng):
    return values.iloc[rng.permutation(len(values))]


def any_form(values, rng):
    """Return a Series as it is, as a mapping, or as a data frame of one column."""
    kind = rng.integers(3)
    return [values, values.to_dict(), values.to_frame("label")][kind]


def answers(model, frames, known, weights, truth):
    """Fit and ask; return everything by id."""
    given = {} if weights is None else {"sample_weight": weights}
    model = clone(model).fit(Views(frames), known, **given)
    asked = [name for name in ("predict_proba", "decision_function") if hasattr(model, name)]
    found = {name: getattr(model, name)(frames) for name in ("predict", *asked)}
    return found | {"score": model.score(frames, truth, **given), "labels_": model.labels_}


@pytest.mark.parametrize(
    ("model", "weigh"),
    [
        (b.NaiveBayesEnsemble(), True),
        (b.NaiveBayesEnsemble(combine="product"), False),
        (m.MVPLSA(3, max_iter=5, random_state=0), True),
        (m.MultiViewKMeans("sum"), True),
        (m.MultiViewKMeans("maxagree"), False),
    ],
    ids=str,
)
def test_shuffling_frames_labels_and_weights_changes_nothing(model, weigh, rng):
    """Answers are the same by id, up to sums in another order. (Labels alone: the contract.)"""
    for _ in range(3):
        frames, known, weights, truth = problem(rng, n_views=int(rng.integers(2, 4)))
        weights = weights if weigh else None
        one = answers(model, frames, known, weights, truth)
        two = answers(
            model,
            {name: shuffled(frame, rng) for name, frame in frames.items()},
            any_form(shuffled(known, rng), rng),
            None if weights is None else any_form(shuffled(weights, rng), rng),
            any_form(shuffled(truth, rng), rng),
        )
        assert one.pop("score") == pytest.approx(two.pop("score"))
        for name, found in one.items():
            assert sorted(found.index) == sorted(two[name].index)
            other = two[name].loc[found.index]
            if name in ("predict", "labels_"):
                assert found.tolist() == other.tolist(), name
            else:
                np.testing.assert_allclose(found, other, rtol=1e-6, atol=1e-8)


def test_ids_and_positions_are_the_same_fit(rng):
    """What the ids do by themselves is what a careful caller does by hand, bit by bit."""
    frames, known, weights, truth = problem(rng)
    views = Views(frames)
    plain = views.without_ids()
    by_id = m.MVPLSA(3, max_iter=5, random_state=0).fit(views, shuffled(known, rng), weights)
    by_hand = clone(by_id).fit(
        plain, known.reindex(views.ids).to_numpy(), weights[views.ids].to_numpy()
    )
    np.testing.assert_array_equal(by_id.doc_topic_, by_hand.doc_topic_)
    assert isinstance(by_hand.labels_, np.ndarray)
    assert isinstance(by_hand.predict(plain), np.ndarray)
    assert by_id.labels_.index.tolist() == views.ids.tolist()
    assert by_id.predict_proba(views).columns.tolist() == ["x", "y", "z"]
    assert by_id.transform(views).columns.tolist() == by_id.get_feature_names_out().tolist()
    assert by_id.score(views, truth) == by_hand.score(plain, truth[views.ids])


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


def wrong_uses():
    rng = np.random.default_rng(0)
    frames, known, weights, truth = problem(rng)
    a, c = frames.values()
    views = Views(frames)
    arrays = [np.ones((30, 3)) + np.eye(3)[np.arange(30) % 3], np.eye(3)[np.arange(30) % 3]]
    codes = np.arange(30) % 3
    bayes, plsa = b.NaiveBayesEnsemble(), m.MVPLSA(3, max_iter=2)
    counted = [frame.reset_index(drop=True) for frame in (a, c[:-2])]
    return {
        "no common index": (lambda: Views([a, c.set_axis(range(len(c)))]), "no row in common"),
        "row numbers": (lambda: Views([counted[0], counted[1][:9]]), "different numbers of rows"),
        "unknown ids": (lambda: bayes.fit([a, a], truth), "do not have"),
        "no known id": (lambda: bayes.fit(views, known.reset_index(drop=True)), "no id of y"),
        "an id twice": (lambda: bayes.fit(views, pandas.concat([known, known[:1]])), "twice"),
        "a row without weight": (
            lambda: bayes.fit(views, known, weights[:5]), "sample_weight lacks .* every row"
        ),
        "frames and positions": (
            lambda: bayes.fit([a, a[::-1]], codes[: len(a)]), "y goes by position"
        ),
        "ids for arrays": (lambda: bayes.fit(arrays, {"r": "x"}), "rows have none"),
        "a view without rows": (
            lambda: bayes.fit([arrays[0], np.full((30, 2), np.nan)], codes),
            "view 1 has no row: it is missing in all",
        ),
        "a quantity": (lambda: plsa.fit(arrays, rng.random(30)), "cut it into classes"),
        "a quantity online": (
            lambda: m.PassiveAggressive().fit(arrays[0], rng.random(30)), "cut it into classes"
        ),
        "no weights": (
            lambda: clone(plsa).set_params(view_weights=[0, 0]).fit(arrays, codes), "all 0"
        ),
        "no weights of clusters": (
            lambda: b.MultiViewClustering(3, view_weights=[0, 0]).fit(arrays), "all 0"
        ),
        "topics": (lambda: m.MVPLSA("auto").fit(arrays, codes), "n_topics must be an integer, got"),
        "a number of clusters": (
            lambda: m.MultiViewKMeans(3).fit(arrays, codes), r"MVPLSA\(n_classes=3\)"
        ),
        "texts": (lambda: bayes.fit([["a text"] * 30, arrays[0]], codes), "CountVectorizer"),
        "texts of a frame": (lambda: Views({"a": np.array(["a text"] * 30)}), "CountVectorizer"),
        "a pair for three": (
            lambda: b.CoTraining((1, 3)).fit(arrays, codes), "3 classes of y .* per_class=1"
        ),
        "negative values": (
            lambda: plsa.fit([-X for X in arrays], codes), "better classified by logistic"
        ),
    }  # fmt: skip


@pytest.mark.parametrize("use", wrong_uses())
def test_wrong_uses_are_told_with_their_mend(use):
    call, text = wrong_uses()[use]
    with pytest.raises(ValueError, match=text):
        call()


def test_fewer_directions_than_asked_for_are_told(rng):
    views = [rng.normal(size=(40, 6)), rng.normal(size=(40, 9))]
    with pytest.warns(UserWarning, match="6 columns are returned; set n_components=6"):
        assert b.CCA(50).fit(views).transform(views)[0].shape == (40, 6)


def test_documents_per_class_by_number_and_by_name(rng):
    frames, known, _, _ = problem(rng)
    fits = [
        b.CoTraining(given, max_iter=2, random_state=0).fit(frames, known).given_
        for given in (2, (2, 2, 2), {"z": 2, "x": 2, "y": 2})
    ]
    np.testing.assert_array_equal(fits[0], fits[1])
    np.testing.assert_array_equal(fits[0], fits[2])
