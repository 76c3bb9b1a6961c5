"""Further data sets, each of a shape of its own: topics, entities, coauthors, tumours."""

import io
import json
import lzma
import zipfile
from typing import Any

import numpy as np
import scipy.sparse as sp

from reproduction.data.builders.raw import Parts, RawFiles, coded, matrix_of
from reproduction.data.builders.trees import ontology_of
from reproduction.data.pickles import load_npy

OMICS = ("mrna", "mirna", "protein")


def build_cora_tree(files: RawFiles, **_: Any) -> Parts:
    """Build Cora with its whole topic tree: the papers that have words, authors and a class.

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
    contents = [words[paper] for paper in papers]
    written = [dict.fromkeys(authors[paper], 1.0) for paper in papers]
    terms, writers = (sorted({key for row in rows for key in row}) for rows in (contents, written))
    found = coded([class_of[paper] for paper in papers])
    return {
        "views": {"content": matrix_of(contents, terms), "authors": matrix_of(written, writers)},
        **found,
        "ids": papers,
        "feature_names": {
            "content": [str(dictionary[term]) for term in terms],
            "authors": [str(people[writer]) for writer in writers],
        },
        "ontology": ontology_of([path.split("/") for path in found["class_names"]], "/"),
    }


def build_nell_entities(files: RawFiles, **_: Any) -> Parts:
    """Build NELL's entities from the arrays of the joined splits.

    Views: ``text`` (counts of context words), ``relations`` (how often the entity stands in each
    relation). Classes have no names in the release; entities no split labels have none.
    """
    views = {}
    for view in ("text", "relations"):
        *parts, shape = (
            files.arrays(f"{view}_{part}.npy") for part in ("data", "indices", "indptr", "shape")
        )
        views[view] = sp.csr_matrix(tuple(parts), shape=tuple(shape))
    known = files.arrays("label.npy")
    classes = np.unique(known[known >= 0])
    return {
        "views": views,
        "labels": np.where(known >= 0, np.searchsorted(classes, known), -1),
        "class_names": [str(label) for label in classes],
        "ids": [str(node) for node in files.arrays("node_0_001.npy")],
    }


def build_coauthor(files: RawFiles, *, field: str = "cs", **_: Any) -> Parts:
    """Build authors of computer science or physics (``field``: "cs", "phy").

    Views: ``content`` (counts of keywords), ``links`` (coauthors); pickled matrices in the release.
    """
    stored = files.read(f"coauthor_{field}.npz")
    with zipfile.ZipFile(io.BytesIO(stored)) as archive:
        links, words, labels = (
            load_npy(archive.read(f"{part}.npy"))
            for part in ("adj_matrix", "node_attr", "node_label")
        )
    return {
        "views": {"content": words, "links": links},
        "labels": labels,
        "class_names": [str(c) for c in range(int(np.max(labels)) + 1)],
        "ids": [str(i) for i in range(len(labels))],
    }


def build_breast_tcga(files: RawFiles, **_: Any) -> Parts:
    """Build breast tumours in three omics: training samples, then test samples.

    Proteins of the test part were not measured: zero rows, ``rows["protein_present"]`` is False.
    """
    stored = read_rda(files.read("breast.TCGA.rda"))["breast.TCGA"][0]
    parts = [stored[part][0] for part in ("data.train", "data.test")]
    subtypes: list[list[str]] = []
    ids: list[str] = []
    views: dict[str, list[np.ndarray]] = {view: [] for view in OMICS}
    for part in parts:
        codes, attributes = part["subtype"]
        subtypes.append([attributes["levels"][0][code - 1] for code in codes])
        ids += part["mrna"][1]["dimnames"][0][0][0]
        for view, blocks in views.items():
            shape = part[view][1]["dim"][0] if view in part else (len(codes), blocks[0].shape[1])
            values = part[view][0] if view in part else np.zeros(shape)
            blocks.append(values.reshape(shape, order="F"))
    sizes = [len(names) for names in subtypes]
    return {
        "views": {view: sp.csr_matrix(np.vstack(blocks)) for view, blocks in views.items()},
        **coded([name for names in subtypes for name in names]),
        "ids": ids,
        "feature_names": {view: parts[0][view][1]["dimnames"][0][1][0] for view in OMICS},
        "rows": {
            "is_test": np.repeat([False, True], sizes),
            "protein_present": np.repeat(["protein" in part for part in parts], sizes),
        },
    }


#: Kinds of objects in R's data files, as far as the pinned one has them.
_SYMBOL, _PAIRS, _TEXT, _INTEGER, _REAL, _STRINGS, _LIST, _SEEN = 1, 2, 9, 13, 14, 16, 19, 255


def read_rda(content: bytes) -> dict[str, Any]:
    """Return the objects of an xz-compressed ``.rda`` file (version 2), each with its attributes.

    Every object is ``(value, attributes)``; a named list is ``(dict, attributes)``. Names of
    attributes are written once and referred to by number.
    """
    stream = io.BytesIO(lzma.decompress(content))
    stream.seek(len(b"RDX2\nX\n") + 3 * 4)  # the versions of format, writer and reader
    symbols: list[str] = []

    def integer() -> int:
        return int.from_bytes(stream.read(4), "big", signed=True)

    def item() -> Any:
        flags = integer()
        kind = flags & 255
        if kind == _SEEN:
            return symbols[(flags >> 8) - 1]
        if kind == _SYMBOL:
            symbols.append(item())
            return symbols[-1]
        if kind == _PAIRS:
            pairs = {}
            while flags & 255 == _PAIRS:
                name = item()
                pairs[name] = item()
                flags = integer()
            return pairs
        size = integer()
        if kind == _TEXT:
            return stream.read(size).decode("utf-8")
        value: Any
        if kind in (_STRINGS, _LIST):
            value = [item() for _ in range(size)]
        else:
            width, plain = {_INTEGER: (4, np.int64), _REAL: (8, np.float64)}[kind]
            stored = f">{np.dtype(plain).kind}{width}"
            value = np.frombuffer(stream.read(width * size), stored).astype(plain)
        attributes = item() if flags >> 9 & 1 else {}
        if kind == _LIST and "names" in attributes:
            value = dict(zip(attributes["names"][0], value, strict=True))
        return value, attributes

    return dict(item())
