import io

import cv2
import numpy as np
import pytest
import scipy.io
from toys import holds

from reproduction.data.builders import crossmodal

PAIRS = [("aa-1", "p1", 1), ("aa-2", "p2", 2), ("bb-1", "p3", 2)]


def document(text):
    return f'<document id="x" name="A & B" cat="1">\n<text>\n{text}\n</text>\n</document>'.encode()


def wikipedia(raw):
    lines = ["\t".join(map(str, pair)) for pair in PAIRS]
    raw.file("trainset_txt_img_cat.list", "\n".join(lines[:2]).encode())
    raw.file("testset_txt_img_cat.list", lines[2].encode() + b"\r\n")
    raw.file("categories.list", b"art\nbiology\n")
    texts = {
        "aa-1": "The ''painters'' painted &ndash; [[w|painting]]",
        "aa-2": "Cells http://cells.org/cell divide, dividing <b>cell</b>",
        "bb-1": "Unseen unseen unseen cells",
    }
    members = {f"wikipedia_dataset/texts/{n}.xml": document(t) for n, t in texts.items()}
    raw.tar("texts.tar.gz", members)
    counts = np.array([[3, 1, 0], [2, 5, 7], [0, 1, 1]], dtype=np.float32)
    shares = (counts / counts.sum(axis=1, keepdims=True)).astype(np.float64)
    topics = np.full((3, 2), 0.5)
    buffer = io.BytesIO()
    scipy.io.savemat(
        buffer, {"I_tr": shares[:2], "I_te": shares[2:], "T_tr": topics[:2], "T_te": topics[2:]}
    )
    raw.file("raw_features.mat", buffer.getvalue())


def test_words_come_from_training_texts_alone(raw, made):
    wikipedia(raw)
    data = made(crossmodal.build_wikipedia_pairs, raw, key="w", min_count=2)
    assert data.feature_names["text"] == ["cell", "divid", "paint"]
    holds(
        data, text=[[0, 0, 2], [2, 2, 0], [1, 0, 0]], is_test=[False, False, True],
        article=["aa", "aa", "bb"], classes=["art", "biology", "biology"],
        # Row 1 has no word that occurs once and no common factor: the counts still come out.
        image=[[3, 1, 0], [2, 5, 7], [0, 1, 1]], topics=[[0.5, 0.5]] * 3,
    )  # fmt: skip


def picture(seed):
    image = np.random.default_rng(seed).integers(0, 256, size=(60, 400, 3), dtype=np.uint8)
    return cv2.imencode(".png", image)[1].tobytes()


def test_users_images_become_visual_words(raw, made):
    wikipedia(raw)
    for number in (1, 2, 3):
        raw.file(f"images/art/p{number}.png", picture(number))
    data = made(crossmodal.build_wikipedia_pairs, raw, key="w", min_count=1, visual_words=8)
    assert data.views["image"].shape == (3, 8)
    assert (data.views["image"].sum(axis=1) > 0).all()
    (raw.path / "images/art/p2.png").unlink()
    with pytest.raises(ValueError, match="1 of 3 images are missing, the first is p2"):
        made(crossmodal.build_wikipedia_pairs, raw, key="w")


def test_markup_is_stripped():
    text = crossmodal.strip_markup(
        "<text>{{cite|x}} [[File|shown]] [[plain]]<ref>note</ref> ''it'' == H == a&mdash;b</text>"
    )
    assert text.split() == ["shown", "plain", "it", "H", "a—b"]


def test_web_news(raw, made):
    raw.file("trainset_txt_img_cat.list", b"7\t7\t1\n8\t8\t2\n")
    raw.file("testset_txt_img_cat.list", b"9\t9\t2\n")
    raw.file("categories.list", b"culture\npeople's_livelihood\n")
    raw.file("text_vocabulary.txt", "新闻\n文化\n".encode())
    parts = {}
    for view in ("text", "image"):
        parts |= {
            f"{view}_data": np.array([1, 2]), f"{view}_indices": np.array([0, 1]),
            f"{view}_indptr": np.array([0, 1, 1, 2]), f"{view}_shape": np.array([3, 2]),
        }  # fmt: skip
    buffer = io.BytesIO()
    np.savez(buffer, **parts, label=np.array([1, 2, 2]), has_image=np.array([1, 0, 1]))
    raw.file("features.npz", buffer.getvalue())
    data = made(crossmodal.build_web_news, raw, key="web_news")
    holds(
        data, ids=["7", "8", "9"], feature_names={"text": ["新闻", "文化"]}, labels=[0, 1, 1],
        has_image=[True, False, True], image=[[1, 0], [0, 0], [0, 2]],
    )  # fmt: skip
