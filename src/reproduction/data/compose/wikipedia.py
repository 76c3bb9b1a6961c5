"""The tf-idf table of the Wikipedia collection, from the same numbers in MATLAB form."""

import io

import scipy.io
import scipy.sparse as sp

from reproduction.data.content import Contents


def weights_as_text(inputs: Contents) -> Contents:
    """Write ``feature`` of ``wiki.mat`` as ``tfidf.txt``: one line per non-zero, row by row.

    A line is ``<document> TAB <word> TAB <weight>``, the weight in C's ``%g``.
    """
    weights = sp.csr_matrix(scipy.io.loadmat(io.BytesIO(inputs["wiki.mat"]))["feature"])
    weights.sort_indices()
    cells = weights.tocoo()
    lines = map("{}\t{}\t{:g}\n".format, cells.row, cells.col, cells.data.tolist())
    return {"tfidf.txt": "".join(lines).encode("ascii")}
