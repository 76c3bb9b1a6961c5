"""Files made of others: each step against a slow or independent reading of the same inputs."""

import gzip
import io
import itertools
import json
import pickle

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from toys import describe

from reproduction.data.compose import corel, nell, pubmed, wikipedia
from reproduction.data.errors import ChecksumError
from reproduction.data.places import Places
from reproduction.data.registry import load_registry
from reproduction.data.sources import gather


def test_weights_are_written_row_by_row(rng):
    weights = sp.random(6, 5, 0.5, format="csr", rng=rng)
    out = io.BytesIO()
    scipy.io.savemat(out, {"feature": weights})
    lines = wikipedia.weights_as_text({"wiki.mat": out.getvalue()})["tfidf.txt"].decode()
    dense = weights.toarray()
    expected = "".join(
        f"{i}\t{j}\t{dense[i, j]:g}\n" for i in range(6) for j in range(5) if dense[i, j]
    )
    assert lines == expected


def test_photographs_are_sorted_by_the_lists(rng):
    numbers = rng.permutation(np.arange(1000, 1020)).tolist()
    images = {f"{n // 1000 * 1000}/{n}.jpeg": rng.bytes(9) for n in numbers}
    train, test, unlisted = numbers[:12], numbers[12:18], numbers[18:]
    lines = {n: f"{n} {' '.join(map(str, rng.integers(1, 9, 3)))} " for n in numbers}
    twice = [*test[:3], test[2], *test[3:]]
    made = corel.by_split({
        "images/": images,
        "labels/training_label": "".join(f"{lines[n]}\n" for n in train).encode(),
        "labels/test_label": "".join(f"{lines[n]}\n" for n in twice).encode(),
    })  # fmt: skip
    for split, name, wanted in (("train/", "training", train), ("test/", "test", test)):
        assert made[split] == {f"{n}.jpeg": images[f"1000/{n}.jpeg"] for n in wanted}
        assert made[f"labels/{name}_label"].decode().split("\r\n") == [
            *(lines[n] for n in wanted), ""
        ]  # fmt: skip
    assert not {f"{n}.jpeg" for n in unlisted} & {*made["train/"], *made["test/"]}


def test_java_hashes():
    # known values: "hello".hashCode() and "polygenelubricants".hashCode() == Integer.MIN_VALUE
    assert pubmed._java_hash("hello") == 99162322
    assert pubmed._java_hash("polygenelubricants") == 2**31


def test_documents_get_their_numbers_back(rng):
    """A release invented here: ids hashed into order, then numbered at random."""
    n = 40
    ids = sorted({str(i) for i in rng.integers(10**6, 10**8, n)})
    n = len(ids)
    number = {document: int(k) for document, k in zip(ids, rng.permutation(n), strict=True)}
    order = [number[document] for document in sorted(ids, key=pubmed.bucket)]
    pairs = sorted({tuple(rng.choice(ids, 2, replace=False)) for _ in range(80)}
                   | {(a, b) for a, b in itertools.pairwise(ids)})  # fmt: skip
    graph = {k: [] for k in range(n)}
    for a, b in pairs:
        graph[number[a]].append(number[b])
    years = {document: str(1990 + i) for i, document in enumerate(ids)}
    times = np.zeros(n, dtype=np.int64)
    for i, document in enumerate(ids):
        times[number[document]] = i
    classes = rng.integers(0, 3, n)
    onehot = np.eye(3, dtype=np.int32)[classes]
    head = "DIRECTED\tcites\nNO_FEATURES\n"
    cites = head + "".join(f"{i}\tpaper:{a}\t|\tpaper:{b}\n" for i, (a, b) in enumerate(pairs))
    saved = io.BytesIO()
    np.save(saved, times)
    inputs = {
        "Pubmed-Diabetes.DIRECTED.cites.tab": cites.encode(),
        "planetoid-index-map.json.gz": gzip.compress(json.dumps(order).encode()),
        "pubmed-times.json.gz": gzip.compress(json.dumps(years).encode()),
        "node_time.npy": saved.getvalue(),
        "ind.pubmed.graph": pickle.dumps(graph),
        "ind.pubmed.ally": pickle.dumps(onehot[:-5]),
        "ind.pubmed.ty": pickle.dumps(onehot[-5:]),
        "ind.pubmed.test.index": "\n".join(str(i) for i in range(n - 5, n)).encode(),
    }
    table = pubmed.index_of_documents(inputs)["pmid-planetoid-index.tsv"].decode().splitlines()
    assert table[0] == "pmid\tplanetoid_index\tlabel"
    found = [line.split("\t") for line in table[1:]]
    assert [int(index) for _, index, _ in found] == order
    assert {document: int(index) for document, index, _ in found} == number
    labels = {0: "1", 2: "2", 1: "3"}
    assert all(labels[classes[int(index)]] == label for _, index, label in found)


def nell_split(rows, numbers, labels, n_first, graph=None):
    """A split: its own numbering, labels of the first and of the test rows."""
    by_number = dict(zip(numbers, rows, strict=True))
    first = sp.csr_matrix(np.array([by_number[i] for i in range(n_first)], dtype=np.float32))
    test = sorted(i for i in by_number if i >= n_first)
    given = {i: labels[k] for k, i in enumerate(numbers)}
    onehot = np.eye(4, dtype=np.int32)
    parts = {
        "allx": pickle.dumps(first),
        "tx": pickle.dumps(sp.csr_matrix(np.array([by_number[i] for i in test], dtype=np.float32))),
        "y": pickle.dumps(onehot[[given[i] for i in range(2)]]),
        "ty": pickle.dumps(onehot[[given[i] for i in test]]),
        "test.index": "\n".join(map(str, test)).encode(),
    }
    if graph is not None:
        parts["graph"] = pickle.dumps(graph)
    return parts


def test_splits_are_joined_by_their_rows(rng, monkeypatch):
    monkeypatch.setattr(nell, "WORDS", 6)
    n, n_first = 8, 6
    rows = [[int(b) for b in f"{i + 1:04b}"] + [i + 1, 0] for i in range(n)]
    labels = [int(x) for x in rng.integers(0, 4, n)]
    inputs, numbering = {}, {}
    for split in nell.SPLITS:
        numbering[split] = [int(x) for x in rng.permutation(n)]
        graph = None
        if split == nell.SPLITS[0]:
            graph = {i: [100 + i % 3, 100 + i % 3, 105] for i in range(n)}
        for part, content in nell_split(rows, numbering[split], labels, n_first, graph).items():
            inputs[f"ind.nell.{split}.{part}"] = content
    made = {
        name.removesuffix(".npy"): np.load(io.BytesIO(content), allow_pickle=False)
        for name, content in nell.joined_splits(inputs).items()
    }
    first = numbering[nell.SPLITS[0]]
    entity_of = {number: k for k, number in enumerate(first)}
    known = {
        entity
        for split in nell.SPLITS
        for entity, number in enumerate(numbering[split])
        if number < 2 or number >= n_first
    }
    expected = [labels[entity_of[i]] if entity_of[i] in known else -1 for i in range(n)]
    assert made["label"].tolist() == expected
    text = sp.csr_matrix((made["text_data"], made["text_indices"], made["text_indptr"]),
                         shape=made["text_shape"])  # fmt: skip
    assert text.toarray().tolist() == [rows[entity_of[i]] for i in range(n)]
    assert made["relations_shape"].tolist() == [n, 4]
    assert made["relations_data"].sum() == 3 * n


def test_what_is_made_must_be_the_pinned_bytes(tmp_path, monkeypatch):
    registry = load_registry()
    (made,) = [s for s in registry["wikipedia_linqs"].sources if s.kind == "made"]
    wrong = {"wiki.mat": describe(b"input")}
    source = made.model_copy(update={"files": wrong, "sources": []})
    places = Places()
    lacking = gather({"tfidf.txt": describe(b"x")}, [source], places, "w")
    assert "lacks wiki.mat" in lacking.tried[0]
    monkeypatch.setattr(wikipedia, "weights_as_text", lambda inputs: {"tfidf.txt": b"other"})
    empty = made.model_copy(update={"files": {}, "sources": []})
    with pytest.raises(ChecksumError, match=r"tfidf\.txt as made by .* is not the pinned file"):
        gather({"tfidf.txt": describe(b"x")}, [empty], places, "w")
