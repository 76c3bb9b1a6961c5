"""LINQS collections: documents with words and links (Cora, CiteSeer, WebKB, PubMed).

Views of every set: ``content`` (words), ``cited`` (columns are the documents that cite this one),
``cites`` (columns are the documents this one cites) and ``links`` (both directions). Only columns
that some document uses are kept in the link views; documents without links are zero rows.

Direction. ``.cites`` lines of Cora, CiteSeer and WebKB are "cited citing"; lines of PubMed's
``DIRECTED.cites`` are "citing | cited" (the first PubMed id is the younger one in 90 % of them),
and the Wikipedia graph is read as "linking linked". Whoever takes "first id = document, second id
= feature" in all files alike gets ``cited`` for the former and ``cites`` for the latter: that is
the reading whose dimensions are nearest the published ones.

Planetoid files (``ind.<key>.*``), as some wheels carry them, are Python 2 pickles of scipy matrices
and of a dictionary. The links are undirected there, so ``cited``, ``cites`` and ``links`` are the
same matrix, and documents have no names (``ids`` are row numbers).
"""

import csv
import io
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from reproduction.data import pickles
from reproduction.data.builders.raw import Parts, RawFiles, coded

UNIVERSITIES = ("cornell", "texas", "washington", "wisconsin")
#: LINQS's label numbers in ``Pubmed-Diabetes.NODE.paper.tab``.
PUBMED_CLASSES = {"1": "experimental", "2": "type 1", "3": "type 2"}
#: Names of Planetoid's classes, in its order: the sizes of the classes tell which is which.
PLANETOID_CLASSES = {
    "cora": [
        "Theory", "Reinforcement_Learning", "Genetic_Algorithms", "Neural_Networks",
        "Probabilistic_Methods", "Case_Based", "Rule_Learning",
    ],
    "citeseer": ["AI", "ML", "IR", "DB", "Agents", "HCI"],
    "pubmed": ["experimental", "type 2", "type 1"],
}  # fmt: skip
#: Parts of the official split, as the fact ``split`` of a document has them; 0 is in none.
TRAINING, VALIDATION, TEST = 1, 2, 3
VALIDATION_SIZE = 500


def link_views(
    ids: Sequence[str], pairs: Iterable[tuple[str, str]]
) -> tuple[dict[str, sp.csr_matrix], dict[str, list[str]]]:
    """Turn (citing, cited) pairs into the binary views ``cited``, ``cites``, ``links``.

    Repeated pairs count once, and so do links from a document to itself, as in the published
    counts; ids that are no document of the set are left out. Returned with the ids of the columns.
    """
    place = {name: i for i, name in enumerate(ids)}
    kept = {(place[a], place[b]) for a, b in pairs if a in place and b in place}
    turned = {(cited, citing) for citing, cited in kept}
    views: dict[str, sp.csr_matrix] = {}
    names: dict[str, list[str]] = {}
    for view, entries in {"cited": turned, "cites": kept, "links": kept | turned}.items():
        rows, features = np.array(sorted(entries), dtype=np.int64).reshape(-1, 2).T
        used, columns = np.unique(features, return_inverse=True)
        shape = (len(ids), len(used))
        views[view] = sp.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)
        names[view] = [ids[i] for i in used]
    return views, names


def assemble(
    ids: list[str],
    words: sp.csr_matrix,
    labels: Sequence[str],
    pairs: Iterable[tuple[str, str]],
    *,
    class_names: list[str] | None = None,
    rows: dict[str, np.ndarray] | None = None,
) -> Parts:
    """Put words, labels and links together; classes are sorted by name unless given."""
    views, feature_names = link_views(ids, pairs)
    return {
        "views": {"content": words, **views},
        **coded(labels, class_names),
        "ids": ids,
        "feature_names": feature_names,
        "rows": rows or {},
    }


def _pages(files: RawFiles, key: str) -> tuple[list[str], sp.csr_matrix, list[str], list[Any]]:
    """Return ids, words, labels and (citing, cited) pairs of one pair of files.

    Lines are ``<id> TAB <value> ... TAB <label>`` and ``<cited> <citing>``.
    """
    content = io.BytesIO(files.read(f"{key}.content"))
    table = pd.read_csv(
        content, sep="\t", header=None, encoding="latin-1", dtype={0: str},
        keep_default_na=False, quoting=csv.QUOTE_NONE,
    )  # fmt: skip
    words = sp.csr_matrix(table.iloc[:, 1:-1].to_numpy(dtype=np.float64))
    ids, labels = (list(table.iloc[:, at].astype(str).str.strip()) for at in (0, -1))
    cites = (line.split() for line in files.lines(f"{key}.cites", encoding="latin-1"))
    return ids, words, labels, [(citing, cited) for cited, citing in cites]


def _test_rows(files: RawFiles, key: str) -> np.ndarray:
    return np.array([int(n) for n in files.lines(f"ind.{key}.test.index")])


def _load(files: RawFiles, key: str, part: str) -> Any:
    return pickles.loads(files.read(f"ind.{key}.{part}"))


def planetoid_features(files: RawFiles, key: str, n: int = 0) -> sp.csr_matrix:
    """Return all numbered rows, at least ``n``; those without a record are zero.

    ``allx`` are the first rows; ``tx`` has those that ``test.index`` lists, in the list's order.
    """
    test = _test_rows(files, key)
    allx, tx = (_load(files, key, part) for part in ("allx", "tx"))
    position = np.concatenate([np.arange(allx.shape[0]), test])
    stacked = sp.coo_matrix(sp.vstack([allx, tx]))
    return sp.csr_matrix(
        (stacked.data.astype(np.float64), (position[stacked.row], stacked.col)),
        shape=(max(int(test.max()) + 1, n), allx.shape[1]),
    )


def build_planetoid(files: RawFiles, key: str, *, keep_unrecorded: bool = False) -> Parts:
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
    names = PLANETOID_CLASSES.get(key) or [str(c) for c in range(onehot.shape[1])]
    pairs = [(str(int(a)), str(int(b))) for a, near in graph.items() for b in near]
    parts = assemble(
        [str(i) for i in rows],
        features[rows],
        [names[c] for c in onehot[rows].argmax(axis=1)],
        pairs + [(b, a) for a, b in pairs],
        class_names=sorted(names),
        rows={"recorded": recorded[rows]},
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


def build_content_cites(files: RawFiles, *, key: str) -> Parts:
    """Build Cora or CiteSeer from ``<key>.content`` and ``<key>.cites``, else ``ind.<key>.*``."""
    if files.find(f"{key}.content") is None and files.find(f"ind.{key}.graph") is not None:
        return build_planetoid(files, key)
    return assemble(*_pages(files, key))


def build_webkb(files: RawFiles, *, key: str) -> Parts:
    """Build the four universities as one set of five classes, in the order of their names."""
    ids, words, labels, pairs = zip(*(_pages(files, u) for u in UNIVERSITIES), strict=True)
    return assemble(
        [*chain(*ids)], sp.csr_matrix(sp.vstack(words)), [*chain(*labels)], chain(*pairs),
        rows={"university": np.repeat(UNIVERSITIES, [len(part) for part in ids])},
    )  # fmt: skip


def build_university(files: RawFiles, *, key: str) -> Parts:
    """Build one university as course pages (class 1) against all others (class 0)."""
    ids, words, labels, pairs = _pages(files, key)
    course = ["course" if label == "course" else "non-course" for label in labels]
    return assemble(
        ids, words, course, pairs,
        class_names=["non-course", "course"], rows={"page_class": np.array(labels)},
    )  # fmt: skip


def directed_links(text: str) -> list[tuple[str, str]]:
    """Return the pairs of ``<n> TAB paper:<citing> TAB | TAB paper:<cited>`` lines, after two."""
    fields = (line.split("\t") for line in text.splitlines()[2:])
    return [(f[1].removeprefix("paper:"), f[3].removeprefix("paper:")) for f in fields]


def build_pubmed(files: RawFiles, *, key: str) -> Parts:
    """Build PubMed: the words of the Planetoid release, documents in the original table's order.

    ``pmid-planetoid-index.tsv`` has the PubMed id, the Planetoid number and the LINQS label of each
    document. The release has 32-bit values: the shortest decimal that names one is taken, as the
    original table would print it. Words have lost their names; columns are numbered. When there are
    only the Planetoid files, links have no direction and documents no ids.
    """
    if files.find("pmid-planetoid-index.tsv") is None:
        return build_planetoid(files, key)
    lines = (line.split("\t") for line in files.lines("pmid-planetoid-index.tsv")[1:])
    ids, numbers, labels = map(list, zip(*lines, strict=True))
    words = planetoid_features(files, "pubmed")[np.array(numbers, dtype=np.int64)]
    words.sort_indices()
    words.data = np.array([float(str(value)) for value in words.data.astype(np.float32)])
    links = files.read("Pubmed-Diabetes.DIRECTED.cites.tab").decode("latin-1")
    parts = assemble(
        ids, words, [PUBMED_CLASSES[n] for n in labels], directed_links(links),
        class_names=list(PUBMED_CLASSES.values()),
    )  # fmt: skip
    parts["feature_names"]["content"] = [f"w-{j:03d}" for j in range(words.shape[1])]
    return parts
