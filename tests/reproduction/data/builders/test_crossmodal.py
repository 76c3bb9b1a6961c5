import cv2
import numpy as np
import pytest
from toys import holds

from reproduction.data.builders import crossmodal

COUNTS = np.array([[3, 1, 0], [2, 5, 7], [0, 1, 1]], dtype=np.float32)
SHARES = (COUNTS / COUNTS.sum(axis=1, keepdims=True)).astype(np.float64)
TEXTS = {
    "aa-1": "The ''painters'' painted &ndash; [[w|painting]]",
    "aa-2": "Cells http://cells.org/cell divide, dividing <b>cell</b>",
    "bb-1": "Unseen unseen unseen cells",
}
WIKIPEDIA = {
    "trainset_txt_img_cat.list": "aa-1\tp1\t1\naa-2\tp2\t2",
    "testset_txt_img_cat.list": "bb-1\tp3\t2\r\n",
    "categories.list": "art\nbiology\n",
    "texts.tar.gz": {
        f"wikipedia_dataset/texts/{name}.xml":
        f'<document id="x" name="A & B" cat="1">\n<text>\n{text}\n</text>\n</document>'
        for name, text in TEXTS.items()
    },
    "raw_features.mat": {"I_tr": SHARES[:2], "I_te": SHARES[2:], "T_tr": np.full((2, 2), 0.5),
                         "T_te": np.full((1, 2), 0.5)},
}  # fmt: skip


def test_words_come_from_training_texts_alone(made):
    data = made(crossmodal.build_wikipedia_pairs, WIKIPEDIA, min_count=2)
    assert data.feature_names["text"] == ["cell", "divid", "paint"]
    holds(
        data, text=[[0, 0, 2], [2, 2, 0], [1, 0, 0]], is_test=[False, False, True],
        article=["aa", "aa", "bb"], classes=["art", "biology", "biology"],
        # Row 1 has no word that occurs once and no common factor: the counts still come out.
        image=COUNTS.tolist(), topics=[[0.5, 0.5]] * 3,
    )  # fmt: skip


def test_users_images_become_visual_words(made, rng):
    pictures = rng.integers(0, 256, size=(3, 60, 400, 3), dtype=np.uint8)
    images = {
        f"images/art/p{number}.png": cv2.imencode(".png", picture)[1].tobytes()
        for number, picture in enumerate(pictures, start=1)
    }
    files = {**WIKIPEDIA, **images}
    data = made(crossmodal.build_wikipedia_pairs, files, min_count=1, visual_words=8)
    assert data.views["image"].shape == (3, 8)
    assert (data.views["image"].sum(axis=1) > 0).all()
    del files["images/art/p2.png"]
    with pytest.raises(ValueError, match="1 of 3 images are missing, the first is p2"):
        made(crossmodal.build_wikipedia_pairs, files)


def test_markup_is_stripped():
    text = crossmodal.strip_markup(
        "<text>{{cite|x}} [[File|shown]] [[plain]]<ref>note</ref> ''it'' == H == a&mdash;b</text>"
    )
    assert text.split() == ["shown", "plain", "it", "H", "a—b"]


def test_web_news(made):
    parts = {"data": [1, 2], "indices": [0, 1], "indptr": [0, 1, 1, 2], "shape": [3, 2]}
    arrays = {f"{view}_{part}": parts[part] for view in ("text", "image") for part in parts}
    data = made(crossmodal.build_web_news, {
        "trainset_txt_img_cat.list": "7\t7\t1\n8\t8\t2\n", "testset_txt_img_cat.list": "9\t9\t2\n",
        "categories.list": "culture\npeople's_livelihood\n", "text_vocabulary.txt": "新闻\n文化\n",
        "features.npz": {**arrays, "has_image": [1, 0, 1]},
    })  # fmt: skip
    holds(
        data, ids=["7", "8", "9"], feature_names={"text": ["新闻", "文化"]}, labels=[0, 1, 1],
        has_image=[True, False, True], image=[[1, 0], [0, 0], [0, 2]],
    )  # fmt: skip
