"""Data sets of other shapes: topic trees, knowledge bases, omics, coauthors, genes."""

import io
import json
import lzma
import struct

import numpy as np
import pytest
import scipy.sparse as sp

from reproduction.data.builders import coauthor, cora_tree, nell, omics, wikipedia, yeast
from reproduction.data.errors import ReadError
from reproduction.data.rdata import read_rda


def test_papers_need_words_authors_and_a_class(raw, made):
    files = {
        "paper_terms": {"2": {"B": 0.5, "A": 1.5}, "10": {"B": 2.0}, "3": {"A": 1.0}},
        "term_dictionary": {"A": "alpha", "B": float("nan")},
        "paper_authors": {"2": ["X"], "10": ["Y", "X"], "4": ["X"]},
        "author_names": {"X": "Ada", "Y": "Bob"},
        "classification_papers": {"AI/Agents": [10], "AI": [2, 10], "DB": [3]},
    }
    for name, content in files.items():
        raw.file(f"{name}.json", json.dumps(content).encode())
    data = made(cora_tree.build_cora_tree, raw)
    assert data.ids == ["2", "10"]
    assert data.class_names == ["AI", "AI/Agents"]
    assert data.labels.tolist() == [0, 1]
    assert data.views["content"].toarray().tolist() == [[1.5, 0.5], [0, 2.0]]
    assert data.feature_names["content"] == ["alpha", "nan"]
    assert data.views["authors"].toarray().tolist() == [[1, 0], [1, 1]]
    assert data.ontology["AI/Agents"] == ("AI",)


def npy(values, kind):
    out = io.BytesIO()
    np.lib.format.write_array(out, np.asarray(values, dtype=kind), version=(1, 0))
    return out.getvalue()


def test_entities_without_a_label_stay(raw, made, rng):
    matrices = {
        "text": sp.random(5, 7, 0.4, format="csr", rng=rng),
        "relations": sp.random(5, 3, 0.4, format="csr", rng=rng),
    }
    for name, matrix in matrices.items():
        for part in ("data", "indices", "indptr", "shape"):
            kind = float if part == "data" else np.int32
            raw.file(f"{name}_{part}.npy", npy(getattr(matrix, part), kind))
    raw.file("label.npy", npy([7, -1, 3, 7, -1], np.int16))
    raw.file("node_0_001.npy", npy([4, 5, 6, 8, 9], np.int32))
    data = made(nell.build_nell_entities, raw)
    assert data.class_names == ["3", "7"]
    assert data.labels.tolist() == [1, -1, 0, 1, -1]
    assert data.ids == ["4", "5", "6", "8", "9"]
    for name, matrix in matrices.items():
        assert (data.views[name] != matrix).nnz == 0


def boxed(value):
    box = np.empty((), dtype=object)
    box[()] = value
    return box


def test_coauthors_are_read_without_running_pickles(raw, made, rng):
    words = sp.csr_matrix(rng.integers(0, 3, (6, 4)).astype(np.float32))
    links = sp.random(6, 6, 0.3, format="csr", rng=rng)
    np.savez(
        raw.path / "coauthor_phy.npz",
        adj_matrix=boxed(links),
        node_attr=boxed(words),
        node_label=np.array([0, 1, 2, 0, 1, 2]),
    )
    data = made(coauthor.build_coauthor, raw, field="phy")
    assert (data.views["content"] != words).nnz == 0
    assert (data.views["links"] != links).nnz == 0
    assert data.class_names == ["0", "1", "2"]


class R:
    """Write R's serialisation, as much as the reader reads."""

    def __init__(self):
        self.seen = []

    def flags(self, kind, attributes=False, tag=False):
        return struct.pack(">i", kind | attributes << 9 | tag << 10)

    def text(self, value):
        encoded = value.encode()
        return self.flags(9) + struct.pack(">i", len(encoded)) + encoded

    def symbol(self, name):
        if name in self.seen:
            return struct.pack(">i", 255 | (self.seen.index(name) + 1) << 8)
        self.seen.append(name)
        return self.flags(1) + self.text(name)

    def pairs(self, items):
        out = b""
        for name, value in items:
            out += self.flags(2, tag=True) + self.symbol(name) + value()
        return out + struct.pack(">i", 254)

    def vector(self, kind, size, body, attributes=()):
        head = self.flags(kind, bool(attributes)) + struct.pack(">i", size) + body()
        return head + (self.pairs(attributes) if attributes else b"")

    def strings(self, values):
        return self.vector(16, len(values), lambda: b"".join(map(self.text, values)))

    def integers(self, values, attributes=()):
        return self.vector(13, len(values), lambda: np.array(values, ">i4").tobytes(), attributes)

    def matrix(self, values, rows, columns):
        names = lambda: self.vector(  # noqa: E731
            19, 2, lambda: self.strings(rows) + self.strings(columns)
        )
        attributes = [("dim", lambda: self.integers(values.shape)), ("dimnames", names)]
        body = lambda: values.astype(">f8").tobytes(order="F")  # noqa: E731
        return self.vector(14, values.size, body, attributes)

    def named(self, parts):
        body = lambda: b"".join(make() for make in parts.values())  # noqa: E731
        return self.vector(19, len(parts), body, [("names", lambda: self.strings(list(parts)))])

    def file(self, objects):
        head = b"RDX2\nX\n" + struct.pack(">iii", 2, 1, 1)
        return lzma.compress(head + self.pairs(objects))


def tumours(rng):
    r = R()
    values = {
        "data.train": {"mirna": rng.normal(size=(3, 2)), "mrna": rng.normal(size=(3, 4)),
                       "protein": rng.normal(size=(3, 1))},
        "data.test": {"mirna": rng.normal(size=(2, 2)), "mrna": rng.normal(size=(2, 4))},
    }  # fmt: skip
    codes = {"data.train": [1, 2, 1], "data.test": [2, 2]}

    def part(name):
        rows = [f"{name[5:]}{i}" for i in range(len(codes[name]))]
        made = {
            view: lambda v=v, view=view: r.matrix(
                v, rows, [f"{view}{j}" for j in range(v.shape[1])]
            )
            for view, v in values[name].items()
        }
        levels = [("levels", lambda: r.strings(["LumA", "Basal"]))]
        made["subtype"] = lambda: r.integers(codes[name], levels)
        return r.named(made)

    tops = {name: lambda name=name: part(name) for name in values}
    return values, r.file([("breast.TCGA", lambda: r.named(tops))])


def test_a_view_that_a_part_lacks_is_zero_and_said_so(raw, made, rng):
    values, content = tumours(rng)
    raw.file("breast.TCGA.rda", content)
    data = made(omics.build_breast_tcga, raw)
    assert data.ids == ["train0", "train1", "train2", "test0", "test1"]
    assert [data.class_names[label] for label in data.labels] == [
        "LumA", "Basal", "LumA", "Basal", "Basal"
    ]  # fmt: skip
    both = np.vstack([values["data.train"]["mrna"], values["data.test"]["mrna"]])
    assert np.array_equal(data.views["mrna"].toarray(), both)
    assert data.rows["protein_present"].tolist() == [True] * 3 + [False] * 2
    assert data.rows["is_test"].tolist() == [False] * 3 + [True] * 2
    assert data.views["protein"][3:].nnz == 0
    assert data.feature_names["mirna"] == ["mirna0", "mirna1"]


def test_damaged_r_files_are_refused(rng):
    _, content = tumours(rng)
    plain = lzma.decompress(content)
    assert "breast.TCGA" in read_rda(content, "x")
    for _ in range(60):
        cut = int(rng.integers(1, len(plain)))
        with pytest.raises(ReadError, match=r"x\.rda"):
            read_rda(lzma.compress(plain[:cut]), "x.rda")
    for broken in (b"", b"<html>", content[:40], lzma.compress(b"RDX2\nA\n"),
                   lzma.compress(plain[:19] + struct.pack(">i", 3))):  # fmt: skip
        with pytest.raises(ReadError):
            read_rda(broken, "x")


def arff(kinds, rows, end):
    lines = [f"@ATTRIBUTE f{i} {kind}" for i, kind in enumerate(kinds)]
    return "\n".join(["@RELATION x", *lines, *end, "@DATA", *rows]).encode()


def test_genes_are_joined_by_key(raw, made):
    contents = {
        "seq": {
            "train": arff(["numeric", "{w,c}"], ["1.5,w,1/2/0@3/0/0 %  g2", "?,c,3/0/0 % g1"], []),
            "valid": arff(["numeric", "{w,c}"], [], []),
            "test": arff(["numeric", "{w,c}"], ["4.5,c,1/2/5,g3"], ["@ATTRIBUTE key key"]),
        },
        "struc": {
            "train": arff(["{0,1}"] * 3, ["1,0,1,3/0/0 % g1", "0,0,0,1/2/0@3/0/0 % g2"], []),
            "valid": arff(["{0,1}"] * 3, ["1,1,1,3/0/0 % g9"], []),
            "test": arff(["{0,1}"] * 3, ["0,1,0,1/2/5 % g3"], []),
        },
        "hom": {
            "train": arff(["{0,1}"], ["1,3/0/0 % g1"], []),
            "valid": arff(["{0,1}"], ["0,1/2/0@3/0/0 % g2"], []),
            "test": arff(["{0,1}"], ["1,1/2/5 % g3"], []),
        },
    }
    for view, parts in contents.items():
        for part, content in parts.items():
            name = f"{view}_yeast_FUN.{part}.arff"
            raw.zip(f"{name}.zip", {name: content})
    data = made(yeast.build_yeast, raw)
    assert data.ids == ["g1", "g2", "g3"]
    assert data.rows["labels_all"].tolist() == ["3", "1/2@3", "1/2/5"]
    assert [data.class_names[label] for label in data.labels] == ["3", "1/2", "1/2/5"]
    assert data.rows["is_test"].tolist() == [False, False, True]
    assert data.views["sequence"].toarray().tolist() == [[3.0, 1], [1.5, 0], [4.5, 1]]
    assert data.views["structure"].toarray().tolist() == [[1, 0, 1], [0, 0, 0], [0, 1, 0]]
    assert data.ontology["1/2/5"] == ("1/2",)
    (raw.path / "hom_yeast_FUN.test.arff.zip").unlink()
    with pytest.raises(ValueError, match=r"no file hom_yeast_FUN\.test\.arff"):
        made(yeast.build_yeast, raw)


def wikipedia_files(raw):
    """Four documents of one part, three of the other; rows 0 and 2 are in both."""
    raw.file("group.txt", b"0 1\n1 2\n2 2\n3 1\n")
    raw.file("tfidf.txt", b"0 0 0.5\n0 2 2.0\n1 1 3.0\n2 0 1.0\n")
    raw.file("graph.txt", b"0 1\n1 2\n2 0\n3 1\n1 1\n")
    feature = b"1 0 1\n1 0 0\n0 0 1\n"
    raw.zip("uai.zip", {"uai/uai.feature": feature, "uai/uai.label": b"0\n1\n2\n",
                        "uai/uai.edge": b"0 1\n1 0\n2 2\n1 2\n"})  # fmt: skip


def test_both_parts_of_wikipedia_become_one(raw, made):
    wikipedia_files(raw)
    plain = made(wikipedia.build_wikipedia, raw)
    assert plain.n_rows == 4
    data = made(wikipedia.build_wikipedia, raw, documents="union")
    # rows: the other part's three, then documents 1 (own words) and 3 (no words)
    assert data.n_rows == 5
    assert [data.class_names[label] for label in data.labels] == ["1", "2", "3", "2", "1"]
    assert data.rows["counted"].tolist() == [True, True, False, True, True]
    words = data.views["content"].toarray()
    assert words[0].tolist() == [0.5, 0, 2.0]
    assert words[1].tolist() == [1.0, 0, 0]
    assert words[2].tolist() == [0, 0, 2.0]  # counted once
    assert words[3].tolist() == [0, 3.0, 0]
    assert not words[4].any()
    links = {(int(a), int(data.feature_names["links"][b])) for a, b in zip(
        *data.views["links"].nonzero(), strict=True)}  # fmt: skip
    assert links == {(0, 1), (1, 0), (1, 2), (2, 1), (0, 3), (3, 0), (1, 3), (3, 1), (3, 4), (4, 3)}


def test_equal_word_sets_tell_nothing_apart(rng):
    same = sp.csr_matrix(np.array([[1, 0], [1, 0], [0, 1]]))
    place, further = wikipedia.match_rows(same.astype(float), same)
    assert place == {2: 2}
    assert further == []
