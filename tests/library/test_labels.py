import numpy as np
import pytest
from problems import partly

from manyviews.base import labelled_accuracy
from manyviews.labels import partial_labels


@pytest.mark.parametrize(
    "names",
    [
        np.array(["cat", "dog", "emu"]),
        np.array([1, 2, 3]),
        np.array([0.5, 1.0, 7.25]),
        np.array([-5, 10**12, 10**15]),
        np.array([b"x", b"y", b"z"]),
        np.array(["cat", "dog", "emu"], dtype=object),
        np.array([3, 4, 5], dtype=object),
        np.array([False, True]),
    ],
    ids=str,
)
@pytest.mark.parametrize("marker", [None, np.nan, -1])
def test_any_labels_and_any_marker_of_unlabelled_rows(names, marker, rng):
    codes = partly(rng, rng.permutation(np.arange(30) % len(names)))
    if marker == -1 and names.dtype.kind not in "if":
        marker = None  # -1 marks unlabelled rows among numbers only
    y = names[codes] if marker == -1 else names[codes].astype(object)
    y[codes < 0] = marker
    for given in (y, list(y)):
        found = partial_labels(given, 30)
        np.testing.assert_array_equal(found.codes, codes)
        np.testing.assert_array_equal(found.known, codes >= 0)
        plain = names.astype(str) if names.dtype.kind == "S" else names
        assert found.classes.tolist() == plain.tolist()


def test_labels_of_data_frames():
    pandas = pytest.importorskip("pandas", reason="data frames need pandas")
    series = pandas.Series(["b", pandas.NA, "a"], index=[5, 6, 7])
    numbers = pandas.array([4, None, 2], dtype="Int64")
    for given in (series, series.astype("category"), numbers):
        assert partial_labels(given, 3).codes.tolist() == [1, -1, 0]


@pytest.mark.parametrize(
    ("y", "n_classes", "text"),
    [
        ([0, 1], None, "one label per row"),
        ([[0], [1], [0]], None, "one label per row"),
        ([-1, -1, -1], None, "no labelled row"),
        ([None, None, None], None, "no labelled row"),
        ([1, 1, -1], None, "one class alone, 1"),
        (["a", "a", None], None, "one class alone, a"),
        ([0, np.inf, 1], None, "infinity in row 1"),
        (np.array(["a", 1, None], dtype=object), None, "mixes name and number labels"),
        (np.array([1j, 2, 3]), None, "numbers or names"),
        (np.array(["2020-01-01"] * 3, dtype="M8[D]"), None, "numbers or names"),
        (np.array([(), (1,), None], dtype=object), None, "numbers or names, got tuple"),
        ([0, 1, -1], 3, "3 classes were announced, but y has rows of 2 class"),
        ([0, 1, -1], 1, "1 classes were announced, but y has rows of 2"),
    ],
)
def test_bad_labels_are_explained(y, n_classes, text):
    with pytest.raises(ValueError, match=text):
        partial_labels(y, 3, n_classes=n_classes)


def test_only_labelled_rows_are_scored():
    assert labelled_accuracy(["a", None, "b"], np.array(["a", "b", "a"])) == 0.5
    assert labelled_accuracy([1, -1, 2], np.array([1, 1, 2])) == 1.0
    assert labelled_accuracy([1, -1, 1], np.array([1, -1, -1])) == pytest.approx(2 / 3)
    assert labelled_accuracy([1, 2, np.nan], np.array([1, 1, 2]), [3, 1, 9]) == 0.75
    with pytest.raises(ValueError, match="nothing to score"):
        labelled_accuracy([None, None], np.array([0, 1]))
