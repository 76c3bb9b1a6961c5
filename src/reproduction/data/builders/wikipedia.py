"""The LINQS Wikipedia collection: the 2405 documents of TADW, or 3165 of all 19 classes.

The collection circulates in two parts. TADW has 2405 documents of 17 classes with tf-idf weights
and directed links; UAI2010 has 3067 documents of 19 classes, as words present or not and undirected
links. Documents of both are recognised by their set of words.
"""

import io
from collections import Counter

import numpy as np
import scipy.sparse as sp

from reproduction.data.builders.linqs import assemble
from reproduction.data.builders.raw import Parts, RawFiles

#: Documents of the whole collection, as the paper prints them.
DOCUMENTS = 3363


def read_tadw(files: RawFiles) -> tuple[sp.csr_matrix, np.ndarray, list[tuple[int, int]]]:
    """Return tf-idf weights, class numbers (from 1) and directed links of TADW's files."""
    group = np.array([line.split() for line in files.lines("group.txt")], dtype=np.int64)
    row, word, weight = np.loadtxt(io.BytesIO(files.read("tfidf.txt"))).T
    place = (row.astype(np.int64), word.astype(np.int64))
    words = sp.csr_matrix((weight, place), shape=(len(group), int(word.max()) + 1))
    words.sort_indices()
    links = np.array([line.split() for line in files.lines("graph.txt")], dtype=np.int64)
    return words, group[:, 1], [(a, b) for a, b in links.tolist()]


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
    bounds = zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
    return [matrix.indices[a:b].astype(np.int32).tobytes() for a, b in bounds]


def match_rows(tadw: sp.csr_matrix, uai: sp.csr_matrix) -> tuple[dict[int, int], list[int]]:
    """Say which TADW row is which row of the union.

    A set of words that one row of either part has makes them the same document. TADW rows whose
    words UAI lacks, and those without words, come after UAI's rows. Returned are the rows in the
    union by those in TADW, and the TADW rows that UAI leaves out, in their order there.
    """
    ours, theirs = _word_sets(tadw), _word_sets(uai)
    many, known = Counter(ours), Counter(theirs)
    row_of = {key: row for row, key in enumerate(theirs)}
    place = {
        row: row_of[key]
        for row, key in enumerate(ours)
        if key and many[key] == 1 and known[key] == 1
    }
    further = [ours.index(key) for key in many if key and key not in known]
    further += [row for row, key in enumerate(ours) if not key]
    place |= {row: uai.shape[0] + i for i, row in enumerate(further)}
    return place, further


def inverse_frequencies(tadw: sp.csr_matrix, uai: sp.csr_matrix) -> np.ndarray:
    """Return the factor of each word: TADW's weights are whole multiples of it.

    Some document has a word once, so the smallest weight of a word is its factor; a word TADW
    lacks gets ``log(N / df)``, the formula all others follow.
    """
    smallest = np.full(uai.shape[1], np.inf)
    np.minimum.at(smallest, tadw.indices, tadw.data)
    formula = np.log(DOCUMENTS / np.maximum(uai.getnnz(axis=0), 1))
    return np.where(np.isfinite(smallest), smallest, formula)


def build_wikipedia(files: RawFiles, *, key: str, documents: str = "tadw") -> Parts:
    """Build the Wikipedia set; option ``documents``: "tadw" (2405) or "union" (3165).

    Links of the union are undirected: direction is known inside TADW's part alone. Documents that
    only UAI2010 has (``rows["counted"]`` is False) count every word once.
    """
    tadw, groups, links = read_tadw(files)
    if documents == "tadw":
        names = [str(group) for group in groups]
        pairs_of = [(str(first), str(second)) for first, second in links]
        ids = [str(i) for i in range(len(names))]
        return assemble(ids, tadw, names, pairs_of, class_names=sorted(set(names), key=int))
    uai, labels, edges = read_uai(files)
    place, further = match_rows(tadw, uai)
    n = uai.shape[0] + len(further)
    factors = inverse_frequencies(tadw, uai)
    counts = tadw.copy()
    counts.data = np.round(tadw.data / factors[tadw.indices])
    order = np.arange(n)
    order[list(place.values())] = uai.shape[0] + np.array(list(place))
    words = sp.csr_matrix(sp.vstack([uai.astype(np.float64), counts]))[order]
    words.data *= factors[words.indices]
    pairs = {(min(a, b), max(a, b)) for a, b in edges.tolist() if a != b}
    pairs |= {
        (min(place[a], place[b]), max(place[a], place[b]))
        for a, b in links
        if a != b and not {a, b}.isdisjoint(further) and a in place and b in place
    }
    both = [(str(a), str(b)) for a, b in sorted(pairs)]
    classes = [str(label + 1) for label in np.concatenate([labels, groups[further] - 1])]
    return assemble(
        [str(i) for i in range(n)],
        words,
        classes,
        both + [(b, a) for a, b in both],
        class_names=sorted(set(classes), key=int),
        rows={"counted": np.isin(np.arange(n), list(place.values()))},
    )
