"""A sample of the chaos scripts, small enough for every run of the tests."""

import pytest
from foreign import formats, outcome
from hostile import read as read_hostile
from mutations import run as read_mutations
from own_files import own_formats

pytestmark = pytest.mark.xdist_group("chaos")


def test_sound_files_are_read(tmp_path):
    folder = tmp_path / "alone"
    folder.mkdir()
    for title, form in {**formats(tmp_path), **own_formats()}.items():
        assert outcome(form, form.content, folder) == "value", title


def test_hostile_files_are_refused_by_name(tmp_path):
    figures = read_hostile(tmp_path)
    assert figures["wrong"] == []
    assert figures["code runs and escapes"] == 0


def test_mutated_files_crash_nothing(rng):
    figures = read_mutations(50, rng)
    assert figures["wrong"] == []
    assert figures["refused"] + figures["read all the same"] == 50 * figures["formats"]


def test_the_judge_can_fail(tmp_path):
    """A reader that raises anything else, or does not name its file, is found."""
    form = formats(tmp_path)["zip"]

    def careless(path):
        raise KeyError("member")

    broken = type(form)(form.file, form.content, careless)
    assert outcome(broken, form.content, tmp_path) == "KeyError: 'member'"
