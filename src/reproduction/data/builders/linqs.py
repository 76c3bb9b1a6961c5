"""LINQS collections: documents with words and links (Cora, CiteSeer, WebKB, PubMed).

Views of every set: ``content`` (words), ``cited`` (columns are the documents that cite this one),
``cites`` (columns are the documents this one cites) and ``links`` (both directions). Only columns
that some document uses are kept in the link views; documents without links are zero rows.

Direction. ``.cites`` lines of Cora, CiteSeer and WebKB are "cited citing"; lines of PubMed's
``DIRECTED.cites`` are "citing | cited" (the first PubMed id is the younger one in 90 % of them),
and the Wikipedia graph is read as "linking linked". Whoever takes "first id = document, second id
= feature" in all files alike gets ``cited`` for the former and ``cites`` for the latter: that is
the reading whose dimensions are nearest the published ones.
"""

import csv
import io
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from reproduction.data.builders.links import assemble
from reproduction.data.builders.planetoid import build_planetoid, planetoid_features
from reproduction.data.builders.raw import Parts, RawFiles, matrix_of

UNIVERSITIES = ("cornell", "texas", "washington", "wisconsin")
#: LINQS's label numbers in ``Pubmed-Diabetes.NODE.paper.tab``.
PUBMED_CLASSES = {"1": "experimental", "2": "type 1", "3": "type 2"}


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


def build_content_cites(files: RawFiles, *, key: str, **options: Any) -> Parts:
    """Build Cora or CiteSeer from ``<key>.content`` and ``<key>.cites``.

    A source that carries the Planetoid files instead (``ind.<key>.*``) is read by
    :mod:`reproduction.data.builders.planetoid`.
    """
    if files.find(f"{key}.content") is None and files.find(f"ind.{key}.graph") is not None:
        return build_planetoid(files, key, **options)
    return assemble(*_pages(files, key), **options)


def build_webkb(files: RawFiles, *, key: str, **options: Any) -> Parts:
    """Build the four universities as one set of five classes, in the order of their names."""
    ids, words, labels, pairs = zip(*(_pages(files, u) for u in UNIVERSITIES), strict=True)
    return assemble(
        [*chain(*ids)], sp.csr_matrix(sp.vstack(words)), [*chain(*labels)], chain(*pairs),
        rows={"university": np.repeat(UNIVERSITIES, [len(part) for part in ids])}, **options,
    )  # fmt: skip


def build_university(files: RawFiles, *, key: str, **options: Any) -> Parts:
    """Build one university as course pages (class 1) against all others (class 0)."""
    ids, words, labels, pairs = _pages(files, key)
    course = ["course" if label == "course" else "non-course" for label in labels]
    return assemble(
        ids, words, course, pairs,
        class_names=["non-course", "course"], rows={"page_class": np.array(labels)}, **options,
    )  # fmt: skip


def _node_table(
    files: RawFiles, name: str
) -> tuple[list[str], sp.csr_matrix, list[str], list[str]]:
    """Return ids, words, labels and vocabulary of the original PubMed table.

    Two header lines name the columns (``numeric:<word>:0.0``); every other line is
    ``<id> TAB label=<n> TAB <word>=<weight> ... TAB summary=...``.
    """
    _, header, *lines = (line.split("\t") for line in files.lines(name, encoding="latin-1"))
    vocabulary = [field.split(":")[1] for field in header if field.startswith("numeric:")]
    rows = [dict(field.split("=", 1) for field in fields[1:]) for fields in lines]
    labels = [row.pop("label") for row in rows]
    for row in rows:
        row.pop("summary", None)
    return [fields[0] for fields in lines], matrix_of(rows, vocabulary), labels, vocabulary


def _numbered_rows(files: RawFiles) -> tuple[list[str], sp.csr_matrix, list[str], list[str]]:
    """Return the same from the Planetoid files, documents in the original table's order.

    ``pmid-planetoid-index.tsv`` has the PubMed id, the Planetoid number and the LINQS label of each
    document. The release has 32-bit values: the shortest decimal that names one is taken, as the
    original table would print it. Words have lost their names; columns are numbered.
    """
    table = [line.split("\t") for line in files.lines("pmid-planetoid-index.tsv")[1:]]
    features = planetoid_features(files, "pubmed")[[int(number) for _, number, _ in table]]
    features.sort_indices()
    features.data = np.array([float(str(value)) for value in features.data.astype(np.float32)])
    vocabulary = [f"w-{j:03d}" for j in range(features.shape[1])]
    return [row[0] for row in table], features, [row[2] for row in table], vocabulary


def directed_links(text: str) -> list[tuple[str, str]]:
    """Return the pairs of ``<n> TAB paper:<citing> TAB | TAB paper:<cited>`` lines, after two."""
    fields = (line.split("\t") for line in text.splitlines()[2:])
    return [(f[1].removeprefix("paper:"), f[3].removeprefix("paper:")) for f in fields]


def build_pubmed(files: RawFiles, *, key: str, **options: Any) -> Parts:
    """Build PubMed from the numbered Planetoid rows, from the original table where a user has it.

    When there are only the Planetoid files, links have no direction and documents no ids.
    """
    original = "Pubmed-Diabetes.NODE.paper.tab"
    if files.find(original) is not None:
        ids, words, labels, vocabulary = _node_table(files, original)
    elif files.find("pmid-planetoid-index.tsv") is not None:
        ids, words, labels, vocabulary = _numbered_rows(files)
    else:
        return build_planetoid(files, key, **options)
    links = files.read("Pubmed-Diabetes.DIRECTED.cites.tab").decode("latin-1")
    parts = assemble(
        ids, words, [PUBMED_CLASSES[n] for n in labels], directed_links(links),
        class_names=list(PUBMED_CLASSES.values()), **options,
    )  # fmt: skip
    parts["feature_names"]["content"] = vocabulary
    return parts
