"""Files made of others: each step against a slow or independent reading of the same inputs."""

import itertools
import json

import numpy as np
import pytest
import scipy.sparse as sp
import toys

from reproduction.data.compose import pubmed, repacked
from reproduction.data.errors import FetchError
from reproduction.data.places import Places
from reproduction.data.registry import load_registry
from reproduction.data.sources import gather


def test_weights_are_written_row_by_row(rng):
    weights = sp.random(6, 5, 0.5, format="csr", rng=rng)
    stored = toys.stored("wiki.mat", {"feature": weights})
    lines = repacked.weights_as_text({"wiki.mat": stored})["tfidf.txt"].decode()
    cells = np.ndenumerate(weights.toarray())
    assert lines == "".join(f"{i}\t{j}\t{value:g}\n" for (i, j), value in cells if value)


def test_photographs_are_sorted_by_the_lists(rng):
    numbers = rng.permutation(np.arange(1000, 1020)).tolist()
    images = {f"1000/{n}.jpeg": rng.bytes(9) for n in numbers}
    train, test = numbers[:12], numbers[12:18]  # two are in no list
    lines = {n: f"{n} {' '.join(map(str, rng.integers(1, 9, 3)))} " for n in numbers}
    twice = [*test[:3], test[2], *test[3:]]
    made = repacked.by_split({
        "images/": images,
        "labels/training_label": "".join(f"{lines[n]}\n" for n in train).encode(),
        "labels/test_label": "".join(f"{lines[n]}\n" for n in twice).encode(),
    })  # fmt: skip
    for split, name, wanted in (("train/", "training", train), ("test/", "test", test)):
        assert made[split] == {f"{n}.jpeg": images[f"1000/{n}.jpeg"] for n in wanted}
        listed = "".join(f"{lines[n]}\r\n" for n in wanted)
        assert made[f"labels/{name}_label"].decode() == listed


def test_documents_get_their_numbers_back(rng):
    """A release invented here: ids hashed into order, then numbered at random."""
    # the first two lines of the original table
    assert [pubmed.bucket(i) for i in ("12187484", "2344352")] == [(-15, -2047), (-15, -2046)]
    ids = sorted({str(i) for i in rng.integers(10**6, 10**8, 40)})
    n = len(ids)
    number = dict(zip(ids, rng.permutation(n).tolist(), strict=True))
    order = [number[document] for document in sorted(ids, key=pubmed.bucket)]
    pairs = {tuple(rng.choice(ids, 2, replace=False)) for _ in range(80)}
    pairs = sorted(pairs | set(itertools.pairwise(ids)))
    graph = {k: [number[b] for a, b in pairs if number[a] == k] for k in range(n)}
    onehot = np.eye(3, dtype=np.int32)[rng.integers(0, 3, n)]
    cites = "".join(f"{i}\tpaper:{a}\t|\tpaper:{b}\n" for i, (a, b) in enumerate(pairs))
    years = {document: str(1990 + i) for i, document in enumerate(ids)}
    files = {
        "Pubmed-Diabetes.DIRECTED.cites.tab": f"DIRECTED\tcites\nNO_FEATURES\n{cites}",
        "planetoid-index-map.json.gz": json.dumps(order), "pubmed-times.json.gz": json.dumps(years),
        "node_time.npy": np.argsort([number[document] for document in ids]),
        "ind.pubmed.graph": graph, "ind.pubmed.ally": onehot[:-5], "ind.pubmed.ty": onehot[-5:],
        "ind.pubmed.test.index": "\n".join(str(i) for i in range(n - 5, n)),
    }  # fmt: skip
    inputs = {name: toys.stored(name, content) for name, content in files.items()}
    table = pubmed.index_of_documents(inputs)["pmid-planetoid-index.tsv"].decode().splitlines()
    of = {number: document for document, number in number.items()}
    labels = np.array([1, 3, 2])[onehot.argmax(axis=1)]
    expected = [f"{of[k]}\t{k}\t{labels[k]}" for k in order]
    assert table == ["pmid\tplanetoid_index\tlabel", *expected]


def test_what_is_made_must_be_the_pinned_bytes(monkeypatch):
    wanted = {"tfidf.txt": toys.describe(b"x")}
    (made,) = [s for s in load_registry()["wikipedia_linqs"].sources if s.kind == "made"]
    source = made.model_copy(update={"files": {"wiki.mat": toys.describe(b"input")}, "sources": []})
    assert "lacks wiki.mat" in gather(wanted, [source], Places(), "w").tried[0]
    monkeypatch.setattr(repacked, "weights_as_text", lambda inputs: {"tfidf.txt": b"other"})
    empty = made.model_copy(update={"files": {}, "sources": []})
    with pytest.raises(FetchError, match=r"tfidf\.txt as made by .* is not the pinned file"):
        gather(wanted, [empty], Places(), "w")
