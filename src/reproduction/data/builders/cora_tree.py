"""Cora with its whole topic tree: words and authors of scientific papers."""

import json
from typing import Any

import numpy as np
import scipy.sparse as sp

from reproduction.data.builders.raw import Parts, RawFiles, coded
from reproduction.data.builders.trees import ontology_of


def build_cora_tree(files: RawFiles, **_: Any) -> Parts:
    """Build the papers that have words, authors and a class, in the order of their numbers.

    Views: ``content`` (released tf-idf of words), ``authors`` (0/1). A class is a path in the tree
    of topics; nodes are named by their whole path.
    """
    names = ("paper_terms", "term_dictionary", "classification_papers", "paper_authors",
             "author_names")  # fmt: skip
    words, dictionary, classes, authors, people = (
        json.loads(files.read(f"{name}.json")) for name in names
    )
    class_of: dict[str, str] = {}
    for path in sorted(classes, key=lambda path: path.count("/")):  # a node lists all below it
        class_of |= {str(paper): path for paper in classes[path]}
    papers = sorted((p for p in words if p in authors and p in class_of), key=int)
    content, terms = _matrix([words[paper] for paper in papers])
    written, writers = _matrix([dict.fromkeys(authors[paper], 1.0) for paper in papers])
    found = coded([class_of[paper] for paper in papers])
    return {
        "views": {"content": content, "authors": written},
        **found,
        "ids": papers,
        "feature_names": {
            "content": [str(dictionary[term]) for term in terms],
            "authors": [str(people[writer]) for writer in writers],
        },
        "ontology": ontology_of([path.split("/") for path in found["class_names"]], "/"),
    }


def _matrix(rows: list[dict[str, float]]) -> tuple[sp.csr_matrix, list[str]]:
    """Return a matrix of the given values, and its columns: every key that occurs, sorted."""
    columns = sorted({key for row in rows for key in row})
    place = {key: j for j, key in enumerate(columns)}
    indptr = np.cumsum([0, *(len(row) for row in rows)])
    indices = [place[key] for row in rows for key in row]
    data = [float(value) for row in rows for value in row.values()]
    return sp.csr_matrix((data, indices, indptr), shape=(len(rows), len(columns))), columns
