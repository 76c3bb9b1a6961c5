"""Data sets of other shapes: topic trees, knowledge bases, coauthors, genes, Wikipedia."""

import itertools
import json

import numpy as np
import pytest
import scipy.sparse as sp
from toys import holds

from reproduction.data.builders import further, wikipedia


def test_papers_need_words_authors_and_a_class(raw, made):
    files = {
        "paper_terms": {"2": {"B": 0.5, "A": 1.5}, "10": {"B": 2.0}, "3": {"A": 1.0}},
        "term_dictionary": {"A": "alpha", "B": float("nan")},
        "paper_authors": {"2": ["X"], "10": ["Y", "X"], "4": ["X"]},
        "author_names": {"X": "Ada", "Y": "Bob"},
        "classification_papers": {"AI/Agents": [10], "AI": [2, 10], "DB": [3]},
    }
    for name, content in files.items():
        raw.file(f"{name}.json", json.dumps(content).encode())
    data = made(further.build_cora_tree, raw)
    names = {"content": ["alpha", "nan"], "authors": ["Ada", "Bob"]}
    holds(
        data, ids=["2", "10"], classes=["AI", "AI/Agents"], content=[[1.5, 0.5], [0, 2.0]],
        feature_names=names, authors=[[1, 0], [1, 1]],
        ontology={"root": (), "AI": ("root",), "AI/Agents": ("AI",)},
    )  # fmt: skip


def test_entities_without_a_label_stay(raw, made, rng):
    matrices = {
        "text": sp.random(5, 7, 0.4, format="csr", rng=rng),
        "relations": sp.random(5, 3, 0.4, format="csr", rng=rng),
    }
    for name, matrix in matrices.items():
        for part in ("data", "indices", "indptr", "shape"):
            np.save(raw.path / f"{name}_{part}.npy", getattr(matrix, part))
    np.save(raw.path / "label.npy", np.array([7, -1, 3, 7, -1], dtype=np.int16))
    np.save(raw.path / "node_0_001.npy", np.array([4, 5, 6, 8, 9], dtype=np.int32))
    data = made(further.build_nell_entities, raw)
    names = {"class_names": ["3", "7"], "labels": [1, -1, 0, 1, -1], "ids": list("45689")}
    holds(data, **names, **{name: matrix.toarray().tolist() for name, matrix in matrices.items()})


def test_coauthors_are_read_without_running_pickles(raw, made, rng):
    parts = {"node_attr": sp.csr_matrix(rng.integers(0, 3, (6, 4)).astype(np.float32)),
             "adj_matrix": sp.random(6, 6, 0.3, format="csr", rng=rng)}  # fmt: skip
    boxed = {name: np.empty((), dtype=object) for name in parts}
    for name, box in boxed.items():
        box[()] = parts[name]
    np.savez(raw.path / "coauthor_phy.npz", node_label=np.array([0, 1, 2, 0, 1, 2]), **boxed)
    words, links = (part.toarray().tolist() for part in parts.values())
    data = made(further.build_coauthor, raw, field="phy")
    holds(data, content=words, links=links, class_names=["0", "1", "2"])


def test_genes_are_joined_by_key(raw, made):
    one, two, three = "3/0/0", "1/2/0@3/0/0", "1/2/5"
    rows = {
        "seq.train": [f"1.5,w,{two} %  g2", f"?,c,{one} % g1"], "seq.test": [f"4.5,c,{three},g3"],
        "struc.train": [f"1,0,1,{one} % g1", f"0,0,0,{two} % g2"],
        "struc.valid": [f"1,1,1,{one} % g9"], "struc.test": [f"0,1,0,{three} % g3"],
        "hom.train": [f"1,{one} % g1"], "hom.valid": [f"0,{two} % g2"],
        "hom.test": [f"1,{three} % g3"],
    }  # fmt: skip
    kinds = {"seq": ["numeric", "{w,c}"], "struc": ["{0,1}"] * 3, "hom": ["{0,1}"]}
    for view, part in itertools.product(kinds, further.YEAST_PARTS):
        lines = [f"@ATTRIBUTE f{i} {kind}" for i, kind in enumerate(kinds[view])]
        lines += ["@ATTRIBUTE key key"] if (view, part) == ("seq", "test") else []
        content = "\n".join(["@RELATION x", *lines, "@DATA", *rows.get(f"{view}.{part}", [])])
        name = f"{view}_yeast_FUN.{part}.arff"
        raw.zip(f"{name}.zip", {name: content.encode()})
    data = made(further.build_yeast, raw)
    holds(
        data, ids=["g1", "g2", "g3"], labels_all=["3", "1/2@3", "1/2/5"],
        classes=["3", "1/2", "1/2/5"], is_test=[False, False, True],
        sequence=[[3.0, 1], [1.5, 0], [4.5, 1]], structure=[[1, 0, 1], [0, 0, 0], [0, 1, 0]],
        homology=[[1], [0], [1]],
    )  # fmt: skip
    assert data.ontology["1/2/5"] == ("1/2",)
    (raw.path / "hom_yeast_FUN.test.arff.zip").unlink()
    with pytest.raises(ValueError, match=r"no file hom_yeast_FUN\.test\.arff"):
        made(further.build_yeast, raw)


def test_both_parts_of_wikipedia_become_one(raw, made):
    """Four documents of one part, three of the other; rows 0 and 2 are in both."""
    raw.file("group.txt", b"0 1\n1 2\n2 2\n3 1\n")
    raw.file("tfidf.txt", b"0 0 0.5\n0 2 2.0\n1 1 3.0\n2 0 1.0\n")
    raw.file("graph.txt", b"0 1\n1 2\n2 0\n3 1\n1 1\n")
    feature = b"1 0 1\n1 0 0\n0 0 1\n"
    raw.zip("uai.zip", {"uai/uai.feature": feature, "uai/uai.label": b"0\n1\n2\n",
                        "uai/uai.edge": b"0 1\n1 0\n2 2\n1 2\n"})  # fmt: skip
    plain = made(wikipedia.build_wikipedia, raw)
    assert plain.n_rows == 4
    data = made(wikipedia.build_wikipedia, raw, documents="union")
    # rows: the other part's three, then documents 1 (own words) and 3 (no words)
    counted = [True, True, False, True, True]  # row 2 is counted once
    words = [[0.5, 0, 2.0], [1.0, 0, 0], [0, 0, 2.0], [0, 3.0, 0], [0, 0, 0]]
    holds(data, classes=["1", "2", "3", "2", "1"], counted=counted, content=words)
    pairs = [(0, 1), (1, 2), (0, 3), (1, 3), (3, 4)]
    links = np.zeros((5, 5))
    links[tuple(zip(*pairs, strict=True))] = 1
    assert data.feature_names["links"] == data.ids
    holds(data, links=(links + links.T).tolist())


def test_equal_word_sets_tell_nothing_apart():
    same = sp.csr_matrix(np.array([[1, 0], [1, 0], [0, 1]]))
    assert wikipedia.match_rows(same.astype(float), same) == ({2: 2}, [])
