"""Rooms of papers: their cards, what they hold, and what is left of a skeleton in them."""

import shutil

import pytest

from reproduction import rooms
from reproduction.rooms import RoomError, find_paper, find_papers, paper_keys, room
from reproduction.verdicts.claim_scores import load_claims_file
from reproduction.workflow.scaffold import MARKER, check_room

CARD = """\
title: A title
short: Short
authors: [A. Author, B. Author]
year: 2001
venue: A journal
identifier: 10.1000/xyz
datasets: [cora]
summary: What it is.
"""


def write(folder, key, text):
    place = folder / key
    place.mkdir(parents=True)
    (place / "paper.yaml").write_text(text)


def test_papers_are_found_and_ordered_by_year(tmp_path):
    write(tmp_path, "later", CARD)
    write(tmp_path, "first", CARD.replace("2001", "1998"))
    (tmp_path / "no_card").mkdir()
    found = find_papers(tmp_path)
    assert list(found) == ["first", "later"]
    assert found["later"].citation == (
        "A. Author, B. Author (2001). A title. A journal. 10.1000/xyz."
    )


def test_the_address_is_the_first_link_or_the_identifiers(tmp_path):
    write(tmp_path, "linked", CARD + "links: [https://one.org/a, https://two.org/b]\n")
    write(tmp_path, "known", CARD.replace("10.1000", "doi:10.1000"))
    write(tmp_path, "nowhere", CARD)
    found = {key: card.address for key, card in find_papers(tmp_path).items()}
    assert found == {
        "linked": "https://one.org/a", "known": "https://doi.org/10.1000/xyz", "nowhere": "",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("year: 2001\n", "", "year: Field required"),
        ("year: 2001", "year: soon", "year: "),
        ("venue", "venues", "venue"),
        ("title: A title", 'title: ""', "title: "),
        ("datasets: [cora]", "datasets: [cora]\ndatasets: [webkb]", "given twice"),
    ],
)
def test_a_wrong_card_is_named(tmp_path, old, new, text):
    write(tmp_path, "toy", CARD.replace(old, new))
    with pytest.raises(ValueError, match=text) as caught:
        find_papers(tmp_path)
    assert "paper.yaml" in str(caught.value)


@pytest.mark.parametrize("paper", paper_keys())
def test_every_room_has_what_a_paper_needs(paper):
    for name in ("published.csv", "claims.yaml", "claims.py", "paper.py"):
        assert (room(paper) / name).is_file(), f"{paper} lacks {name}"
    main = find_paper(paper).main_claims
    assert main, f"{paper} names no claim it stands for"
    assert set(main) <= {claim.id for claim in load_claims_file(paper)}


def test_a_placeholder_in_any_file_is_named_with_its_line(tmp_path, monkeypatch):
    copy = shutil.copytree(rooms.PAPERS / "sgc", tmp_path / "sgc")
    monkeypatch.setattr(rooms, "PAPERS", tmp_path)
    check_room("sgc")
    files = [path for path in copy.iterdir() if path.is_file()]
    assert len(files) > 6
    for path in files:
        text = path.read_text()
        path.write_text(f"{text}# {MARKER}\n")
        place = rf"{path.name}, line {len(text.splitlines()) + 1}: {MARKER} is left"
        with pytest.raises(RoomError, match=place):
            check_room("sgc")
        path.write_text(text)
