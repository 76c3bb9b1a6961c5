"""Planetoid files (``ind.<key>.*``), as some wheels carry them for CiteSeer and PubMed.

They are Python 2 pickles of scipy matrices and of a dictionary: read through the restricted
unpickler alone. The links are undirected there, so ``cited``, ``cites`` and ``links`` are the same
matrix, and documents have no names (``ids`` are row numbers).
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from reproduction.data import pickles
from reproduction.data.builders.links import assemble
from reproduction.data.builders.raw import RawFiles
from reproduction.data.format import MultiViewData

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
    allx, tx = (sp.csr_matrix(_load(files, key, part)) for part in ("allx", "tx"))
    if len(test) != tx.shape[0] or test.min() < allx.shape[0]:
        raise ValueError(f"ind.{key}.test.index does not fit ind.{key}.tx; fetch the files again")
    position = np.concatenate([np.arange(allx.shape[0]), test])
    stacked = sp.coo_matrix(sp.vstack([allx, tx]))
    return sp.csr_matrix(
        (stacked.data.astype(np.float64), (position[stacked.row], stacked.col)),
        shape=(max(int(test.max()) + 1, n), allx.shape[1]),
    )


def read_planetoid(
    files: RawFiles, key: str
) -> tuple[sp.csr_matrix, np.ndarray, dict[int, list[int]], np.ndarray]:
    """Return features, one-hot labels, neighbours and a mask of the rows that have a record.

    Numbers between the smallest and largest of ``test.index`` that are not listed there are
    documents without record (15 in CiteSeer).
    """
    near = {int(node): [int(m) for m in n] for node, n in _load(files, key, "graph").items()}
    features = planetoid_features(files, key, len(near))
    ally, ty = (np.asarray(_load(files, key, part)) for part in ("ally", "ty"))
    position = np.concatenate([np.arange(len(ally)), _test_rows(files, key)])
    onehot = np.zeros((features.shape[0], ally.shape[1]))
    onehot[position] = np.vstack([ally, ty])
    recorded = np.zeros(features.shape[0], dtype=bool)
    recorded[position] = True
    return features, onehot, near, recorded


def build_planetoid(
    files: RawFiles, key: str, *, provenance: dict[str, Any], **options: Any
) -> MultiViewData:
    """Build the four views from Planetoid files.

    Rows without a record (cited documents of which neither words nor class are known) are left
    out, and with them their links, as in the original release: CiteSeer then has its 3312
    documents. Option ``keep_unrecorded`` keeps them as zero rows without label.
    """
    keep = bool(options.pop("keep_unrecorded", False))
    features, onehot, graph, recorded = read_planetoid(files, key)
    rows = np.arange(len(recorded)) if keep else np.flatnonzero(recorded)
    names = class_names(key, onehot)
    pairs = sorted((str(a), str(b)) for a, near in graph.items() for b in near)
    pairs += [(b, a) for a, b in pairs]
    data = assemble(
        key,
        [str(i) for i in rows],
        features[rows],
        [names[c] for c in onehot[rows].argmax(axis=1)],
        pairs,
        provenance,
        class_names=sorted(names),
        rows={"recorded": recorded[rows]},
        **options,
    )
    data.labels[onehot[rows].sum(axis=1) == 0] = -1
    return data


def build_split(
    raw: Path, *, entry: Any, variant: str | None, provenance: dict[str, Any], **options: Any
) -> MultiViewData:
    """Build all rows with the official split: the first ones train, the next 500 validate."""
    files, key = RawFiles(raw), entry.key.removesuffix("_planetoid")
    data = build_planetoid(files, key, provenance=provenance, keep_unrecorded=True)
    training = len(_load(files, key, "y"))
    split = np.zeros(data.labels.size, dtype=np.int64)
    split[:training] = TRAINING
    split[training : training + VALIDATION_SIZE] = VALIDATION
    split[_test_rows(files, key)] = TEST
    return replace(data, name=entry.key, rows={"split": split})
