import numpy as np

from reproduction.data.builders import trees


def newsgroups(raw, size=4):
    members = {}
    for group in ("alt.atheism", "comp.graphics", "comp.windows.x"):
        for i in range(size):
            text = f"From: a\nSubject: Re: {group} topic\n\nbody text of {group}\n"
            members[f"20news-bydate-train/{group}/{i}"] = text.encode()
    raw.tar("20news-bydate.tar.gz", members)


def test_groups_become_a_two_level_tree(raw, made):
    newsgroups(raw)
    data = made(trees.build_newsgroups_tree, raw, key="newsgroups_tree")
    assert data.class_names == ["alt.atheism", "comp.graphics", "comp.windows.x"]
    assert data.ontology == {
        "root": (), "alt": ("root",), "comp": ("root",), "alt.atheism": ("alt",),
        "comp.graphics": ("comp",), "comp.windows.x": ("comp",),
    }  # fmt: skip
    assert data.feature_names["subject"] == [
        "alt", "atheism", "comp", "graphics", "topic", "windows",
    ]  # fmt: skip
    # "topic" is in every subject and in no body; "graphics" is in too few bodies.
    assert data.feature_names["body"] == ["body", "comp", "of", "text"]


def test_subsample_is_drawn_per_group(raw, made):
    newsgroups(raw)
    build = lambda: made(trees.build_newsgroups_tree, raw, key="t", per_leaf=2)  # noqa: E731
    data = build()
    assert np.bincount(data.labels).tolist() == [2, 2, 2]
    assert build().ids == data.ids


def amazon(raw):
    rows = ["Title,Text,Cat1,Cat2,Cat3,flat_cat"]
    for i in range(3):
        rows.append(f'"Toy car {i}, red","nice toy, NA",toys,cars,other,x')
        rows.append(f"Cat food {i},my cat,pets,food,other,x")
    rows.append("cat  FOOD 0,another review,pets,food,other,x")
    rows.append("Bird seed,seed,pets,birds,seed,x")
    raw.file("test.csv.gz", "\n".join(rows).encode())


def test_amazon_keeps_one_row_per_title_and_full_leaves(raw, made):
    amazon(raw)
    data = made(trees.build_amazon_tree, raw, key="amazon_tree", min_leaf=2)
    assert data.n_rows == 6
    assert data.class_names == ["pets/food/other", "toys/cars/other"]
    assert data.ontology == {
        "root": (), "pets": ("root",), "pets/food": ("pets",), "pets/food/other": ("pets/food",),
        "toys": ("root",), "toys/cars": ("toys",), "toys/cars/other": ("toys/cars",),
    }  # fmt: skip
    assert data.feature_names["title"] == ["car", "cat", "food", "red", "toy"]
    assert "na" in data.feature_names["text"]
