import pickle

import numpy as np
import scipy.sparse as sp

from reproduction.data.builders import linqs
from reproduction.data.builders.planetoid import CLASS_SIZES, class_names

ALLX = np.array([[1, 0], [0, 2]], dtype=np.float32)
TX = np.array([[3, 0], [0, 4]], dtype=np.float32)
ONE_HOT = np.eye(3, dtype=np.int32)


def planetoid(raw, key, test_index):
    """Rows 0, 1 from allx; the two test rows at ``test_index``; the gap has no record."""
    parts = {
        "allx": sp.csr_matrix(ALLX),
        "ally": ONE_HOT[:2],
        "tx": sp.csr_matrix(TX),
        "ty": ONE_HOT[[2, 0]],
        "graph": {0: [1, 1], 1: [0], 2: [], 3: [4], 4: [3]},
    }
    for name, value in parts.items():
        raw.file(f"ind.{key}.{name}", pickle.dumps(value, protocol=2))
    raw.file(f"ind.{key}.test.index", "\n".join(map(str, test_index)).encode())


def test_rows_without_record_are_left_out(raw, made):
    planetoid(raw, "citeseer", [4, 2])
    data = made(linqs.build_content_cites, raw, key="citeseer")
    assert data.ids == ["0", "1", "2", "4"]
    assert data.labels.tolist() == [0, 1, 0, 2]
    assert np.array_equal(data.views["content"].toarray(), [[1, 0], [0, 2], [0, 4], [3, 0]])


def test_rows_without_record_are_zero_and_unlabelled_if_kept(raw, made):
    planetoid(raw, "citeseer", [4, 2])
    data = made(linqs.build_content_cites, raw, key="citeseer", keep_unrecorded=True)
    assert np.array_equal(data.views["content"].toarray(), [[1, 0], [0, 2], [0, 4], [0, 0], [3, 0]])
    assert data.labels.tolist() == [0, 1, 0, -1, 2]
    assert data.rows["recorded"].tolist() == [True, True, True, False, True]
    for view in ("cited", "cites", "links"):
        assert data.feature_names[view] == ["0", "1", "3", "4"]
        assert data.views[view].nnz == 4


def test_classes_are_recognised_by_their_sizes(raw, made, monkeypatch):
    planetoid(raw, "pubmed", [2, 3])
    plain = made(linqs.build_pubmed, raw, key="pubmed")
    assert plain.class_names == ["0", "1", "2"]
    monkeypatch.setitem(CLASS_SIZES, "pubmed", {"b": 2, "a": 1})
    assert class_names("pubmed", np.array([[0, 1], [1, 0], [0, 1]])) == ["a", "b"]
    assert class_names("pubmed", np.array([[0, 1], [1, 0]])) == ["0", "1"]
