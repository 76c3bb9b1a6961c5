"""Random mutants: every one compiles, changes one place, and a planted one is noticed."""

import ast
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from run_mutants import ROOMS, caught, drawn, guards_of, mutants_of

from reproduction.files import ROOT

TEXT = '''\
"""Prose 1 < 2 stays."""
LIMIT = 3


def smaller(a: int = 1, b: float = 0.5) -> bool:
    """Not 2 + 2."""
    return a < b and not (a + 1 == b * 2)
'''


def test_places_of_a_file(tmp_path):
    path = tmp_path / "m.py"
    path.write_text(TEXT)
    found = {(m.old, m.new) for m in mutants_of(path, "m.py")}
    assert found == {
        ("3", "4"), ("1", "2"), ("0.5", "2.0"), ("<", "<="), ("and", "or"), ("+", "-"),
        ("==", "!="), ("*", "/"), ("2", "3"),
    }  # fmt: skip


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_every_mutant_compiles_and_differs_in_one_place(room, rng):
    for mutant in drawn(room, 20, int(rng.integers(10**6))):
        before = (ROOT / mutant.file).read_bytes()
        assert before[mutant.start :].startswith(mutant.old.encode())
        assert ast.dump(ast.parse(before)) != ast.dump(ast.parse(mutant.of(before)))
        assert all((ROOT / tests).exists() for tests in guards_of(mutant, room))


def test_a_planted_mutant_is_noticed_and_the_file_put_back(tmp_path, monkeypatch):
    (tmp_path / "src").mkdir()
    module, test = tmp_path / "src" / "m.py", tmp_path / "test_m.py"
    module.write_text("def twice(x):\n    return x * 2\n")
    test.write_text("from m import twice\n\n\ndef test_twice():\n    assert twice(1) == 2\n")
    monkeypatch.setattr("run_mutants.guards_of", lambda mutant, room: ["test_m.py"])
    kept = module.read_bytes()
    found = {m.new: caught(tmp_path, m, "any") for m in mutants_of(module, "src/m.py")}
    assert found == {"/": True, "3": True}
    assert module.read_bytes() == kept
