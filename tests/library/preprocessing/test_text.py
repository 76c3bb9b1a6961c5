import numpy as np
import pytest

from manyviews.preprocessing.text import (
    bag_of_words,
    build_vocabulary,
    count_matrix,
    is_stop_word,
    stemmed_tokens,
    tokeniser,
)


def test_patterns_differ_in_digits_and_accents():
    text = "It's 1993: IBM_PC x86 Zürich a"
    assert tokeniser("words")(text) == ["it", "1993", "ibm_pc", "x86", "rich"]
    assert tokeniser("letters")(text) == ["it", "ibm", "pc", "rich"]
    assert tokeniser("unicode")(text) == ["it", "ibm", "pc", "zürich"]
    with pytest.raises(ValueError, match=r"unknown token pattern 'nouns'.*letters"):
        tokeniser("nouns")


def test_stems_without_stop_words():
    pytest.importorskip("snowballstemmer", reason="stems need the extra: manyviews[text]")
    assert stemmed_tokens("The connections of the OX were connected, doing") == ["connect"] * 2


def test_stop_words():
    assert is_stop_word("the")
    assert not is_stop_word("views")


def test_vocabulary_is_sorted_and_cut_by_document_frequency_and_count():
    documents = [["b", "a", "a"], ["b", "c"], [], ["a", "d", "d", "d"]]
    assert build_vocabulary(documents) == ["a", "b", "c", "d"]
    assert build_vocabulary(documents, min_df=2) == ["a", "b"]
    assert build_vocabulary(documents, min_count=3) == ["a", "d"]


def test_counts_leave_unknown_words_and_empty_documents():
    counts = count_matrix([["b", "a", "a", "zz"], [], ["zz"]], ["a", "b"])
    assert np.array_equal(counts.toarray(), [[2, 1], [0, 0], [0, 0]])
    assert counts.has_sorted_indices
    with pytest.raises(ValueError, match="names a word twice"):
        count_matrix([["a"]], ["a", "a"])


def test_counts_are_those_of_a_plain_loop(rng):
    words = [f"w{j:02d}" for j in range(30)]
    for _ in range(30):
        documents = [list(rng.choice(words, size=rng.integers(0, 40))) for _ in range(12)]
        vocabulary = list(rng.permutation(words)[: rng.integers(0, 30)])
        counts = count_matrix(documents, vocabulary)
        plain = [[tokens.count(word) for word in vocabulary] for tokens in documents]
        assert np.array_equal(counts.toarray(), np.reshape(plain, counts.shape))
        assert counts.has_canonical_format
        assert (counts.data > 0).all()
        assert counts.dtype == np.float64


def test_bag_of_words_counts_document_frequency_over_all_texts():
    counts, words = bag_of_words(["one two two", "two three", "three three"], min_df=2)
    assert words == ["three", "two"]
    assert np.array_equal(counts.toarray(), [[0, 2], [1, 1], [2, 0]])
