import numpy as np
import pytest

from manyviews.base import labelled_accuracy
from manyviews.labels import partial_labels


@pytest.mark.parametrize(
    "names",
    [
        np.array(["cat", "dog", "emu"]),
        np.array([1, 2, 3]),
        np.array([0, 1, 2]),
        np.array([0.5, 1.0, 7.25]),
        np.array([-5, 10**12, 10**15]),
        np.array([b"x", b"y", b"z"]),
        np.array(["cat", "dog", "emu"], dtype=object),
        np.array([3, 4, 5], dtype=object),
    ],
    ids=str,
)
@pytest.mark.parametrize("marker", [None, np.nan, -1])
def test_any_labels_and_any_marker_of_unlabelled_rows(names, marker, rng):
    codes = rng.permutation(np.arange(30) % 3)
    hidden = rng.random(30) < 0.5
    hidden[[np.flatnonzero(codes == c)[0] for c in range(3)]] = False
    if marker == -1 and names.dtype.kind not in "if":
        marker = None  # -1 marks unlabelled rows among numbers only
    y = names[codes]
    if marker == -1:
        y = np.where(hidden, -1, y)
    else:
        y = y.astype(object)
        y[hidden] = marker
    for given in (y, list(y)):
        found = partial_labels(given, 30)
        np.testing.assert_array_equal(found.codes, np.where(hidden, -1, codes))
        np.testing.assert_array_equal(found.known, ~hidden)
        plain = names.astype(str) if names.dtype.kind == "S" else names
        assert found.classes.tolist() == np.sort(plain).tolist()


def test_two_truths_are_two_classes():
    found = partial_labels([True, False, None], 3)
    assert found.codes.tolist() == [1, 0, -1]
    assert found.classes.tolist() == [False, True]


def test_labels_of_data_frames():
    pandas = pytest.importorskip("pandas", reason="data frames need pandas")
    series = pandas.Series(["b", pandas.NA, "a"], index=[5, 6, 7])
    assert partial_labels(series, 3).codes.tolist() == [1, -1, 0]
    assert partial_labels(series.astype("category"), 3).codes.tolist() == [1, -1, 0]
    numbers = pandas.array([4, None, 2], dtype="Int64")
    assert partial_labels(numbers, 3).codes.tolist() == [1, -1, 0]


@pytest.mark.parametrize(
    ("y", "text"),
    [
        ([0, 1], "one label per row"),
        ([[0], [1], [0]], "one label per row"),
        ([-1, -1, -1], "no labelled row"),
        ([None, None, None], "no labelled row"),
        ([np.nan, np.nan, np.nan], "no labelled row"),
        ([1, 1, -1], "one class alone, 1"),
        (["a", "a", None], "one class alone, a"),
        ([0, np.inf, 1], "infinity in row 1"),
        (np.array(["a", 1, None], dtype=object), "mixes name and number labels"),
        (np.array([1j, 2, 3]), "numbers or names"),
        (np.array(["2020-01-01"] * 3, dtype="M8[D]"), "numbers or names"),
        (np.array([(), (1,), None], dtype=object), "numbers or names, got tuple"),
    ],
)
def test_bad_labels_are_explained(y, text):
    with pytest.raises(ValueError, match=text):
        partial_labels(y, 3)


def test_announced_classes():
    with pytest.raises(ValueError, match="3 classes were announced, but y has rows of 2 class"):
        partial_labels([0, 1, -1], 3, n_classes=3)
    with pytest.raises(ValueError, match="1 classes were announced, but y has rows of 2"):
        partial_labels([0, 1, -1], 3, n_classes=1)


def test_only_labelled_rows_are_scored():
    assert labelled_accuracy(["a", None, "b"], np.array(["a", "b", "a"])) == 0.5
    assert labelled_accuracy([1, -1, 2], np.array([1, 1, 2])) == 1.0
    assert labelled_accuracy([1, -1, 1], np.array([1, -1, -1])) == pytest.approx(2 / 3)
    assert labelled_accuracy([1, 2, np.nan], np.array([1, 1, 2]), [3, 1, 9]) == 0.75
    with pytest.raises(ValueError, match="nothing to score"):
        labelled_accuracy([None, None], np.array([0, 1]))
