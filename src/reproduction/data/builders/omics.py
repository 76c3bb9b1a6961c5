"""Tumours seen through several omics."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from reproduction.data.builders.raw import Parts, RawFiles, coded
from reproduction.data.rdata import read_rda

OMICS = ("mrna", "mirna", "protein")


def build_breast_tcga(files: RawFiles, **_: Any) -> Parts:
    """Build the breast tumours: training samples, then test samples.

    The test part has no protein measurements: its rows are zero there and
    ``rows["protein_present"]`` is False.
    """
    name = "breast.TCGA.rda"
    stored = read_rda(files.read(name), name)["breast.TCGA"][0]
    blocks: dict[str, list[np.ndarray]] = {view: [] for view in OMICS}
    feature_names: dict[str, list[str]] = {}
    ids: list[str] = []
    subtypes: list[str] = []
    is_test, present = [], []
    for part in ("data.train", "data.test"):
        found = stored[part][0]
        codes, attributes = found["subtype"]
        subtypes += [attributes["levels"][0][code - 1] for code in codes]
        for view in OMICS:
            if view not in found:
                blocks[view].append(np.zeros((len(codes), blocks[view][0].shape[1])))
                continue
            values, named = found[view]
            samples, columns = (list(names[0]) for names in named["dimnames"][0])
            if feature_names.setdefault(view, columns) != columns:
                raise ValueError(f"{name}: the {view} columns of the two parts differ")
            blocks[view].append(values.reshape(named["dim"][0], order="F"))
        ids += samples
        is_test += [part == "data.test"] * len(codes)
        present += ["protein" in found] * len(codes)
    return {
        "views": {view: sp.csr_matrix(np.vstack(values)) for view, values in blocks.items()},
        **coded(subtypes),
        "ids": ids,
        "feature_names": feature_names,
        "rows": {"is_test": np.array(is_test), "protein_present": np.array(present)},
    }
