"""NELL entities: words of their contexts, relations in the knowledge base."""

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from reproduction.data.builders.raw import RawFiles
from reproduction.data.format import MultiViewData


def build_nell_entities(
    raw: Path, *, entry: Any, variant: str | None, provenance: dict[str, Any], **options: Any
) -> MultiViewData:
    """Build the entities from the arrays of the joined splits.

    Views: ``text`` (counts of context words), ``relations`` (how often the entity stands in each
    relation). Classes have no names in the release; entities no split labels have none.
    """
    files = RawFiles(raw)

    def array(name: str) -> np.ndarray:
        return files.npy(f"{name}.npy")

    views = {
        view: sp.csr_matrix(
            tuple(array(f"{view}_{part}") for part in ("data", "indices", "indptr")),
            shape=tuple(array(f"{view}_shape")),
        )
        for view in ("text", "relations")
    }
    known = array("label")
    classes = sorted({int(label) for label in known if label >= 0})
    index = {label: i for i, label in enumerate(classes)}
    return MultiViewData(
        name="nell_entities",
        views=views,
        labels=np.array([index.get(int(label), -1) for label in known]),
        class_names=[str(label) for label in classes],
        ids=[str(node) for node in array("node_0_001")],
        provenance=provenance,
    )
