"""Data sets of other shapes: topic trees, knowledge bases, coauthors, genes, Wikipedia."""

import numpy as np
import scipy.sparse as sp
from toys import holds

from reproduction.data.builders import further, wikipedia


def test_papers_need_words_authors_and_a_class(made):
    data = made(further.build_cora_tree, {
        "paper_terms.json": {"2": {"B": 0.5, "A": 1.5}, "10": {"B": 2.0}, "3": {"A": 1.0}},
        "term_dictionary.json": {"A": "alpha", "B": float("nan")},
        "paper_authors.json": {"2": ["X"], "10": ["Y", "X"], "4": ["X"]},
        "author_names.json": {"X": "Ada", "Y": "Bob"},
        "classification_papers.json": {"AI/Agents": [10], "AI": [2, 10], "DB": [3]},
    })  # fmt: skip
    holds(
        data, ids=["2", "10"], classes=["AI", "AI/Agents"], content=[[1.5, 0.5], [0, 2.0]],
        feature_names={"content": ["alpha", "nan"], "authors": ["Ada", "Bob"]},
        authors=[[1, 0], [1, 1]], ontology={"root": (), "AI": ("root",), "AI/Agents": ("AI",)},
    )  # fmt: skip


def test_entities_without_a_label_stay(made, rng):
    matrices = {
        name: sp.random(5, size, 0.4, format="csr", rng=rng)
        for name, size in (("text", 7), ("relations", 3))
    }
    files = {
        f"{name}_{part}.npy": getattr(matrix, part)
        for name, matrix in matrices.items() for part in ("data", "indices", "indptr", "shape")
    }  # fmt: skip
    files |= {"label.npy": [7, -1, 3, 7, -1], "node_0_001.npy": [4, 5, 6, 8, 9]}
    data = made(further.build_nell_entities, files)
    names = {"class_names": ["3", "7"], "labels": [1, -1, 0, 1, -1], "ids": list("45689")}
    holds(data, **names, **{name: matrix.toarray().tolist() for name, matrix in matrices.items()})


def test_coauthors_are_read_without_running_pickles(made, rng):
    parts = {"node_attr": sp.csr_matrix(rng.integers(0, 3, (6, 4)).astype(np.float32)),
             "adj_matrix": sp.random(6, 6, 0.3, format="csr", rng=rng)}  # fmt: skip
    boxed = {name: np.empty((), dtype=object) for name in parts}
    for name, box in boxed.items():
        box[()] = parts[name]
    arrays = {**boxed, "node_label": np.array([0, 1, 2, 0, 1, 2])}
    words, links = (part.toarray().tolist() for part in parts.values())
    data = made(further.build_coauthor, {"coauthor_phy.npz": arrays}, field="phy")
    holds(data, content=words, links=links, class_names=["0", "1", "2"])


def test_both_parts_of_wikipedia_become_one(made):
    """Four documents of one part, three of the other; rows 0 and 2 are in both."""
    files = {
        "group.txt": "0 1\n1 2\n2 2\n3 1\n", "graph.txt": "0 1\n1 2\n2 0\n3 1\n1 1\n",
        "tfidf.txt": "0 0 0.5\n0 2 2.0\n1 1 3.0\n2 0 1.0\n",
        "uai.zip": {"uai/uai.feature": "1 0 1\n1 0 0\n0 0 1\n", "uai/uai.label": "0\n1\n2\n",
                    "uai/uai.edge": "0 1\n1 0\n2 2\n1 2\n"},
    }  # fmt: skip
    assert made(wikipedia.build_wikipedia, files).n_rows == 4
    data = made(wikipedia.build_wikipedia, files, documents="union")
    # rows: the other part's three, then documents 1 (own words) and 3 (no words)
    counted = [True, True, False, True, True]  # row 2 is counted once
    words = [[0.5, 0, 2.0], [1.0, 0, 0], [0, 0, 2.0], [0, 3.0, 0], [0, 0, 0]]
    links = np.zeros((5, 5))
    links[[0, 1, 0, 1, 3], [1, 2, 3, 3, 4]] = 1
    assert data.feature_names["links"] == data.ids
    holds(data, classes=["1", "2", "3", "2", "1"], counted=counted, content=words,
          links=(links + links.T).tolist())  # fmt: skip


def test_equal_word_sets_tell_nothing_apart():
    same = sp.csr_matrix(np.array([[1, 0], [1, 0], [0, 1]]))
    assert wikipedia.match_rows(same.astype(float), same) == ({2: 2}, [])
