"""NELL's entities from the three splits of the Planetoid release.

Each split numbers the entities anew and holds the labels of a few. All splits have the same rows
of words, so a row that occurs once tells which entity it is, and carries its label over.
"""

import io
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from reproduction.data import pickles
from reproduction.data.content import Contents

SPLITS = ("0.001", "0.01", "0.1")
WORDS = 5414
#: A row of words: (word, count) pairs in order of the words.
Row = tuple[tuple[int, float], ...]


def _rows(matrix: sp.csr_matrix) -> list[list[tuple[int, float]]]:
    """Return each row's (word, count) pairs as stored."""
    pairs = list(zip(matrix.indices.tolist(), matrix.data.tolist(), strict=True))
    return [pairs[a:b] for a, b in pairwise(matrix.indptr)]


def _read(inputs: Contents, split: str, part: str) -> Any:
    return pickles.loads(inputs[f"ind.nell.{split}.{part}"])


def _split(
    inputs: Contents, split: str
) -> tuple[dict[int, list[tuple[int, float]]], dict[int, int]]:
    """Return the word rows and the known labels of one split, by its own node numbers."""
    test = [int(number) for number in inputs[f"ind.nell.{split}.test.index"].split()]
    rows = dict(enumerate(_rows(_read(inputs, split, "allx"))))
    rows |= dict(zip(test, _rows(_read(inputs, split, "tx")), strict=True))
    known, tested = (_read(inputs, split, part).argmax(axis=1).tolist() for part in ("y", "ty"))
    return rows, {**dict(enumerate(known)), **dict(zip(test, tested, strict=True))}


def _array(values: Any, kind: Any) -> bytes:
    """Return an array as the bytes of an ``.npy`` file."""
    out = io.BytesIO()
    np.lib.format.write_array(out, np.asarray(values, dtype=kind), version=(1, 0))
    return out.getvalue()


def _csr(name: str, matrix: sp.csr_matrix, kind: Any) -> Contents:
    return {
        f"{name}_indptr.npy": _array(matrix.indptr, np.int32),
        f"{name}_indices.npy": _array(matrix.indices, np.int16),
        f"{name}_data.npy": _array(matrix.data, kind),
        f"{name}_shape.npy": _array(matrix.shape, np.int64),
    }


def _matrix(cells: Sequence[Sequence[tuple[int, float]]], columns: int, kind: Any) -> sp.csr_matrix:
    row = np.repeat(np.arange(len(cells)), [len(pairs) for pairs in cells])
    column = [c for pairs in cells for c, _ in pairs]
    value = np.array([v for pairs in cells for _, v in pairs], dtype=kind)
    return sp.csr_matrix((value, (row, column)), shape=(len(cells), columns))


def joined_splits(inputs: Contents) -> Contents:
    """Join the splits; rows are the nodes of split 0.001 that have words, in order."""
    splits = {split: _split(inputs, split) for split in SPLITS}
    rows, known = splits[SPLITS[0]]
    nodes = sorted(rows)
    keyed = {node: tuple(sorted(rows[node])) for node in nodes}
    copies = Counter(keyed.values())
    elsewhere: dict[Row, int] = {}
    for other_rows, other_labels in splits.values():
        for node, label in other_labels.items():
            elsewhere.setdefault(tuple(sorted(other_rows[node])), label)
    labels = [
        known.get(node, elsewhere.get(row, -1) if copies[row] == 1 else -1)
        for node, row in keyed.items()
    ]
    graph = _read(inputs, SPLITS[0], "graph")
    relations = sorted({target for node in nodes for target in graph[node]})
    place = {relation: column for column, relation in enumerate(relations)}
    linked = [[(place[t], n) for t, n in Counter(graph[node]).items()] for node in nodes]
    return {
        **_csr("text", _matrix([rows[node] for node in nodes], WORDS, np.float32), np.float32),
        **_csr("relations", _matrix(linked, len(relations), np.int16), np.int16),
        "label.npy": _array(labels, np.int16),
        "node_0_001.npy": _array(nodes, np.int32),
    }
