import numpy as np
import scipy.sparse as sp
from toys import holds

from reproduction.data.builders import wikipedia


def test_both_parts_of_wikipedia_become_one(raw, made):
    """Four documents of one part, three of the other; rows 0 and 2 are in both."""
    raw.file("group.txt", b"0 1\n1 2\n2 2\n3 1\n")
    raw.file("tfidf.txt", b"0 0 0.5\n0 2 2.0\n1 1 3.0\n2 0 1.0\n")
    raw.file("graph.txt", b"0 1\n1 2\n2 0\n3 1\n1 1\n")
    feature = b"1 0 1\n1 0 0\n0 0 1\n"
    raw.zip("uai.zip", {"uai/uai.feature": feature, "uai/uai.label": b"0\n1\n2\n",
                        "uai/uai.edge": b"0 1\n1 0\n2 2\n1 2\n"})  # fmt: skip
    plain = made(wikipedia.build_wikipedia, raw)
    assert plain.n_rows == 4
    data = made(wikipedia.build_wikipedia, raw, documents="union")
    # rows: the other part's three, then documents 1 (own words) and 3 (no words)
    counted = [True, True, False, True, True]  # row 2 is counted once
    words = [[0.5, 0, 2.0], [1.0, 0, 0], [0, 0, 2.0], [0, 3.0, 0], [0, 0, 0]]
    holds(data, classes=["1", "2", "3", "2", "1"], counted=counted, content=words)
    pairs = [(0, 1), (1, 2), (0, 3), (1, 3), (3, 4)]
    links = np.zeros((5, 5))
    links[tuple(zip(*pairs, strict=True))] = 1
    assert data.feature_names["links"] == data.ids
    holds(data, links=(links + links.T).tolist())


def test_equal_word_sets_tell_nothing_apart():
    same = sp.csr_matrix(np.array([[1, 0], [1, 0], [0, 1]]))
    place, further = wikipedia.match_rows(same.astype(float), same)
    assert place == {2: 2}
    assert further == []
