"""LINQS collections: documents with words and links (Cora, CiteSeer, WebKB, Wikipedia, PubMed).

Views of every set: ``content`` (words), ``cited`` (columns are the documents that cite this one),
``cites`` (columns are the documents this one cites) and ``links`` (both directions). Only columns
that some document uses are kept in the link views; documents without links are zero rows.

Direction. ``.cites`` lines of Cora, CiteSeer and WebKB are "cited citing"; lines of PubMed's
``DIRECTED.cites`` are "citing | cited" (the first PubMed id is the younger one in 90 % of them),
and the Wikipedia graph is read as "linking linked". Whoever takes "first id = document, second id
= feature" in all files alike gets ``cited`` for the former and ``cites`` for the latter: that is
the reading whose dimensions are nearest the published ones.
"""

from itertools import chain
from typing import Any

import numpy as np
import scipy.sparse as sp

from reproduction.data.builders.links import assemble
from reproduction.data.builders.planetoid import build_planetoid, planetoid_features
from reproduction.data.builders.raw import Parts, RawFiles

UNIVERSITIES = ("cornell", "texas", "washington", "wisconsin")


def parse_content(content: bytes) -> tuple[list[str], sp.csr_matrix, list[str]]:
    """Parse ``<id> TAB <value> ... TAB <label>`` lines.

    Returns
    -------
    ids, words, labels
        Ids and label names in file order; the values as CSR.
    """
    ids: list[str] = []
    labels: list[str] = []
    indptr: list[int] = [0]
    indices: list[int] = []
    data: list[float] = []
    width = -1
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        first, *values, label = line.rstrip(b"\r").split(b"\t")
        if width not in (-1, len(values)):
            raise ValueError(
                f"content line {number} has {len(values)} values, the lines above {width}; "
                "the file is damaged: fetch it again"
            )
        width = len(values)
        used = [j for j, value in enumerate(values) if value != b"0"]
        indices.extend(used)
        data.extend(float(values[j]) for j in used)
        indptr.append(len(indices))
        ids.append(first.decode("latin-1").strip())
        labels.append(label.decode("latin-1").strip())
    if not ids:
        raise ValueError("the content file holds no documents; fetch it again")
    return ids, sp.csr_matrix((data, indices, indptr), shape=(len(ids), width)), labels


def parse_cites(content: bytes) -> list[tuple[str, str]]:
    """Parse ``<cited> <citing>`` lines into (citing, cited) pairs, in file order."""
    pairs = []
    for number, line in enumerate(content.decode("latin-1").split("\n"), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 2:
            raise ValueError(f"link line {number} has {len(fields)} fields, not 2: {line[:60]!r}")
        pairs.append((fields[1], fields[0]))
    return pairs


def _pages(files: RawFiles, key: str) -> tuple[list[str], sp.csr_matrix, list[str], list[Any]]:
    """Return ids, words, labels and (citing, cited) pairs of one pair of files."""
    return *parse_content(files.read(f"{key}.content")), parse_cites(files.read(f"{key}.cites"))


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


#: LINQS's label numbers in ``Pubmed-Diabetes.NODE.paper.tab``.
PUBMED_CLASSES = {"1": "experimental", "2": "type 1", "3": "type 2"}


def parse_node_table(content: bytes) -> tuple[list[str], sp.csr_matrix, list[str], list[str]]:
    """Parse the PubMed ``NODE.paper`` table.

    Two header lines name the columns (``numeric:<word>:0.0``); every other line is
    ``<id> TAB label=<n> TAB <word>=<weight> ... TAB summary=...``.

    Returns
    -------
    ids, words, labels, vocabulary
    """
    lines = content.decode("latin-1").split("\n")
    header = lines[1].rstrip("\r").split("\t")
    vocabulary = [field.split(":")[1] for field in header if field.startswith("numeric:")]
    column = {word: j for j, word in enumerate(vocabulary)}
    ids: list[str] = []
    labels: list[str] = []
    indptr, indices, data = [0], [], []
    for line in lines[2:]:
        fields = line.rstrip("\r").split("\t")
        if len(fields) < 2:
            continue
        ids.append(fields[0])
        for field in fields[1:]:
            name, value = field.split("=", 1)
            if name == "label":
                labels.append(value)
            elif name != "summary":
                indices.append(column[name])
                data.append(float(value))
        indptr.append(len(indices))
    words = sp.csr_matrix((data, indices, indptr), shape=(len(ids), len(vocabulary)))
    return ids, words, labels, vocabulary


def parse_directed(content: bytes) -> list[tuple[str, str]]:
    """Parse ``<n> TAB paper:<citing> TAB | TAB paper:<cited>`` lines (two header lines)."""
    pairs = []
    for line in content.decode("latin-1").split("\n")[2:]:
        fields = line.split()
        if fields:
            pairs.append((fields[1].removeprefix("paper:"), fields[3].removeprefix("paper:")))
    return pairs


def read_numbered_rows(
    files: RawFiles,
) -> tuple[list[str], sp.csr_matrix, list[str], list[str]]:
    """Read PubMed's words from the Planetoid files, documents in the original table's order.

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


def build_pubmed(files: RawFiles, *, key: str, **options: Any) -> Parts:
    """Build PubMed from the numbered Planetoid rows, from the original table where a user has it.

    When there are only the Planetoid files, links have no direction and documents no ids.
    """
    original = "Pubmed-Diabetes.NODE.paper.tab"
    if files.find(original) is not None:
        ids, words, labels, vocabulary = parse_node_table(files.read(original))
    elif files.find("pmid-planetoid-index.tsv") is not None:
        ids, words, labels, vocabulary = read_numbered_rows(files)
    else:
        return build_planetoid(files, key, **options)
    parts = assemble(
        ids, words, [PUBMED_CLASSES[n] for n in labels],
        parse_directed(files.read("Pubmed-Diabetes.DIRECTED.cites.tab")),
        class_names=list(PUBMED_CLASSES.values()), **options,
    )  # fmt: skip
    parts["feature_names"]["content"] = vocabulary
    return parts
