"""Pairs of a text and an image: the Wikipedia set, web news."""

import html
import logging
import re
from itertools import chain, compress
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.preprocessing.text import build_vocabulary, count_matrix, stemmed_tokens
from reproduction.data import images
from reproduction.data.builders.raw import Parts, RawFiles, guarded

#: A stem is kept when it occurs this often in the training texts. Of all such cuts this one comes
#: nearest the published 6203 words (it keeps 6192); test texts have no say.
MIN_TRAINING_COUNT = 13


def read_lists(files: RawFiles) -> tuple[list[str], Parts]:
    """Return the images of all pairs (training list first), and the parts that the lists give."""
    lists = [
        [line.split() for line in files.lines(f"{part}_txt_img_cat.list")]
        for part in ("trainset", "testset")
    ]
    texts, images, categories = zip(*chain(*lists), strict=True)
    return list(images), {
        "ids": list(texts),
        "labels": np.array(categories, dtype=np.int64) - 1,
        "class_names": [line.strip() for line in files.lines("categories.list")],
        "rows": {"is_test": np.repeat([False, True], [len(part) for part in lists])},
    }


def strip_markup(document: str) -> str:
    """Return the words of a Wikipedia section: markup, entities and addresses removed.

    The file is XML in name only (stray characters), so the ``<text>`` element is cut out by
    pattern. Links ``[[target|shown]]`` keep what is shown, templates and tags go.
    """
    match = re.search(r"<text>(.*?)</text>", document, flags=re.S)
    text = match[1] if match else document
    text = re.sub(r"\{\{[^{}]*\}\}", " ", text)
    text = re.sub(r"<ref\b.*?</ref>|<!--.*?-->", " ", text, flags=re.S)
    text = re.sub(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]", r"\1", text)
    text = html.unescape(re.sub(r"<[^>]*>", " ", text))
    text = re.sub(r"(?:https?|ftp)://\S+|www\.\S+", " ", text)
    return re.sub(r"'{2,}|={2,}", " ", text)


def histogram_counts(histograms: np.ndarray) -> np.ndarray:
    """Return the integer counts behind normalised histograms.

    A row of counts divided by its sum and rounded to single precision is a whole multiple of its
    smallest positive value 1/n if some word occurs once. The released rows all are: multiplying
    by n gives integers to within 1e-3, so the counts (111 to 1332 descriptors an image) are exact.
    """
    counts = np.zeros_like(histograms, dtype=np.float64)
    for i, row in enumerate(histograms):
        once = row / row[row > 0].min()
        whole = next(
            once * times
            for times in range(1, 21)
            if np.abs(once * times - np.round(once * times)).max() < 1e-3 * times
        )
        counts[i] = np.round(whole)
    return counts


def build_wikipedia_pairs(
    files: RawFiles, *, min_count: int = MIN_TRAINING_COUNT, visual_words: int = 1024, **_: Any
) -> Parts:
    """Build the Wikipedia pairs: ``text`` (stem counts), ``image`` (visual words), ``topics``.

    Words are letters only, of three letters or more, no stop words, stemmed; the vocabulary holds
    the stems that occur at least ``min_count`` times in the training texts. The image view is the
    released histogram of 128 visual words as counts; with the images at hand (a user's folder with
    ``<image id>.jpg``) it is 1024 SIFT words clustered on the training images.
    """
    names, parts = read_lists(files)
    is_test = parts["rows"]["is_test"]
    found = files.matching(r"(?:.*/)?texts/[^/]+\.xml")
    texts = {PurePosixPath(name).stem: content for name, content in found.items()}
    documents = [
        stemmed_tokens(strip_markup(texts[document].decode("utf-8", errors="replace")))
        for document in parts["ids"]
    ]
    vocabulary = build_vocabulary(compress(documents, ~is_test), min_count=int(min_count))
    features = files.mat("raw_features.mat")
    topics = np.vstack([features["T_tr"], features["T_te"]]).astype(np.float64)
    found = files.matching(r"(?:.*/)?[^/]+\.(?:jpg|jpeg|png)")
    if found:
        pictures = {PurePosixPath(name).stem: content for name, content in found.items()}
        if missing := [name for name in names if name not in pictures]:
            raise ValueError(
                f"{len(missing)} of {len(names)} images are missing, the first is {missing[0]}; "
                "give all of them"
            )
        # nobody has pinned what a user puts there
        parser = "reproduction.data.images:decoded"
        decoded = (guarded(parser, pictures[name], name)[""] for name in names)
        seed = ("datasets", "wikipedia_pairs")
        view = images.visual_words(decoded, train=~is_test, words=visual_words, seed_names=seed)
    else:
        view = sp.csr_matrix(histogram_counts(np.vstack([features["I_tr"], features["I_te"]])))
    parts["rows"] |= {
        "article": np.array([document.split("-")[0] for document in parts["ids"]]),
        "image_id": np.array(names),
    }
    text = count_matrix(documents, vocabulary)
    views = {"text": text, "image": view, "topics": sp.csr_matrix(topics)}
    return {**parts, "views": views, "feature_names": {"text": vocabulary}}


def han_words(text: str) -> list[str]:
    """Return the words of a Chinese text: two Han characters or more, as jieba cuts them."""
    import jieba  # slow to import, and of use here alone

    jieba.setLogLevel(logging.ERROR)
    return [w for w in jieba.cut(text, HMM=False) if re.fullmatch("[\u4e00-\u9fff]{2,}", w)]


def _upstream(
    files: RawFiles, pictures: list[str], parts: Parts
) -> tuple[dict[str, sp.csr_matrix], np.ndarray, list[str]]:
    """Count words and 1024 visual words, both vocabularies from training pairs alone."""
    is_test = parts["rows"]["is_test"]
    texts = (files.read(f"texts/{document}.txt") for document in parts["ids"])
    documents = [han_words(text.decode("utf-8")) for text in texts]
    vocabulary = build_vocabulary(compress(documents, ~is_test), min_df=5)
    folders = (parts["class_names"][label] for label in parts["labels"])
    names = [f"images/{f}/{name}.jpg" for f, name in zip(folders, pictures, strict=True)]
    there = set(files.names())
    has_image = np.array([name in there for name in names])
    rows = np.flatnonzero(has_image)
    counts = images.visual_words(
        (images.decode(files.content(names[row]), names[row]) for row in rows),
        train=~is_test[rows],
        words=1024,
        seed_names=("datasets", "web_news"),
    )
    spread = sp.identity(len(names), format="csc")[:, rows]
    views = {"text": count_matrix(documents, vocabulary), "image": sp.csr_matrix(spread @ counts)}
    return views, has_image, vocabulary


def build_web_news(files: RawFiles, *, source: str = "counts", **_: Any) -> Parts:
    """Build web news from its released counts; pairs without image are zero rows in that view.

    Option ``source="upstream"`` counts the words of the texts (the same counts) and the visual
    words of the photographs (counts of our own: which descriptors the released vocabulary was
    clustered from is not recorded).
    """
    pictures, parts = read_lists(files)
    if source == "upstream":
        views, has_image, vocabulary = _upstream(files, pictures, parts)
    else:
        stored = files.arrays("features.npz")
        views = {
            view: sp.csr_matrix(
                tuple(stored[f"{view}_{part}"] for part in ("data", "indices", "indptr")),
                shape=tuple(stored[f"{view}_shape"]),
            )
            for view in ("text", "image")
        }
        has_image = stored["has_image"].astype(bool)
        vocabulary = [line.strip() for line in files.lines("text_vocabulary.txt")]
    parts["rows"]["has_image"] = has_image
    return {**parts, "views": views, "feature_names": {"text": vocabulary}}
