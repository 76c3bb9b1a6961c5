import numpy as np
from toys import holds

from reproduction.data.builders import trees

GROUPS = ["alt.atheism", "comp.graphics", "comp.windows.x"]


def test_groups_become_a_two_level_tree_and_are_drawn_alike(made):
    members = {
        f"20news-bydate-train/{group}/{i}":
        f"From: a\nSubject: Re: {group} topic\n\nbody text of {group}\n"
        for group in GROUPS for i in range(4)
    }  # fmt: skip
    files = {"20news-bydate.tar.gz": members}
    tree = {"root": (), "alt": ("root",), "comp": ("root",)}
    holds(
        made(trees.build_newsgroups_tree, files),
        class_names=GROUPS,
        ontology=tree | {group: (group.split(".")[0],) for group in GROUPS},
        # "topic" is in every subject and in no body; "graphics" is in too few bodies.
        feature_names={"subject": ["alt", "atheism", "comp", "graphics", "topic", "windows"],
                       "body": ["body", "comp", "of", "text"]},
    )  # fmt: skip
    first, again = (made(trees.build_newsgroups_tree, files, per_leaf=2) for _ in range(2))
    assert np.bincount(first.labels).tolist() == [2, 2, 2]
    assert again.ids == first.ids


def test_amazon_keeps_one_row_per_title_and_full_leaves(made):
    rows = ["Title,Text,Cat1,Cat2,Cat3,flat_cat"]
    for i in range(3):
        rows.append(f'"Toy car {i}, red","nice toy, NA",toys,cars,other,x')
        rows.append(f"Cat food {i},my cat,pets,food,other,x")
    rows.append("cat  FOOD 0,another review,pets,food,other,x")
    rows.append("Bird seed,seed,pets,birds,seed,x")
    data = made(trees.build_amazon_tree, {"test.csv.gz": "\n".join(rows)}, min_leaf=2)
    holds(
        data, n_rows=6, class_names=["pets/food/other", "toys/cars/other"],
        classes=["toys/cars/other", "pets/food/other"] * 3,
        ontology={"root": (), "pets": ("root",), "pets/food": ("pets",),
                  "pets/food/other": ("pets/food",), "toys": ("root",), "toys/cars": ("toys",),
                  "toys/cars/other": ("toys/cars",)},
        feature_names={"title": ["car", "cat", "food", "red", "toy"],
                       "text": ["cat", "my", "na", "nice", "toy"]},
    )  # fmt: skip
