"""Coauthor networks: authors by the words of their papers and by whom they write with."""

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.validation import check_choice
from reproduction.data import pickles
from reproduction.data.builders.raw import RawFiles
from reproduction.data.format import MultiViewData


def build_coauthor(
    raw: Path, *, entry: Any, variant: str | None, provenance: dict[str, Any], **options: Any
) -> MultiViewData:
    """Build computer science or physics (option ``field``: "cs" or "phy").

    Views: ``content`` (counts of keywords), ``links`` (coauthors). The release keeps pickled
    matrices, which are read without letting them run anything.
    """
    field = check_choice("field", options.get("field", "cs"), ("cs", "phy"))
    name = f"coauthor_{field}.npz"
    content = RawFiles(raw).read(name)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        adjacency, words, labels = (
            pickles.load_npy(archive.read(f"{part}.npy"), f"{name}: {part}")
            for part in ("adj_matrix", "node_attr", "node_label")
        )
    links = sp.csr_matrix(adjacency, dtype=np.float64)
    n = len(labels)
    return MultiViewData(
        name="coauthor" if variant is None else f"coauthor.{variant}",
        views={"content": sp.csr_matrix(words, dtype=np.float64), "links": links},
        labels=np.asarray(labels),
        class_names=[str(c) for c in range(int(np.max(labels)) + 1)],
        ids=[str(i) for i in range(n)],
        provenance=provenance,
    )
