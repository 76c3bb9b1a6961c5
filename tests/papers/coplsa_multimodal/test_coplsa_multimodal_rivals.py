import numpy as np
import pandas as pd
import pytest

from reproduction.papers.coplsa_multimodal import PAPER, rivals
from reproduction.papers.coplsa_multimodal.protocol import METRIC, load_split, table_rows
from reproduction.papers.coplsa_multimodal.retrieval import KINDS, Ranking
from reproduction.results.jobs import Context, Job
from reproduction.results.published import printed_methods
from reproduction.results.rows import result_frames
from reproduction.rooms import tables_of

DATA = "wikipedia_pairs"


@pytest.fixture
def context(pairs, settings):
    return Context(Job(PAPER, DATA, "rival_test", "nowhere:run"), {DATA: pairs}, settings)


def third_parts(views):
    """Weight of every third word: the class, by the way the test's data are made."""
    return [
        np.stack([np.asarray(X[:, i::3].sum(axis=1))[:, 0] for i in range(3)], 1) for X in views
    ]


def test_a_rival_is_scored_on_the_main_table_without_a_vote(context, pairs, settings):
    def predict(train, labels, test, rng):
        return third_parts(train), third_parts(test)

    assert set(rivals.DATASETS) >= {DATA}
    rows = rivals.compare(context, "thirds", predict).rows
    values, timings = result_frames(PAPER, DATA, rows, tables_of(PAPER), printed_methods(PAPER))
    assert set(values["role"]) == {"ours"}
    assert set(values["method"]) == {"thirds"}
    table = values[values["table"] == "1"]
    assert set(table["run"]) == set(range(settings.runs))
    assert len(table) == len({*zip(table["space"], table["direction"], strict=True)}) * 2 * 2
    assert set(values["precision"].dropna()) == set(KINDS) - {"full"}
    assert timings["seconds"].notna().all()
    assert len(timings) == settings.runs

    # the images' order is given back: the same as from aligned views
    split = load_split(pairs, settings)
    texts, images = third_parts(split.test)
    means = [part.mean(axis=0) for part in third_parts(split.train)]
    texts, images = texts - means[0], images - means[1]
    cosine = images @ texts.T
    cosine /= np.linalg.norm(images, axis=1)[:, None] * np.linalg.norm(texts, axis=1)
    expected = Ranking.of(cosine, split.test_labels, split.test_labels)
    at = {"table": "1", "space": "topic", "direction": "i2t"}
    found = table[np.logical_and.reduce([table[k] == v for k, v in at.items()])]
    np.testing.assert_allclose(found["value"], expected.average_precision("full").mean())
    assert (found["value"] > 0.5).all()  # chance is a third


def test_nothing_of_the_evaluated_items_but_their_features_reaches_a_rival(
    context, pairs, settings
):
    split = load_split(pairs, settings)
    seen = []

    def predict(train, labels, test, rng):
        seen.append((labels.copy(), test[0].toarray(), test[1].toarray(), rng.random()))
        labels[:] = -1
        for X in (*train, *test):
            X.data[:] = 0.0  # what a method does to its input stays with it
        return [rng.random((X.shape[0], 2)) for X in train], [
            rng.random((X.shape[0], 2)) for X in test
        ]

    rivals.compare(context, "one", predict)
    for labels, texts, images, _ in seen:
        np.testing.assert_array_equal(labels, split.train_labels)
        np.testing.assert_array_equal(texts, split.test[0].toarray())
        whole = split.test[1].toarray()
        assert not np.array_equal(images, whole)  # the pairs are torn
        order = [np.lexsort(x.T) for x in (images, whole)]
        np.testing.assert_array_equal(images[order[0]], whole[order[1]])
    assert len({number for *_, number in seen}) == settings.runs

    # unlabelled rows: whatever their labels are, a rival is given the same
    first, seen[:] = list(seen), []
    test = pairs.rows["is_test"]
    pairs.labels[test] = np.roll(pairs.labels[test], 7)
    rivals.compare(context, "one", predict)
    for before, after in zip(first, seen, strict=True):
        for one, two in zip(before, after, strict=True):
            np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("wrong", ["few rows", "other columns", "one array", "not finite"])
def test_wrong_vectors_are_explained(context, wrong):
    def vectors(views):
        found = [np.ones((X.shape[0], 2)) for X in views]
        if wrong == "few rows":
            return [part[1:] for part in found]
        if wrong == "other columns":
            return [found[0], np.ones((len(found[1]), 3))]
        if wrong == "one array":
            return found[:1]
        return [found[0], np.full_like(found[1], np.nan)]

    with pytest.raises(ValueError, match=r"^bad, training pairs: predict gave"):
        rivals.compare(context, "bad", lambda train, y, test, rng: (vectors(train), vectors(test)))


def test_rows_of_a_rival_have_the_metric_of_the_table(rng):
    ranking = Ranking.of(rng.random((6, 6)), np.arange(6) % 2, np.arange(6) % 2)
    rows = table_rows({("topic", "i2t"): ranking}, "mine", "honest", role="modern")
    frame = pd.DataFrame([vars(row) for row in rows])
    assert set(frame["metric"]) == {METRIC}
    assert set(frame["role"]) == {"modern"}
    assert set(frame["reading"]) == {"honest"}
