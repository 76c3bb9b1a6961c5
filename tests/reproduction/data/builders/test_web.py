import numpy as np
import pytest
from toys import holds

from reproduction.data.builders import web

NAMES = (
    "| comment\n\nad, nonad | classes.\n\nheight: continuous.\nlocal: 0,1.\n"
    "| 2 features from url terms\nurl*a: 0,1.\nurl*b\xe9: 0,1.\norigurl*c: 0,1.\n"
    "ancurl*d: 0,1.\nalt*e: 0,1.\ncaption*f: 0,1.\n"
).encode("latin-1")
DATA = " 125,1,1,0,0,1,0,1,ad.\n   ?,0,0, 1,1,0,1,0,nonad.\n"


def test_ads_columns_go_to_their_views(made):
    data = made(web.build_ads, {"ad-dataset.zip": {"ad.names": NAMES, "ad.data": DATA}})
    names = {"url_ancurl": ["url*a", "url*bé", "ancurl*d"], "alt_origurl": ["alt*e", "origurl*c"]}
    holds(
        data, feature_names=names, classes=["ad", "nonad"],
        url_ancurl=[[1, 0, 1], [0, 1, 0]], alt_origurl=[[0, 0], [1, 1]],
    )  # fmt: skip


def test_course_features(made):
    cell = np.empty((2, 1), dtype=object)
    cell[0, 0], cell[1, 0] = np.eye(3, 2), np.eye(3, 4)
    files = {"WebKB.mat": {"X": cell, "y": np.array([[1], [2], [2]])}}
    classes = ["course", "non-course", "non-course"]
    data = made(web.build_webkb_course, files)
    holds(data, page=np.eye(3, 4).tolist(), link=np.eye(3, 2).tolist(), classes=classes)


def test_formal_features_are_those_described():
    text = 'I loved it! We paid 20 dollars. Would you go? "Never"'
    words = [3, 4, 3, 1]
    found = web.formal_features(text)
    assert np.allclose(found, [np.log(5), np.log1p(sum(words) / 4), 2 / 4, 2 / 4, 1 / 4])
    assert np.array_equal(web.formal_features("  \n "), np.zeros(5))
    assert web.formal_features("no end mark")[0] == pytest.approx(np.log(2))


def test_opinion_spam(made):
    texts = {
        f"op_spam_v1.4/{polarity}_polarity/{source}/fold{fold}/{source[0]}_{fold}.txt":
        f"room was nice café {source}"
        for polarity in ("positive", "negative")
        for source in ("truthful_from_Web", "deceptive_from_MTurk")
        for fold in (1, 2)
    }  # fmt: skip
    data = made(web.build_opinion_spam, {"op_spam_v1.4.tar.gz": texts}, min_df=5)
    assert data.feature_names["lexical"] == ["caf", "from", "nice", "room", "was"]
    assert data.views["formal"].shape == (8, 5)
    holds(
        data, classes=["spam", "spam", "true", "true"] * 2, fold=[1, 2] * 4,
        positive=[False] * 4 + [True] * 4,
    )  # fmt: skip
