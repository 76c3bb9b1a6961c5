"""The LINQS Wikipedia collection: the 2405 documents of TADW, or 3165 of all 19 classes.

The collection circulates in two parts. TADW has 2405 documents of 17 classes with tf-idf weights
and directed links; UAI2010 has 3067 documents of 19 classes, as words present or not and undirected
links. Documents of both are recognised by their set of words.
"""

import io
from collections import defaultdict
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.validation import check_choice
from reproduction.data.builders.links import assemble
from reproduction.data.builders.raw import Parts, RawFiles

#: Documents and words of the whole collection, as the paper prints them.
DOCUMENTS, WORDS = 3363, 4973


def read_tadw(files: RawFiles) -> tuple[sp.csr_matrix, np.ndarray, list[tuple[int, int]]]:
    """Return tf-idf weights, class numbers (from 1) and directed links of TADW's files."""
    group = np.array([[int(x) for x in line.split()] for line in files.lines("group.txt")])
    if group[:, 0].tolist() != list(range(len(group))):
        raise ValueError("group.txt does not number the documents 0, 1, 2, ...; fetch it again")
    tfidf = np.fromstring(files.read("tfidf.txt").decode("ascii"), sep=" ").reshape(-1, 3)
    place = tfidf[:, :2].astype(np.int64)
    shape = (len(group), int(place[:, 1].max()) + 1)
    words = sp.csr_matrix((tfidf[:, 2], (place[:, 0], place[:, 1])), shape=shape)
    links = [tuple(map(int, line.split())) for line in files.lines("graph.txt")]
    return words, group[:, 1], [(first, second) for first, second in links]


def read_uai(files: RawFiles) -> tuple[sp.csr_matrix, np.ndarray, np.ndarray]:
    """Return words (0/1), class numbers (from 0) and links (pairs) of UAI2010's archive."""
    lines = files.lines("uai.feature")
    words = sp.csr_matrix(np.vstack([np.array(line.split(), dtype=np.int8) for line in lines]))
    words.sort_indices()
    labels, edges = (
        np.loadtxt(io.BytesIO(files.read(f"uai.{part}")), dtype=np.int64)
        for part in ("label", "edge")
    )
    return words, labels, edges


def _word_sets(matrix: sp.csr_matrix) -> list[bytes]:
    """Return the set of words of each row in a form that can be looked up."""
    matrix.sort_indices()
    bounds = zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
    return [matrix.indices[a:b].astype(np.int32).tobytes() for a, b in bounds]


def match_rows(tadw: sp.csr_matrix, uai: sp.csr_matrix) -> tuple[dict[int, int], list[int]]:
    """Say which TADW row is which row of the union.

    A set of words that one row of either part has makes them the same document. TADW rows whose
    words UAI lacks, and those without words, come after UAI's rows.

    Returns
    -------
    place, further
        Row in TADW -> row in the union; the TADW rows that UAI leaves out, in their order there.
    """
    known: dict[bytes, list[int]] = defaultdict(list)
    own: dict[bytes, list[int]] = defaultdict(list)
    for row, key in enumerate(_word_sets(uai)):
        known[key].append(row)
    keys = _word_sets(tadw)
    for row, key in enumerate(keys):
        if key:
            own[key].append(row)
    place = {
        rows[0]: known[key][0]
        for key, rows in own.items()
        if key in known and len(rows) == 1 and len(known[key]) == 1
    }
    further = [rows[0] for key, rows in own.items() if key not in known]
    further += [row for row, key in enumerate(keys) if not key]
    place |= {row: uai.shape[0] + i for i, row in enumerate(further)}
    return place, further


def inverse_frequencies(tadw: sp.csr_matrix, uai: sp.csr_matrix) -> np.ndarray:
    """Return the factor of each word: TADW's weights are whole multiples of it.

    Some document has a word once, so the smallest weight of a word is its factor; a word TADW
    lacks gets ``log(N / df)``, the formula all others follow.
    """
    columns = sp.csc_matrix(tadw)
    counts = uai.getnnz(axis=0)
    factors = np.log(DOCUMENTS / np.maximum(counts, 1))
    for word in range(columns.shape[1]):
        values = columns.data[columns.indptr[word] : columns.indptr[word + 1]]
        if len(values):
            factors[word] = values.min()
    return factors


def union_words(
    tadw: sp.csr_matrix, uai: sp.csr_matrix, place: dict[int, int], n: int
) -> tuple[sp.csr_matrix, np.ndarray]:
    """Return tf-idf of all documents, and which have true counts (the others count as one)."""
    factors = inverse_frequencies(tadw, uai)
    source = {row: old for old, row in place.items()}
    counted = np.zeros(n, dtype=bool)
    indptr, indices, data = [0], [], []
    for row in range(n):
        if row in source:
            part = slice(tadw.indptr[source[row]], tadw.indptr[source[row] + 1])
            words = tadw.indices[part]
            times = np.round(tadw.data[part] / factors[words])
            counted[row] = True
        else:
            words = uai.indices[uai.indptr[row] : uai.indptr[row + 1]]
            times = np.ones(len(words))
        indices.append(words)
        data.append(times * factors[words])
        indptr.append(indptr[-1] + len(words))
    shape = (n, tadw.shape[1])
    return sp.csr_matrix((np.concatenate(data), np.concatenate(indices), indptr), shape), counted


def build_wikipedia(files: RawFiles, *, key: str, documents: str = "tadw", **options: Any) -> Parts:
    """Build the Wikipedia set; option ``documents``: "tadw" (2405) or "union" (3165)."""
    words, groups, links = read_tadw(files)
    if check_choice("documents", documents, ("tadw", "union")) == "union":
        return _build_union(files, words, groups, links, **options)
    labels = [str(group) for group in groups]
    return assemble(
        [str(i) for i in range(len(labels))],
        words,
        labels,
        [(str(first), str(second)) for first, second in links],
        class_names=sorted(set(labels), key=int),
        **options,
    )


def _build_union(
    files: RawFiles,
    tadw: sp.csr_matrix,
    groups: np.ndarray,
    links: list[tuple[int, int]],
    **options: Any,
) -> Parts:
    """Join both parts. Links are undirected: direction is known inside TADW's part alone."""
    tadw.sort_indices()
    uai, labels, edges = read_uai(files)
    place, further = match_rows(tadw, uai)
    n = uai.shape[0] + len(further)
    words, counted = union_words(tadw, uai, place, n)
    left_out = set(further)
    pairs = {(min(a, b), max(a, b)) for a, b in edges.tolist() if a != b}
    pairs |= {
        (min(place[a], place[b]), max(place[a], place[b]))
        for a, b in links
        if a != b and (a in left_out or b in left_out) and a in place and b in place
    }
    both = [(str(a), str(b)) for a, b in sorted(pairs)]
    classes = [str(label + 1) for label in np.concatenate([labels, groups[further] - 1])]
    return assemble(
        [str(i) for i in range(n)],
        words,
        classes,
        both + [(b, a) for a, b in both],
        class_names=sorted(set(classes), key=int),
        rows={"counted": counted},
        **options,
    )
