"""Coauthor networks: authors by the words of their papers and by whom they write with."""

import io
import zipfile
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.validation import check_choice
from reproduction.data import pickles
from reproduction.data.builders.raw import Parts, RawFiles


def build_coauthor(files: RawFiles, *, field: str = "cs", **_: Any) -> Parts:
    """Build computer science or physics (option ``field``: "cs" or "phy").

    Views: ``content`` (counts of keywords), ``links`` (coauthors). The release keeps pickled
    matrices.
    """
    name = f"coauthor_{check_choice('field', field, ('cs', 'phy'))}.npz"
    with zipfile.ZipFile(io.BytesIO(files.read(name))) as archive:
        links, words, labels = (
            pickles.load_npy(archive.read(f"{part}.npy"), f"{name}: {part}")
            for part in ("adj_matrix", "node_attr", "node_label")
        )
    return {
        "views": {"content": sp.csr_matrix(words), "links": sp.csr_matrix(links)},
        "labels": np.asarray(labels),
        "class_names": [str(c) for c in range(int(np.max(labels)) + 1)],
        "ids": [str(i) for i in range(len(labels))],
    }
