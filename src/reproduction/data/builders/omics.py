"""Tumours seen through several omics."""

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from reproduction.data.builders.raw import RawFiles
from reproduction.data.format import MultiViewData
from reproduction.data.rdata import read_rda

OMICS = ("mrna", "mirna", "protein")


def _matrix(stored: Any) -> tuple[np.ndarray, list[str], list[str]]:
    """Return an R matrix with the names of its rows and columns."""
    values, attributes = stored
    rows, columns = (names[0] for names in attributes["dimnames"][0])
    return values.reshape(attributes["dim"][0], order="F"), list(rows), list(columns)


def build_breast_tcga(
    raw: Path, *, entry: Any, variant: str | None, provenance: dict[str, Any], **options: Any
) -> MultiViewData:
    """Build the breast tumours: training samples, then test samples.

    The test part has no protein measurements: its rows are zero there and
    ``rows["protein_present"]`` is False.
    """
    name = "breast.TCGA.rda"
    parts = read_rda(RawFiles(raw).read(name), name)["breast.TCGA"][0]
    blocks: dict[str, list[np.ndarray]] = {view: [] for view in OMICS}
    feature_names: dict[str, list[str]] = {}
    ids: list[str] = []
    subtypes: list[str] = []
    present: list[bool] = []
    sizes = []
    for part in ("data.train", "data.test"):
        stored = parts[part][0]
        codes, attributes = stored["subtype"]
        subtypes += [attributes["levels"][0][code - 1] for code in codes]
        sizes.append(len(codes))
        for view in OMICS:
            if view not in stored:
                width = blocks[view][0].shape[1]
                blocks[view].append(np.zeros((len(codes), width)))
                continue
            values, samples, columns = _matrix(stored[view])
            if feature_names.setdefault(view, columns) != columns:
                raise ValueError(f"{name}: the {view} columns of the two parts differ")
            blocks[view].append(values)
        ids += samples
        present += [("protein" in stored)] * len(codes)
    classes = sorted(set(subtypes))
    return MultiViewData(
        name="breast_tcga",
        views={view: sp.csr_matrix(np.vstack(values)) for view, values in blocks.items()},
        labels=np.array([classes.index(subtype) for subtype in subtypes]),
        class_names=classes,
        ids=ids,
        feature_names=feature_names,
        rows={
            "is_test": np.repeat([False, True], sizes),
            "protein_present": np.array(present),
        },
        provenance=provenance,
    )
