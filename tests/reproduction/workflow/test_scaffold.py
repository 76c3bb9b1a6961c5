"""What is left of a skeleton is found in every file of a paper's room."""

import shutil

import pytest

from reproduction import rooms
from reproduction.workflow import scaffold

PAPER = "sgc"


def test_a_placeholder_in_any_file_is_named_with_its_line(tmp_path, monkeypatch):
    copy = shutil.copytree(rooms.PAPERS / PAPER, tmp_path / PAPER)
    monkeypatch.setattr(rooms, "PAPERS", tmp_path)
    scaffold.check_room(PAPER)
    files = [path for path in copy.iterdir() if path.is_file()]
    assert len(files) > 6
    for path in files:
        text = path.read_text()
        path.write_text(f"{text}# {scaffold.MARKER}\n")
        place = rf"{path.name}, line {len(text.splitlines()) + 1}: {scaffold.MARKER} is left"
        with pytest.raises(rooms.RoomError, match=place):
            scaffold.check_room(PAPER)
        path.write_text(text)


def test_every_file_of_the_skeleton_that_a_reader_sees_asks_to_be_written():
    files = [path for path in (scaffold.TEMPLATES / "paper").iterdir() if path.is_file()]
    files.append(scaffold.TEMPLATES / "page.ipynb")
    silent = {path.name for path in files if scaffold.MARKER not in path.read_text()}
    assert silent == {"claims.py"}
