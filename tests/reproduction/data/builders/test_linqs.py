"""Documents with words and links: content and cites files, PubMed's tables, Planetoid's pickles."""

import numpy as np
import pytest
import scipy.sparse as sp
from toys import holds

from reproduction.data.builders import linqs

CONTENT = b"d1\t1\t0\t0\tA\nd\xe92\t0\t0\t0\tB\nd3\t0\t1\t1\tA\n"
# "cited citing": d1 is cited by d3 (twice) and by d2; d3 cites itself; x is unknown.
CITES = b"d1 d3\nd1 d3\nd1\td\xe92\nd3 d3\nx d1\nd1 x\n"


def test_words_and_links_keep_used_columns_and_drop_unknown_ids(made):
    files = {"cora.tgz": {"cora/cora.content": CONTENT, "cora/cora.cites": CITES}}
    data = made(linqs.build_content_cites, files, key="cora")
    holds(
        data, ids=["d1", "dé2", "d3"], class_names=["A", "B"], labels=[0, 1, 0],
        content=[[1, 0, 0], [0, 0, 0], [0, 1, 1]],
        feature_names={"cited": ["dé2", "d3"], "cites": ["d1", "d3"], "links": data.ids},
        cited=[[1, 1], [0, 0], [0, 1]], cites=[[0, 0], [1, 0], [1, 1]],
        links=[[0, 1, 1], [1, 0, 0], [1, 0, 1]],
    )  # fmt: skip


def test_universities(made):
    members = {}
    for name in linqs.UNIVERSITIES:
        one, two = f"http://{name}/a", f"http://{name}/b"
        members[f"WebKB/{name}.content"] = f"{one}\t1\t0\tcourse\n{two}\t0\t1\tstaff\n"
        members[f"WebKB/{name}.cites"] = f"{one} {two}\n"
    data = made(linqs.build_webkb, {"webkb.tgz": members}, key="webkb")
    universities = np.repeat(linqs.UNIVERSITIES, 2).tolist()
    holds(data, classes=["course", "staff"] * 4, university=universities)
    assert data.views["cited"].nnz == 4
    data = made(linqs.build_university, {"webkb.tgz": members}, key="cornell")
    holds(data, class_names=["non-course", "course"], labels=[1, 0], page_class=["course", "staff"])


def test_pubmed_from_numbered_rows(made, rng):
    """The shortest decimals of the 32-bit values, rows in the order of the index."""
    values = rng.random((3, 4)).astype(np.float32)
    values[:, 1:][values[:, 1:] < 0.4] = 0  # no row is empty, as none of the release is
    cites = "7\tpaper:12\t|\tpaper:11\n8\tpaper:11\t|\tpaper:11\n"
    data = made(linqs.build_pubmed, {
        "ind.pubmed.allx": sp.csr_matrix(values[:2]), "ind.pubmed.tx": sp.csr_matrix(values[2:]),
        "ind.pubmed.test.index": "2\n",
        "pmid-planetoid-index.tsv": "pmid\tplanetoid_index\tlabel\n77\t2\t3\n12\t0\t1\n11\t1\t2\n",
        "Pubmed-Diabetes.DIRECTED.cites.tab": f"DIRECTED\tcites\nNO_FEATURES\n{cites}",
    })  # fmt: skip
    words = [[float(str(v)) for v in values[i]] for i in (2, 0, 1)]
    holds(
        data, ids=["77", "12", "11"], classes=["type 2", "experimental", "type 1"], content=words,
        cites=[[0], [1], [1]], cited=[[0, 0], [0, 0], [1, 1]],
    )  # fmt: skip
    assert data.feature_names["content"] == ["w-000", "w-001", "w-002", "w-003"]


def planetoid(key, test_index):
    """Rows 0, 1 from allx; the two test rows at ``test_index``; the gap has no record."""
    onehot = np.eye(3, dtype=np.int32)
    parts = {
        "allx": sp.csr_matrix(np.array([[1, 0], [0, 2]], dtype=np.float32)),
        "tx": sp.csr_matrix(np.array([[3, 0], [0, 4]], dtype=np.float32)),
        "y": onehot[:1], "ally": onehot[:2], "ty": onehot[[2, 0]],
        "graph": {0: [1, 1], 1: [0], 2: [], 3: [4], 4: [3]}, "test.index": test_index,
    }  # fmt: skip
    return {f"ind.{key}.{name}": value for name, value in parts.items()}


def test_rows_without_record_are_left_out_or_zero_and_unlabelled(made, monkeypatch):
    files = planetoid("toy", "4\n2")
    data = made(linqs.build_content_cites, files)
    words = [[1, 0], [0, 2], [0, 4], [3, 0]]
    holds(data, ids=["0", "1", "2", "4"], labels=[0, 1, 0, 2], content=words)
    data = made(lambda files, key: linqs.build_planetoid(files, key, keep_unrecorded=True), files)
    holds(
        data, content=[[1, 0], [0, 2], [0, 4], [0, 0], [3, 0]], labels=[0, 1, 0, -1, 2],
        recorded=[True, True, True, False, True],
    )  # fmt: skip
    for view in ("cited", "cites", "links"):
        assert data.feature_names[view] == ["0", "1", "3", "4"]
        assert data.views[view].nnz == 4
    monkeypatch.setattr(linqs, "VALIDATION_SIZE", 1)
    data = made(linqs.build_split, files, key="toy_planetoid")
    assert data.rows["split"].tolist() == [1, 2, 3, 0, 3]


def test_planetoids_classes_get_their_names(made):
    data = made(linqs.build_pubmed, planetoid("pubmed", "2\n3"), key="pubmed")
    holds(data, classes=["experimental", "type 2", "type 1", "experimental"])
    with pytest.raises(ValueError, match=r"no file cora\.content"):
        made(linqs.build_content_cites, {}, key="cora")
