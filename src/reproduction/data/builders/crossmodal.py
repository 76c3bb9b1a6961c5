"""Pairs of a text and an image: the Wikipedia set, web news."""

import html
import logging
import re
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.preprocessing.text import build_vocabulary, count_matrix, stemmed_tokens
from manyviews.validation import check_choice
from reproduction.data.builders.raw import RawFiles
from reproduction.data.format import MultiViewData

#: A stem is kept when it occurs this often in the training texts. Of all such cuts this one comes
#: nearest the published 6203 words (it keeps 6192); test texts have no say.
MIN_TRAINING_COUNT = 13


def parse_pairs(text: str) -> list[tuple[str, str, int]]:
    """Parse ``<text id> TAB <image id> TAB <category 1..>`` lines."""
    pairs = []
    for line in text.split("\n"):
        if line.strip():
            document, image, category = line.split()
            pairs.append((document, image, int(category) - 1))
    return pairs


def read_lists(files: RawFiles) -> tuple[list[tuple[str, str, int]], np.ndarray, list[str]]:
    """Return all pairs (training list first), which of them are test pairs, category names."""
    train = parse_pairs(files.read("trainset_txt_img_cat.list").decode("utf-8"))
    test = parse_pairs(files.read("testset_txt_img_cat.list").decode("utf-8"))
    is_test = np.repeat([False, True], [len(train), len(test)])
    return train + test, is_test, [line.strip() for line in files.lines("categories.list")]


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

    Raises
    ------
    ValueError
        If a row is not of that kind.
    """
    counts = np.zeros_like(histograms, dtype=np.float64)
    for i, row in enumerate(histograms):
        used = row > 0
        if not used.any():
            continue
        for times in range(1, 21):
            scaled = row / row[used].min() * times
            if np.abs(scaled - np.round(scaled)).max() < 1e-3 * times:
                counts[i] = np.round(scaled)
                break
        else:
            raise ValueError(f"image histogram {i} is no normalised count histogram")
    return counts


def build_wikipedia_pairs(
    raw: Path, *, entry: Any, variant: str | None, provenance: dict[str, Any], **options: Any
) -> MultiViewData:
    """Build the Wikipedia pairs: ``text`` (stem counts), ``image`` (visual words), ``topics``.

    Words are letters only, of three letters or more, no stop words, stemmed; the vocabulary holds
    the stems that occur at least ``min_count`` times in the training texts. The image view is the
    released histogram of 128 visual words as counts; with the images at hand (a user's folder with
    ``<image id>.jpg``) it is 1024 SIFT words clustered on the training images.
    """
    files = RawFiles(raw)
    pairs, is_test, categories = read_lists(files)
    texts = {
        PurePosixPath(name).stem if name.endswith(".xml") else name: content
        for name, content in files.matching(r"(?:.*/)?texts/[^/]+\.xml").items()
    }
    missing = [document for document, _, _ in pairs if document not in texts]
    if missing:
        raise ValueError(f"{len(missing)} texts are missing, the first is {missing[0]}.xml")
    documents = [
        stemmed_tokens(strip_markup(texts[document].decode("utf-8", errors="replace")))
        for document, _, _ in pairs
    ]
    training = [tokens for tokens, test in zip(documents, is_test, strict=True) if not test]
    vocabulary = build_vocabulary(
        training, min_count=int(options.get("min_count", MIN_TRAINING_COUNT))
    )
    features = files.mat("raw_features.mat")
    topics = np.vstack([features["T_tr"], features["T_te"]]).astype(np.float64)
    image = _visual_words(files, pairs, is_test, int(options.get("visual_words", 1024)))
    if image is None:
        image = sp.csr_matrix(histogram_counts(np.vstack([features["I_tr"], features["I_te"]])))
    return MultiViewData(
        name="wikipedia_pairs",
        views={
            "text": count_matrix(documents, vocabulary),
            "image": image,
            "topics": sp.csr_matrix(topics),
        },
        labels=np.array([category for _, _, category in pairs]),
        class_names=categories,
        ids=[document for document, _, _ in pairs],
        feature_names={"text": vocabulary},
        rows={
            "is_test": is_test,
            "article": np.array([document.split("-")[0] for document, _, _ in pairs]),
            "image_id": np.array([name for _, name, _ in pairs]),
        },
        provenance=provenance,
    )


def _visual_words(
    files: RawFiles, pairs: list[tuple[str, str, int]], is_test: np.ndarray, words: int
) -> sp.csr_matrix | None:
    """Count visual words of the images, if all of them are there; the vocabulary from training."""
    pattern = r"(?:.*/)?[^/]+\.(?:jpg|jpeg|png)"
    pictures = {PurePosixPath(n).stem: c for n, c in files.matching(pattern).items()}
    if not pictures:
        return None
    missing = [image for _, image, _ in pairs if image not in pictures]
    if missing:
        raise ValueError(
            f"{len(missing)} of {len(pairs)} images are missing, the first is {missing[0]}; "
            "give all images or none"
        )
    from reproduction.data.images import visual_words

    return visual_words(
        [pictures[image] for _, image, _ in pairs],
        train=~is_test,
        words=words,
        seed_names=("datasets", "wikipedia_pairs"),
    )


def han_words(text: str) -> list[str]:
    """Return the words of a Chinese text: two Han characters or more, as jieba cuts them."""
    try:
        import jieba
    except ImportError:
        raise ValueError(
            "the texts of web_news need jieba to find their words; install it with "
            "`pip install jieba==0.42.1`, or put the released counts into a mirror folder"
        ) from None
    jieba.setLogLevel(logging.ERROR)
    return [
        word for word in jieba.cut(text, HMM=False) if re.fullmatch("[\u4e00-\u9fff]{2,}", word)
    ]


def _news_words(
    files: RawFiles, pairs: list[tuple[str, str, int]], is_test: np.ndarray
) -> tuple[sp.csr_matrix, list[str]]:
    """Count the words that at least five training texts have."""
    documents = [
        han_words(files.read(f"texts/{document}.txt").decode("utf-8")) for document, _, _ in pairs
    ]
    training = [words for words, test in zip(documents, is_test, strict=True) if not test]
    vocabulary = build_vocabulary(training, min_df=5)
    return count_matrix(documents, vocabulary), vocabulary


def _news_pictures(
    files: RawFiles,
    pairs: list[tuple[str, str, int]],
    is_test: np.ndarray,
    categories: list[str],
    words: int,
) -> tuple[sp.csr_matrix, np.ndarray]:
    """Count visual words of the photographs there are; the vocabulary from training alone."""
    from reproduction.data.images import visual_words

    names = [f"images/{categories[category]}/{image}.jpg" for _, image, category in pairs]
    there = set(files.names())
    has_image = np.array([name in there for name in names])
    rows = np.flatnonzero(has_image)
    counts = visual_words(
        [files.content(names[row]) for row in rows],
        train=~is_test[rows],
        words=words,
        seed_names=("datasets", "web_news"),
    )
    spread = sp.csr_matrix(
        (np.ones(len(rows)), (rows, np.arange(len(rows)))), shape=(len(pairs), len(rows))
    )
    return sp.csr_matrix(spread @ counts), has_image


def build_web_news(
    raw: Path, *, entry: Any, variant: str | None, provenance: dict[str, Any], **options: Any
) -> MultiViewData:
    """Build web news from its released counts; pairs without image are zero rows in that view.

    Option ``source="upstream"`` counts the words of the texts (the same counts) and the visual
    words of the photographs (counts of our own: which descriptors the released vocabulary was
    clustered from is not recorded).
    """
    files = RawFiles(raw)
    pairs, is_test, categories = read_lists(files)
    labels = np.array([category for _, _, category in pairs])
    wanted = check_choice("source", options.get("source", "counts"), ("counts", "upstream"))
    if wanted == "upstream":
        words, vocabulary = _news_words(files, pairs, is_test)
        visual = int(options.get("visual_words", 1024))
        image, has_image = _news_pictures(files, pairs, is_test, categories, visual)
        views = {"text": words, "image": image}
    else:
        stored = files.npz("features.npz")
        views = {
            view: sp.csr_matrix(
                tuple(stored[f"{view}_{part}"] for part in ("data", "indices", "indptr")),
                shape=tuple(stored[f"{view}_shape"]),
            )
            for view in ("text", "image")
        }
        if not np.array_equal(stored["label"] - 1, labels):
            raise ValueError("features.npz and the lists do not name the same categories by row")
        has_image = stored["has_image"].astype(bool)
        vocabulary = [line.strip() for line in files.lines("text_vocabulary.txt")]
    return MultiViewData(
        name="web_news",
        views=views,
        labels=labels,
        class_names=categories,
        ids=[document for document, _, _ in pairs],
        feature_names={"text": vocabulary},
        rows={"is_test": is_test, "has_image": has_image},
        provenance=provenance,
    )
