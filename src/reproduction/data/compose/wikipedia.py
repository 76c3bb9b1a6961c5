"""The tf-idf table of the Wikipedia collection, from the same numbers in MATLAB form."""

import io

import scipy.io
import scipy.sparse as sp

from reproduction.data.content import Contents


def weights_as_text(inputs: Contents) -> Contents:
    """Write ``feature`` of ``wiki.mat`` as ``tfidf.txt``: one line per non-zero, row by row.

    A line is ``<document> TAB <word> TAB <weight>``, the weight in C's ``%g``.
    """
    packed = inputs["wiki.mat"]
    assert isinstance(packed, bytes)
    weights = sp.csr_matrix(scipy.io.loadmat(io.BytesIO(packed))["feature"])
    weights.sort_indices()
    lines = []
    for row in range(weights.shape[0]):
        part = slice(weights.indptr[row], weights.indptr[row + 1])
        words, values = weights.indices[part].tolist(), weights.data[part].tolist()
        lines += [f"{row}\t{word}\t{v:g}\n" for word, v in zip(words, values, strict=True)]
    return {"tfidf.txt": "".join(lines).encode("ascii")}
