"""Sets with a hierarchy of classes: newsgroups by name, Amazon reviews by category path."""

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from manyviews.preprocessing.text import bag_of_words
from manyviews.seeding import generator
from manyviews.validation import check_positive_int
from reproduction.data.builders.newsgroups import read_messages
from reproduction.data.builders.raw import Parts, RawFiles, coded

ROOT = "root"


def ontology_of(paths: Sequence[Sequence[str]], separator: str) -> dict[str, tuple[str, ...]]:
    """Return node -> parents for all nodes from the ``root`` on.

    Nodes are named by their whole path: equal names under different parents stay apart.
    """
    ontology: dict[str, tuple[str, ...]] = {ROOT: ()}
    nodes = {tuple(path[:depth]) for path in paths for depth in range(1, len(path) + 1)}
    for node in sorted(nodes):
        parent = separator.join(node[:-1]) if len(node) > 1 else ROOT
        ontology[separator.join(node)] = (parent,)
    return ontology


def build_newsgroups_tree(files: RawFiles, *, per_leaf: int | None = None, **_: Any) -> Parts:
    """Build 20 Newsgroups as a tree: seven top-level names, twenty groups.

    Views are counts of letter words: ``subject`` (the subject line, without "Re:"; words in at
    least 2 subjects) and ``body`` (everything after the headers; words in at least 5 bodies).
    Option ``per_leaf`` draws that many messages of each group (None: all).
    """
    messages = read_messages(files)
    drawn = []
    for group, pool in messages.items():
        if per_leaf is not None:
            size = check_positive_int("per_leaf", per_leaf)
            order = generator("datasets", "newsgroups_tree", group).permutation(len(pool))[:size]
            pool = [pool[i] for i in np.sort(order)]
        drawn += [(group, message) for message in pool]
    views, feature_names = {}, {}
    for view, min_df in (("subject", 2), ("body", 5)):
        texts = [getattr(message, view) for _, message in drawn]
        views[view], feature_names[view] = bag_of_words(texts, pattern="letters", min_df=min_df)
    return {
        "views": views,
        **coded([group for group, _ in drawn], sorted(messages)),
        "ids": [message.name for _, message in drawn],
        "feature_names": feature_names,
        "ontology": ontology_of([group.split(".", 1) for group in messages], "."),
    }


def build_amazon_tree(files: RawFiles, *, min_leaf: int = 10, min_df: int = 2, **_: Any) -> Parts:
    """Build the Amazon reviews: ``title`` and ``text`` word counts, three levels of categories.

    One row per title (the first in the file): reviews of one product share title and path, and
    would sit on both sides of any split. Leaves with fewer than ``min_leaf`` (10) such rows are
    left out with their rows. Words in at least ``min_df`` (2) rows. Nodes are named by their path.
    """
    table = pd.read_csv(io.BytesIO(files.read("test.csv")), dtype=str, keep_default_na=False)
    table = table[~table["Title"].str.lower().str.split().str.join(" ").duplicated()]
    path = table["Cat1"] + "/" + table["Cat2"] + "/" + table["Cat3"]
    kept = path.groupby(path).transform("size") >= min_leaf
    table, path = table[kept], path[kept]
    views, feature_names = {}, {}
    for view, column in (("title", "Title"), ("text", "Text")):
        views[view], feature_names[view] = bag_of_words(list(table[column]), min_df=int(min_df))
    paths = sorted(name.split("/") for name in set(path))
    return {
        "views": views,
        **coded(list(path), ["/".join(parts) for parts in paths]),
        "ids": [str(number) for number in table.index],
        "feature_names": feature_names,
        "ontology": ontology_of(paths, "/"),
    }
