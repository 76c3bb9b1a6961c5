"""Rows by id: the order of data frames, labels and weights changes nothing; wrong uses are told."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline

from manyviews.baselines import CCA, SCM, CoTraining, MultiViewClustering, NaiveBayesEnsemble
from manyviews.model_selection import LabelledFold, labelled_scorer, transductive_validate
from manyviews.models import MVPLSA, MultiViewKMeans, MultiViewPassiveAggressive, PassiveAggressive
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
    found = {"score": model.score(frames, truth, **given)}
    for name in ("predict_proba", "decision_function", "predict"):
        if hasattr(model, name):
            found[name] = getattr(model, name)(frames)
    if hasattr(model, "labels_"):
        found["labels_"] = model.labels_
    return found


def compare(one, two):
    """Assert that answers are the same by id, up to sums in another order."""
    assert one["score"] == pytest.approx(two["score"])
    for name in set(one) - {"score"}:
        a, b = one[name], two[name].loc[one[name].index]
        assert len(one[name]) == len(two[name])
        if name in ("predict", "labels_"):
            assert a.tolist() == b.tolist(), name
        else:
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-8)


def check_order_does_not_matter(model, rng, weigh=False):
    frames, known, weights, truth = problem(rng, n_views=int(rng.integers(2, 4)))
    weights = weights if weigh else None
    expected = answers(model, frames, known, weights, truth)
    mixed = {name: shuffled(frame, rng) for name, frame in frames.items()}
    again = answers(
        model,
        mixed,
        any_form(shuffled(known, rng), rng),
        None if weights is None else any_form(shuffled(weights, rng), rng),
        any_form(shuffled(truth, rng), rng),
    )
    compare(expected, again)
    assert expected["score"] > 0.8


@pytest.mark.parametrize(
    ("model", "cases", "weigh"),
    [
        (NaiveBayesEnsemble(), 20, True),
        (NaiveBayesEnsemble(combine="product"), 20, False),
        (MVPLSA(3, max_iter=5, random_state=0), 5, True),
        (MultiViewKMeans("sum"), 5, True),
        (MultiViewKMeans("maxagree"), 5, False),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else str(value),
)
def test_shuffling_frames_labels_and_weights_changes_nothing(model, cases, weigh, rng):
    for _ in range(cases):
        check_order_does_not_matter(model, rng, weigh)


@pytest.mark.parametrize(
    "model",
    [MultiViewPassiveAggressive(max_iter=2), CoTraining(max_iter=2, random_state=0)],
    ids=lambda model: type(model).__name__,
)
def test_shuffling_labels_changes_no_bit_where_rows_are_drawn(model, rng):
    """These draw an order of the rows; that of the labels does not matter all the same."""
    frames, known, _, truth = problem(rng)
    expected = answers(model, frames, known, None, truth)
    again = answers(model, frames, any_form(shuffled(known, rng), rng), None, shuffled(truth, rng))
    for name in expected:
        np.testing.assert_array_equal(np.asarray(expected[name]), np.asarray(again[name]))


def test_ids_and_positions_are_the_same_fit(rng):
    """What the ids do by themselves is what a careful caller does by hand, bit by bit."""
    frames, known, weights, truth = problem(rng)
    views = Views(frames)
    by_id = MVPLSA(3, max_iter=5, random_state=0).fit(views, shuffled(known, rng), weights)
    labels = known.reindex(views.ids).to_numpy()
    by_hand = MVPLSA(3, max_iter=5, random_state=0).fit(
        views.without_ids(), labels, weights[views.ids].to_numpy()
    )
    np.testing.assert_array_equal(by_id.doc_topic_, by_hand.doc_topic_)
    assert isinstance(by_hand.labels_, np.ndarray)
    assert isinstance(by_hand.predict(views.without_ids()), np.ndarray)
    assert by_id.labels_.index.tolist() == views.ids.tolist()
    assert by_id.predict_proba(views).columns.tolist() == ["x", "y", "z"]
    assert by_id.transform(views).columns.tolist() == by_id.get_feature_names_out().tolist()
    assert by_id.score(views, truth) == by_hand.score(views.without_ids(), truth[views.ids])


def test_lists_of_projections_have_ids_and_are_one_table_to_scikit_learn(rng):
    frames, _, _, truth = problem(rng)
    views = Views(frames)
    found = CCA(2).fit(views).transform(frames)
    assert [Z.index.tolist() for Z in found] == [views.ids.tolist()] * 2
    plain = CCA(2).fit(views.without_ids()).transform(views.without_ids())
    np.testing.assert_array_equal(np.asarray(found), np.hstack(plain))
    y = views.align(shuffled(truth, rng))
    model = make_pipeline(CCA(2), LogisticRegression()).fit(views, y)
    assert model.score(views, y) > 0.8
    for first in (CCA(2), SideBySide(), make_pipeline(PerView(), SideBySide())):
        with pytest.raises(ValueError, match=r"use y = views\.align"):
            make_pipeline(first, LogisticRegression()).fit(views, truth[views.ids[::-1]])
    spaces = SCM(2).fit(views, truth[views.ids[3:]]).spaces_  # three rows have no label
    assert [len(space.model_.classes_) for space in spaces] == [3, 3]


def test_scikit_learns_tools_take_views_with_ids(rng):
    frames, _, _, truth = problem(rng, n_rows=40, n_classes=2)
    views = Views(frames)
    y = views.align(truth)
    scores = cross_validate(
        NaiveBayesEnsemble(), views, y == "x", cv=2, scoring=["accuracy", "roc_auc", "neg_log_loss"]
    )  # fmt: skip
    assert all(np.isfinite(scores[name]).all() for name in scores)
    with pytest.raises(ValueError, match=r"y = views\.align\(y\) before"):
        cross_validate(
            NaiveBayesEnsemble(), views, truth[views.ids[::-1]], cv=2, error_score="raise"
        )


def test_folds_take_labels_and_groups_by_id(rng):
    frames, known, _, truth = problem(rng)
    views = Views(frames)
    groups = pandas.Series(np.arange(len(truth)) % 3, index=truth.index)
    one = LabelledFold(GroupKFold(3)).split(views, known, groups)
    two = LabelledFold(GroupKFold(3)).split(views, shuffled(known, rng), shuffled(groups, rng))
    for (_, a), (_, b) in zip(one, two, strict=True):
        np.testing.assert_array_equal(a, b)
        assert set(views.ids[a]) <= set(known.index)
    model = MultiViewKMeans("sum")
    expected = transductive_validate(model, frames, known, cv=3)["test_score"]
    again = transductive_validate(model, frames, shuffled(known, rng), cv=3)["test_score"]
    np.testing.assert_array_equal(expected, again)


def test_a_view_that_new_rows_lack_is_left_out(rng):
    frames, _, _, truth = problem(rng, drop=0.0)
    model = NaiveBayesEnsemble().fit(frames, truth)
    alone = model.predict_proba({"view 1": frames["view 1"]})
    np.testing.assert_allclose(alone, model.view_posteriors(Views(frames))[1])
    arrays = [frame.to_numpy() for frame in frames.values()]
    plain = NaiveBayesEnsemble().fit(arrays, truth.to_numpy())
    np.testing.assert_array_equal(plain.predict_proba([None, arrays[1]]), alone.to_numpy())
    for kind in (MVPLSA(3, max_iter=5, random_state=0), MultiViewKMeans("sum")):
        found = clone(kind).fit(frames, truth).predict({"view 0": frames["view 0"]})
        assert (found == truth[found.index]).mean() > 0.8
    with pytest.raises(ValueError, match="fitted on the views view 0, view 1; got view 2"):
        model.predict({"view 2": frames["view 1"]})


def test_rows_of_nan_are_missing_in_lists_as_in_mappings(rng):
    frames, _, _, truth = problem(rng, drop=0.0)
    arrays = [frame.to_numpy(copy=True) for frame in frames.values()]
    arrays[1][4:9] = np.nan
    named = NaiveBayesEnsemble().fit(dict(zip("ab", arrays, strict=True)), truth.to_numpy())
    plain = NaiveBayesEnsemble().fit(arrays, truth.to_numpy())
    expected = named.predict_proba(dict(zip("ab", arrays, strict=True)))
    np.testing.assert_array_equal(plain.predict_proba(arrays), expected)
    assert plain.view_names_in_ is None
    with pytest.raises(ValueError, match="view 1 has no row: it is missing in all"):
        NaiveBayesEnsemble().fit([arrays[0], np.full((30, 2), np.nan)], truth.to_numpy())


def test_unlabelled_rows_are_left_out_of_any_score(rng):
    frames, _, _, truth = problem(rng, n_rows=40, drop=0.0)
    views, codes = Views(frames), truth.map({"x": 0, "y": 1, "z": 2}).to_numpy()
    some = np.where(np.arange(40) % 4 == 3, -1, codes)
    scores = cross_validate(NaiveBayesEnsemble(), views, some, cv=2, scoring=labelled_scorer())
    own = cross_validate(NaiveBayesEnsemble(), views, some, cv=2)
    np.testing.assert_array_equal(scores["test_score"], own["test_score"])


def wrong_uses():
    rng = np.random.default_rng(0)
    frames, known, weights, truth = problem(rng)
    a, b = frames.values()
    views = Views(frames)
    arrays = [np.ones((30, 3)) + np.eye(3)[np.arange(30) % 3], np.eye(3)[np.arange(30) % 3]]
    codes = np.arange(30) % 3
    bayes, plsa = NaiveBayesEnsemble(), MVPLSA(3, max_iter=2)
    counted = [frame.reset_index(drop=True) for frame in (a, b[:-2])]
    return {
        "no common index": (lambda: Views([a, b.set_axis(range(len(b)))]), "no row in common"),
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
        "a quantity": (lambda: plsa.fit(arrays, rng.random(30)), "cut it into classes"),
        "a quantity online": (
            lambda: PassiveAggressive().fit(arrays[0], rng.random(30)), "cut it into classes"
        ),
        "no weights": (
            lambda: clone(plsa).set_params(view_weights=[0, 0]).fit(arrays, codes), "all 0"
        ),
        "no weights of clusters": (
            lambda: MultiViewClustering(3, view_weights=[0, 0]).fit(arrays), "all 0"
        ),
        "topics": (lambda: MVPLSA("auto").fit(arrays, codes), "n_topics must be an integer, got"),
        "a number of clusters": (
            lambda: MultiViewKMeans(3).fit(arrays, codes), r"MVPLSA\(n_classes=3\)"
        ),
        "texts": (lambda: bayes.fit([["a text"] * 30, arrays[0]], codes), "CountVectorizer"),
        "texts of a frame": (lambda: Views({"a": np.array(["a text"] * 30)}), "CountVectorizer"),
        "a pair for three": (
            lambda: CoTraining((1, 3)).fit(arrays, codes), "3 classes of y .* per_class=1"
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
        assert CCA(50).fit(views).transform(views)[0].shape == (40, 6)


def test_documents_per_class_by_number_and_by_name(rng):
    frames, known, _, _ = problem(rng)
    fits = [
        CoTraining(given, max_iter=2, random_state=0).fit(frames, known).given_
        for given in (2, (2, 2, 2), {"z": 2, "x": 2, "y": 2})
    ]
    np.testing.assert_array_equal(fits[0], fits[1])
    np.testing.assert_array_equal(fits[0], fits[2])
