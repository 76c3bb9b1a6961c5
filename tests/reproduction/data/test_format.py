import io
import zipfile

import numpy as np
import pytest
import scipy.sparse as sp

from reproduction.data.format import MultiViewData, ViewFormatError


def make(rng, **changes):
    n = 6
    parts = {
        "name": "toy",
        "views": {
            "words": sp.csr_matrix(rng.poisson(0.7, (n, 5)).astype(float)),
            "links": sp.csr_matrix((n, 3)),
        },
        "labels": np.array([0, 1, 0, -1, 1, 1]),
        "class_names": ["no", "ja"],
        "ids": [f"d{i}" for i in range(n)],
        "feature_names": {"words": list("abcdé")},
        "ontology": {"root": (), "no": ("root",), "ja": ("root", "no")},
        "rows": {"is_test": np.arange(n) > 3, "article": np.array(list("uvwxyz"))},
        "provenance": {"source": "test", "files": {"a": 1}},
    }
    parts.update(changes)
    return MultiViewData(**parts)


def test_what_is_saved_is_loaded_and_equal_data_give_equal_bytes(tmp_path, rng):
    data = make(rng)
    data.save(tmp_path / "a.npz")
    back = MultiViewData.load(tmp_path / "a.npz")
    assert list(back.views) == ["words", "links"]
    for name, view in data.views.items():
        np.testing.assert_array_equal(back.views[name].toarray(), view.toarray())
    np.testing.assert_array_equal(back.labels, data.labels)
    for name in ("ids", "class_names", "ontology", "feature_names", "provenance"):
        assert getattr(back, name) == getattr(data, name)
    np.testing.assert_array_equal(back.rows["article"], data.rows["article"])
    cells = data.views["words"].tocoo()
    order = rng.permutation(cells.nnz)
    shuffled = (cells.data[order], (cells.row[order], cells.col[order]))
    again = {"words": sp.coo_matrix(shuffled, shape=cells.shape), "links": data.views["links"]}
    make(rng, views=again).save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_subset_and_views(rng):
    data = make(rng)
    part = data.subset(data.labels == 1)
    assert part.ids == ["d1", "d4", "d5"]
    assert part.rows["is_test"].tolist() == [False, True, True]
    assert [X.shape[1] for X in data.Xs("links", "words")] == [3, 5]
    with pytest.raises(ViewFormatError, match="no view 'sound'; it has: words, links"):
        data.Xs("sound")


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"views": {}}, "no views"),
        ({"ids": ["a"] * 6}, "not unique"),
        ({"views": {"words": np.ones((5, 2))}, "feature_names": {}}, "has 5 rows, not 6"),
        ({"views": {"w": np.full((6, 1), np.nan)}, "feature_names": {}}, "NaN"),
        ({"labels": np.zeros(5)}, r"shape \(5,\)"),
        ({"labels": np.full(6, 2)}, "outside"),
        ({"feature_names": {"words": ["a"]}}, "do not fit"),
        ({"rows": {"x": np.ones(2)}}, "do not have 6 entries"),
        ({"ontology": {"no": (), "ja": ("up",)}}, "unknown parent 'up'"),
        ({"ontology": {"no": ()}}, "class 'ja' is not"),
        ({"ontology": {"no": ("ja",), "ja": ("no",)}}, "cycle"),
    ],
)
def test_every_rule_is_checked(rng, changes, text):
    with pytest.raises(ViewFormatError, match=text):
        make(rng, **changes)


def test_broken_files_are_explained(tmp_path, rng):
    data = make(rng)
    data.save(tmp_path / "a.npz")
    whole = (tmp_path / "a.npz").read_bytes()
    for values, text in (([{"a": 1}], "not a readable"), ([1], "was changed after it was built")):
        added = io.BytesIO()  # an object array is a pickle
        np.save(added, np.array(values), allow_pickle=True)
        (tmp_path / "a.npz").write_bytes(whole)
        with zipfile.ZipFile(tmp_path / "a.npz", "a") as archive:
            archive.writestr("rows/added.npy", added.getvalue())
        with pytest.raises(ViewFormatError, match=text):
            MultiViewData.load(tmp_path / "a.npz")
