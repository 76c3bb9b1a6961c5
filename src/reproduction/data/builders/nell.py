"""NELL entities: words of their contexts, relations in the knowledge base."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from reproduction.data.builders.raw import Parts, RawFiles


def build_nell_entities(files: RawFiles, **_: Any) -> Parts:
    """Build the entities from the arrays of the joined splits.

    Views: ``text`` (counts of context words), ``relations`` (how often the entity stands in each
    relation). Classes have no names in the release; entities no split labels have none.
    """
    views = {}
    for view in ("text", "relations"):
        data, indices, indptr, shape = (
            files.npy(f"{view}_{part}.npy") for part in ("data", "indices", "indptr", "shape")
        )
        views[view] = sp.csr_matrix((data, indices, indptr), shape=tuple(shape))
    known = files.npy("label.npy").tolist()
    classes = sorted({label for label in known if label >= 0})
    return {
        "views": views,
        "labels": np.array([classes.index(label) if label >= 0 else -1 for label in known]),
        "class_names": [str(label) for label in classes],
        "ids": [str(node) for node in files.npy("node_0_001.npy")],
    }
