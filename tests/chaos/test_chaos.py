"""A sample of the chaos scripts, small enough for every run of the tests."""

import numpy as np
import pytest
from foreign import formats, outcome
from hostile import run as read_hostile
from kills import digests
from malformed import KINDS, estimators
from mutations import mutate
from mutations import run as read_mutations
from own_files import own_formats
from run_chaos import HERE, PARTS, main

from manyviews.testing.data import random_case

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


def test_mutations_change_something(rng):
    content = bytes(range(256))
    assert sum(mutate(content, rng) != content for _ in range(100)) > 80


def test_the_judge_can_fail(tmp_path):
    """A reader that raises anything else, or does not name its file, is found."""
    form = formats(tmp_path)["zip"]

    def careless(path):
        raise KeyError("member")

    broken = type(form)(form.file, form.content, careless)
    assert outcome(broken, form.content, tmp_path) == "KeyError: 'member'"


def test_there_are_49_kinds_of_malformed_input_for_every_estimator():
    case = random_case(np.random.default_rng(0))
    assert sum(len(make(case)) for make in KINDS.values()) >= 49
    assert len(estimators()) > 20


def test_files_of_a_run_are_compared_without_times(tmp_path):
    for name in ("a.csv", "a.timing.csv", ".a.csv.x", "logs/a.log", "b/page.html"):
        path = tmp_path / "build/quick" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    assert sorted(digests(tmp_path)) == ["build/quick/a.csv", "build/quick/b/page.html"]


def test_every_part_is_a_script_and_unknown_ones_are_named(capsys):
    assert all((HERE / f"{part}.py").is_file() for part in PARTS)
    assert main(["storms"]) == 2
    assert "there is no 'storms'; the parts are: tampering" in capsys.readouterr().err
