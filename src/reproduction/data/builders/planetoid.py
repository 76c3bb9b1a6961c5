"""Planetoid files (``ind.<key>.*``), as some wheels carry them for CiteSeer and PubMed.

They are Python 2 pickles of scipy matrices and of a dictionary. The links are undirected there, so
``cited``, ``cites`` and ``links`` are the same matrix, and documents have no names (``ids`` are row
numbers).
"""

from typing import Any

import numpy as np
import scipy.sparse as sp

from reproduction.data import pickles
from reproduction.data.builders.links import assemble
from reproduction.data.builders.raw import Parts, RawFiles

#: Documents per class. Planetoid numbers the classes; all sizes differ, so a size names its class.
CLASS_SIZES = {
    "cora": {
        "Case_Based": 298, "Genetic_Algorithms": 418, "Neural_Networks": 818,
        "Probabilistic_Methods": 426, "Reinforcement_Learning": 217, "Rule_Learning": 180,
        "Theory": 351,
    },
    "citeseer": {"AI": 249, "Agents": 596, "DB": 701, "HCI": 508, "IR": 668, "ML": 590},
    "pubmed": {"experimental": 4103, "type 1": 7875, "type 2": 7739},
}  # fmt: skip
#: Parts of the official split, as the fact ``split`` of a document has them; 0 is in none.
TRAINING, VALIDATION, TEST = 1, 2, 3
VALIDATION_SIZE = 500


def class_names(key: str, onehot: np.ndarray) -> list[str]:
    """Return the names of Planetoid's classes, recognised by their sizes; else their numbers."""
    name_of = {size: name for name, size in CLASS_SIZES.get(key, {}).items()}
    sizes = [int(size) for size in onehot.sum(axis=0)]
    if sorted(sizes) != sorted(name_of):
        return [str(c) for c in range(len(sizes))]
    return [name_of[size] for size in sizes]


def _test_rows(files: RawFiles, key: str) -> np.ndarray:
    return np.array([int(n) for n in files.lines(f"ind.{key}.test.index")])


def _load(files: RawFiles, key: str, part: str) -> Any:
    return pickles.loads(files.read(f"ind.{key}.{part}"), f"ind.{key}.{part}")


def planetoid_features(files: RawFiles, key: str, n: int = 0) -> sp.csr_matrix:
    """Return the features of all numbered rows (at least ``n``); rows without a record are zero.

    ``allx`` are the first rows; the rows of ``tx`` belong to the numbers listed in ``test.index``,
    in that order.
    """
    test = _test_rows(files, key)
    allx, tx = (_load(files, key, part) for part in ("allx", "tx"))
    position = np.concatenate([np.arange(allx.shape[0]), test])
    stacked = sp.coo_matrix(sp.vstack([allx, tx]))
    return sp.csr_matrix(
        (stacked.data.astype(np.float64), (position[stacked.row], stacked.col)),
        shape=(max(int(test.max()) + 1, n), allx.shape[1]),
    )


def build_planetoid(
    files: RawFiles, key: str, *, keep_unrecorded: bool = False, **options: Any
) -> Parts:
    """Build the four views from Planetoid files.

    Numbers between the smallest and largest of ``test.index`` that are not listed there are
    documents without record (15 in CiteSeer). They are left out, and with them their links, as in
    the original release; ``keep_unrecorded`` keeps them as zero rows without label.
    """
    graph = _load(files, key, "graph")
    features = planetoid_features(files, key, len(graph))
    ally, ty = (_load(files, key, part) for part in ("ally", "ty"))
    position = np.concatenate([np.arange(len(ally)), _test_rows(files, key)])
    onehot = np.zeros((features.shape[0], ally.shape[1]))
    onehot[position] = np.vstack([ally, ty])
    recorded = np.isin(np.arange(features.shape[0]), position)
    rows = np.flatnonzero(recorded | keep_unrecorded)
    names = class_names(key, onehot)
    pairs = [(str(int(a)), str(int(b))) for a, near in graph.items() for b in near]
    parts = assemble(
        [str(i) for i in rows],
        features[rows],
        [names[c] for c in onehot[rows].argmax(axis=1)],
        pairs + [(b, a) for a, b in pairs],
        class_names=sorted(names),
        rows={"recorded": recorded[rows]},
        **options,
    )
    parts["labels"][onehot[rows].sum(axis=1) == 0] = -1
    return parts


def build_split(files: RawFiles, *, key: str) -> Parts:
    """Build all rows with the official split: the first ones train, the next 500 validate."""
    key = key.removesuffix("_planetoid")
    parts = build_planetoid(files, key, keep_unrecorded=True)
    training = len(_load(files, key, "y"))
    split = np.zeros(parts["labels"].size, dtype=np.int64)
    split[:training] = TRAINING
    split[training : training + VALIDATION_SIZE] = VALIDATION
    split[_test_rows(files, key)] = TEST
    return {**parts, "rows": {"split": split}}
