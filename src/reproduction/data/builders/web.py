"""Two-class web texts: Internet advertisements, WebKB course pages, opinion spam."""

import re
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.preprocessing.text import build_vocabulary, count_matrix, tokeniser
from reproduction.data.builders.raw import Parts, RawFiles

#: Prefix of the feature names of each original view of the Ads set.
ADS_VIEWS = {"url_ancurl": ("url", "ancurl"), "alt_origurl": ("alt", "origurl")}


def build_ads(files: RawFiles, **_: Any) -> Parts:
    """Build Ads: image and target address words (``url_ancurl``), alt text and base address words.

    The geometry columns (with missing values), ``local`` and the caption words are no part of the
    paper's views.
    """
    lines = (line.split("|")[0] for line in files.lines("ad.names", encoding="latin-1"))
    names = [line.rsplit(":", 1)[0].strip() for line in lines if ":" in line]
    rows = [line.split(",") for line in files.lines("ad.data", encoding="latin-1")]
    kinds = np.array([name.split("*")[0] if "*" in name else "" for name in names])
    views, feature_names = {}, {}
    for view, wanted in ADS_VIEWS.items():
        columns = np.concatenate([np.flatnonzero(kinds == kind) for kind in wanted])
        ones = np.array([[row[j].strip() == "1" for j in columns] for row in rows])
        views[view] = sp.csr_matrix(ones.astype(np.float64))
        feature_names[view] = [names[j] for j in columns]
    return {
        "views": views,
        "labels": np.array([row[-1].strip().rstrip(".") == "ad" for row in rows], dtype=np.int64),
        "class_names": ["nonad", "ad"],
        "ids": [str(i) for i in range(len(rows))],
        "feature_names": feature_names,
    }


def build_webkb_course(files: RawFiles, **_: Any) -> Parts:
    """Build WebKB course: words of the page, of the links to it; unit tf-idf rows, as released."""
    content = files.mat("WebKB.mat")
    link, page = (sp.csr_matrix(np.asarray(view, dtype=np.float64)) for view in content["X"].flat)
    # The file says 1 = course, 2 = non-course; the course pages are the positive class here.
    labels = (np.asarray(content["y"]).ravel() == 1).astype(np.int64)
    return {
        "views": {"page": page, "link": link},
        "labels": labels,
        "class_names": ["non-course", "course"],
        "ids": [str(i) for i in range(len(labels))],
    }


#: The five characteristics of the formal view of a review, in column order.
FORMAL_FEATURES = (
    "log(1 + sentences)",
    "log(1 + words per sentence)",
    "share of sentences in the first person",
    "share of sentences that ask or exclaim",
    "share of sentences with a number",
)
_FIRST_PERSON = frozenset(("i", "me", "my", "mine", "myself", "we", "us", "our", "ours"))


def split_sentences(text: str) -> list[str]:
    """Split at ``.``, ``!``, ``?`` before white space, and at line ends; blanks are dropped."""
    parts = re.split(r"(?<=[.!?])\s+|\n+", text)
    return [part.strip() for part in parts if re.search(r"\w", part)]


def formal_features(text: str) -> np.ndarray:
    """Return the :data:`FORMAL_FEATURES`, zeros if empty; logarithms bring counts near shares."""
    sentences = split_sentences(text)
    if not sentences:
        return np.zeros(len(FORMAL_FEATURES))
    n = len(sentences)
    words = [re.findall(r"[a-z]+|\d+", s.lower()) for s in sentences]
    return np.array(
        [
            np.log1p(n),
            np.log1p(sum(map(len, words)) / n),
            sum(not _FIRST_PERSON.isdisjoint(w) for w in words) / n,
            sum(s.rstrip("\"')").endswith(("!", "?")) for s in sentences) / n,
            sum(any(t.isdigit() for t in w) for w in words) / n,
        ]
    )


def build_opinion_spam(files: RawFiles, *, min_df: int = 5, **_: Any) -> Parts:
    """Build opinion spam: word counts (``lexical``, words in >= 5 reviews) and ``formal``.

    Class 1 is spam (deceptive reviews). ``rows``: ``fold`` (1..5, the corpus' own) and
    ``positive`` (the review's polarity).
    """
    pattern = re.compile(
        r"(?:.*/)?(positive|negative)_polarity/(truthful|deceptive)[^/]*/fold(\d)/([^/]+)\.txt"
    )
    facts, texts = [], []
    for name, content in files.matching(pattern.pattern).items():
        facts += pattern.findall(name)
        texts.append(content.decode("utf-8", errors="replace"))
    documents = list(map(tokeniser("letters"), texts))
    vocabulary = build_vocabulary(documents, min_df=min_df)
    return {
        "views": {
            "lexical": count_matrix(documents, vocabulary),
            "formal": sp.csr_matrix(np.array([formal_features(text) for text in texts])),
        },
        "labels": np.array([source == "deceptive" for _, source, _, _ in facts], dtype=np.int64),
        "class_names": ["true", "spam"],
        "ids": [f"{polarity}/{source}/{name}" for polarity, source, _, name in facts],
        "feature_names": {"lexical": vocabulary, "formal": list(FORMAL_FEATURES)},
        "rows": {
            "fold": np.array([int(fold) for _, _, fold, _ in facts]),
            "positive": np.array([polarity == "positive" for polarity, _, _, _ in facts]),
        },
    }
