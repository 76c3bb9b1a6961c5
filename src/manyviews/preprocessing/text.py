"""From raw texts to counts: tokens, stop words, stems, vocabularies.

One place for the text steps that the data sets share, so that a choice (letters only or words
with digits, document frequency, stemming) is an argument and not a copy of the code.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

#: Token patterns by name. ``words`` is what most toolkits of the time split on: runs of letters,
#: digits and underscores of at least two characters; ``letters`` drops numbers and mixed codes.
TOKEN_PATTERNS = {
    "words": re.compile(r"[a-z0-9_]{2,}"),
    "letters": re.compile(r"[a-z]{2,}"),
    "unicode": re.compile(r"[^\W\d_]{2,}"),
}

Tokeniser = Callable[[str], list[str]]


def tokeniser(pattern: str = "words") -> Tokeniser:
    """Return a function that lower-cases a text and splits it by one of the patterns above."""
    find = TOKEN_PATTERNS[pattern].findall
    return lambda text: find(text.lower())


def stemmed_tokens(text: str) -> list[str]:
    """Return the stems of the words of ``text``, runs of letters, that are not stop words.

    Words shorter than three letters are dropped before stemming, stop words before and after it
    ("doing" is on scikit-learn's list, "does" stems to a listed word). Stems are those of Snowball
    English ("Porter 2"); they need ``pip install manyviews[text]``.
    """
    long = (word for word in tokeniser("letters")(text) if len(word) >= 3)
    stem = _stemmer()
    stems = [stem(word) for word in long if word not in ENGLISH_STOP_WORDS]
    return [word for word in stems if len(word) >= 2 and word not in ENGLISH_STOP_WORDS]


@cache
def _stemmer() -> Callable[[str], str]:
    """Return the stemmer, with a memory of the words it has seen."""
    import snowballstemmer

    return cache(snowballstemmer.stemmer("english").stemWord)


def build_vocabulary(
    documents: Iterable[Sequence[str]], *, min_df: int = 1, min_count: int = 1
) -> list[str]:
    """Return the sorted words that occur in ``min_df`` documents, ``min_count`` times in all."""
    frequency: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for tokens in documents:
        total.update(tokens)
        frequency.update(set(tokens))
    return sorted(w for w, df in frequency.items() if df >= min_df and total[w] >= min_count)


def count_matrix(documents: Sequence[Sequence[str]], vocabulary: Sequence[str]) -> sp.csr_matrix:
    """Return the documents-by-words matrix of counts; words outside the vocabulary are left out."""
    column = {word: j for j, word in enumerate(vocabulary)}
    if len(column) != len(vocabulary):
        raise ValueError("the vocabulary names a word twice; pass distinct words")
    indptr = np.zeros(len(documents) + 1, dtype=np.int64)
    indices: list[int] = []
    for i, tokens in enumerate(documents):
        indices += [column[token] for token in tokens if token in column]
        indptr[i + 1] = len(indices)
    counts = sp.csr_matrix(
        (np.ones(len(indices)), np.asarray(indices, dtype=np.int32), indptr),
        shape=(len(documents), len(vocabulary)),
    )
    counts.sum_duplicates()  # a word that occurs again is counted; columns are sorted too
    return counts


def bag_of_words(
    texts: Sequence[str], *, pattern: str = "words", min_df: int = 1
) -> tuple[sp.csr_matrix, list[str]]:
    """Return counts (documents by words) and the words that ``min_df`` documents have, sorted."""
    split = tokeniser(pattern)
    documents = [split(text) for text in texts]
    vocabulary = build_vocabulary(documents, min_df=min_df)
    return count_matrix(documents, vocabulary), vocabulary
