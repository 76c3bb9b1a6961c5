import pickle

import numpy as np
import pytest
import scipy.sparse as sp

from reproduction.data.builders import linqs

CONTENT = b"d1\t1\t0\t0\tA\nd\xe92\t0\t0\t0\tB\nd3\t0\t1\t1\tA\n"
# "cited citing": d1 is cited by d3 (twice) and by d2; d3 cites itself; x is unknown.
CITES = b"d1 d3\nd1 d3\nd1\td\xe92\nd3 d3\nx d1\nd1 x\n"


def build(raw, made, **options):
    raw.tar("cora.tgz", {"cora/cora.content": CONTENT, "cora/cora.cites": CITES})
    return made(linqs.build_content_cites, raw, key="cora", **options)


def test_words_labels_and_latin1_ids(raw, made):
    data = build(raw, made)
    assert data.ids == ["d1", "dé2", "d3"]
    assert data.class_names == ["A", "B"]
    assert data.labels.tolist() == [0, 1, 0]
    assert np.array_equal(data.views["content"].toarray(), [[1, 0, 0], [0, 0, 0], [0, 1, 1]])


def test_link_views_keep_used_columns_and_drop_unknown_ids(raw, made):
    data = build(raw, made)
    assert data.feature_names["cited"] == ["dé2", "d3"]
    assert np.array_equal(data.views["cited"].toarray(), [[1, 1], [0, 0], [0, 1]])
    assert data.feature_names["cites"] == ["d1", "d3"]
    assert np.array_equal(data.views["cites"].toarray(), [[0, 0], [1, 0], [1, 1]])
    assert data.feature_names["links"] == ["d1", "dé2", "d3"]
    assert np.array_equal(data.views["links"].toarray(), [[0, 1, 1], [1, 0, 0], [1, 0, 1]])


def test_options_for_self_links_and_unknown_ids(raw, made):
    data = build(raw, made, self_links=False, unknown_ids=True)
    assert data.feature_names["cited"] == ["dé2", "d3", "x"]
    assert np.array_equal(data.views["cited"].toarray(), [[1, 1, 1], [0, 0, 0], [0, 0, 0]])
    assert data.feature_names["cites"] == ["d1", "x"]


def test_damaged_lines_are_named():
    with pytest.raises(ValueError, match="content line 2 has 1 values, the lines above 2"):
        linqs.parse_content(b"a\t0\t1\tX\nb\t0\tX\n")
    with pytest.raises(ValueError, match="no documents"):
        linqs.parse_content(b"\n")
    with pytest.raises(ValueError, match="link line 1 has 3 fields"):
        linqs.parse_cites(b"a b c\n")


def universities():
    members = {}
    for university in linqs.UNIVERSITIES:
        one, two = f"http://{university}/a", f"http://{university}/b"
        members[f"WebKB/{university}.content"] = (
            f"{one}\t1\t0\tcourse\n{two}\t0\t1\tstaff\n".encode()
        )
        members[f"WebKB/{university}.cites"] = f"{one} {two}\n".encode()
    return members


def test_webkb_stacks_the_universities(raw, made):
    raw.tar("webkb.tgz", universities())
    data = made(linqs.build_webkb, raw, key="webkb")
    assert data.n_rows == 8
    assert data.class_names == ["course", "staff"]
    assert data.rows["university"].tolist() == list(np.repeat(linqs.UNIVERSITIES, 2))
    assert data.views["cited"].nnz == 4


def test_university_is_course_against_the_rest(raw, made):
    raw.tar("webkb.tgz", universities())
    data = made(linqs.build_university, raw, key="cornell")
    assert data.class_names == ["non-course", "course"]
    assert data.labels.tolist() == [1, 0]
    assert data.rows["page_class"].tolist() == ["course", "staff"]


def test_pubmed_tables(raw, made):
    node = (
        "NODE\tpaper\ncat=1,2,3:label\tnumeric:w-rat:0.0\tnumeric:w-eye:0.0\tstring:summary\n"
        "11\tlabel=2\tw-eye=0.25\tsummary=w-eye\n12\tlabel=1\tsummary=\n"
    )
    links = "DIRECTED\tcites\nNO_FEATURES\n7\tpaper:12\t|\tpaper:11\n8\tpaper:11\t|\tpaper:11\n"
    raw.tar(
        "pubmed.tgz",
        {
            "P/data/Pubmed-Diabetes.NODE.paper.tab": node.encode(),
            "P/data/Pubmed-Diabetes.DIRECTED.cites.tab": links.encode(),
        },
    )
    data = made(linqs.build_pubmed, raw, key="pubmed")
    assert [data.class_names[label] for label in data.labels] == ["type 1", "experimental"]
    assert data.feature_names["content"] == ["w-rat", "w-eye"]
    assert np.array_equal(data.views["content"].toarray(), [[0, 0.25], [0, 0]])
    assert np.array_equal(data.views["cites"].toarray(), [[1], [1]])
    assert np.array_equal(data.views["cited"].toarray(), [[1, 1], [0, 0]])


def test_pubmed_from_numbered_rows(raw, made, rng):
    """The shortest decimals of the 32-bit values, rows in the order of the index."""
    values = rng.random((3, 4)).astype(np.float32)
    values[values < 0.4] = 0
    raw.file("ind.pubmed.allx", pickle.dumps(sp.csr_matrix(values[:2]), protocol=2))
    raw.file("ind.pubmed.tx", pickle.dumps(sp.csr_matrix(values[2:]), protocol=2))
    raw.file("ind.pubmed.test.index", b"2\n")
    index = b"pmid\tplanetoid_index\tlabel\n77\t2\t3\n12\t0\t1\n5\t1\t2\n"
    raw.file("pmid-planetoid-index.tsv", index)
    links = "DIRECTED\tcites\nNO_FEATURES\n7\tpaper:12\t|\tpaper:77\n"
    raw.file("Pubmed-Diabetes.DIRECTED.cites.tab", links.encode())
    data = made(linqs.build_pubmed, raw, key="pubmed")
    assert data.ids == ["77", "12", "5"]
    assert [data.class_names[label] for label in data.labels] == [
        "type 2",
        "experimental",
        "type 1",
    ]
    expected = [[float(str(v)) for v in values[i]] for i in (2, 0, 1)]
    assert data.views["content"].toarray().tolist() == expected
    assert data.feature_names["content"] == ["w-000", "w-001", "w-002", "w-003"]
