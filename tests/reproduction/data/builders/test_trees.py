import json

import numpy as np
import scipy.sparse as sp
from toys import holds

from reproduction.data.builders import trees


def newsgroups(raw, size=4):
    members = {}
    for group in ("alt.atheism", "comp.graphics", "comp.windows.x"):
        for i in range(size):
            text = f"From: a\nSubject: Re: {group} topic\n\nbody text of {group}\n"
            members[f"20news-bydate-train/{group}/{i}"] = text.encode()
    raw.tar("20news-bydate.tar.gz", members)


def test_groups_become_a_two_level_tree_and_are_drawn_alike(raw, made):
    newsgroups(raw)
    groups = ["alt.atheism", "comp.graphics", "comp.windows.x"]
    tree = {"root": (), "alt": ("root",), "comp": ("root",)}
    holds(
        made(trees.build_newsgroups_tree, raw),
        class_names=groups,
        ontology=tree | {group: (group.split(".")[0],) for group in groups},
        # "topic" is in every subject and in no body; "graphics" is in too few bodies.
        feature_names={"subject": ["alt", "atheism", "comp", "graphics", "topic", "windows"],
                       "body": ["body", "comp", "of", "text"]},
    )  # fmt: skip
    first, again = (made(trees.build_newsgroups_tree, raw, per_leaf=2) for _ in range(2))
    assert np.bincount(first.labels).tolist() == [2, 2, 2]
    assert again.ids == first.ids


def test_amazon_keeps_one_row_per_title_and_full_leaves(raw, made):
    rows = ["Title,Text,Cat1,Cat2,Cat3,flat_cat"]
    for i in range(3):
        rows.append(f'"Toy car {i}, red","nice toy, NA",toys,cars,other,x')
        rows.append(f"Cat food {i},my cat,pets,food,other,x")
    rows.append("cat  FOOD 0,another review,pets,food,other,x")
    rows.append("Bird seed,seed,pets,birds,seed,x")
    raw.file("test.csv.gz", "\n".join(rows).encode())
    data = made(trees.build_amazon_tree, raw, min_leaf=2)
    holds(
        data, n_rows=6, class_names=["pets/food/other", "toys/cars/other"],
        classes=["toys/cars/other", "pets/food/other"] * 3,
        ontology={"root": (), "pets": ("root",), "pets/food": ("pets",),
                  "pets/food/other": ("pets/food",), "toys": ("root",), "toys/cars": ("toys",),
                  "toys/cars/other": ("toys/cars",)},
        feature_names={"title": ["car", "cat", "food", "red", "toy"],
                       "text": ["cat", "my", "na", "nice", "toy"]},
    )  # fmt: skip


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
    data = made(trees.build_cora_tree, raw)
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
    data = made(trees.build_nell_entities, raw)
    names = {"class_names": ["3", "7"], "labels": [1, -1, 0, 1, -1], "ids": list("45689")}
    holds(data, **names, **{name: matrix.toarray().tolist() for name, matrix in matrices.items()})
