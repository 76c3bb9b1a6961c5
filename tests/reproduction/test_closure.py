"""Hashes of the sources change with what is computed, and with nothing else."""

import textwrap

import pytest

from reproduction.closure import (
    closure_hash,
    import_closure,
    imported_modules,
    package_hash,
)

FILES = {
    "base.py": "import os\n",
    "alone.py": "X = 1\n",
    "typed.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import house.alone\n",
    "__init__.py": "",
    "models/__init__.py": "",
    "models/a.py": "from house.base import thing\n",
    "models/b.py": "def f():\n    from house.models import a\n    return a\n",
    "models/cycle.py": "import house.models.ring\n",
    "models/ring.py": "import house.models.cycle\n",
}


def forget():
    """Forget who imports whom."""
    import_closure.cache_clear()
    imported_modules.cache_clear()


@pytest.fixture
def sources(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / "house" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
    forget()
    yield tmp_path
    forget()


def names(paths, sources):
    return {path.relative_to(sources / "house").as_posix() for path in paths}


def test_the_closure_follows_imports_and_packages(sources):
    assert names(import_closure("house.models.b", sources), sources) == {
        "__init__.py",
        "base.py",
        "models/__init__.py",
        "models/a.py",
        "models/b.py",
    }


def test_imports_for_type_checkers_do_not_count(sources):
    assert imported_modules(sources / "house" / "typed.py", sources) == set()


def test_the_hash_changes_exactly_with_the_closure(sources):
    def hashes():
        forget()
        return {m: closure_hash(f"house.{m}", sources) for m in ("models.b", "alone", "typed")}

    before = hashes()
    (sources / "house" / "base.py").write_text("import sys\n")
    after = hashes()
    assert after["models.b"] != before["models.b"]
    assert after["alone"] == before["alone"]
    (sources / "house" / "alone.py").write_text("X = 20\n")
    last = hashes()
    assert last["alone"] != after["alone"]
    assert last["models.b"] == after["models.b"]
    assert last["typed"] == before["typed"]


PLAIN = """
def f(x, *, y=1):
    return x + y


class A:
    z = "text"
"""

SAME = {
    "comment": PLAIN.replace("return x", "# why\n    return x") + "# changed\n",
    "docstrings": '"""A module."""\n'
    + PLAIN.replace("    return", '    """Add."""\n    return').replace(
        "class A:", 'class A:\n    """A class."""\n'
    ),
    "line breaks": PLAIN.replace("x + y", "(\n        x\n        + y\n    )"),
    "quotes": PLAIN.replace('"text"', "'text'"),
}
OTHER = {
    "operator": PLAIN.replace("x + y", "x - y"),
    "default": PLAIN.replace("y=1", "y=2"),
    "type of a constant": PLAIN.replace("y=1", "y=1.0"),
    "truth value for a number": PLAIN.replace("y=1", "y=True"),
    "text": PLAIN.replace('"text"', '"texts"'),
    "name": PLAIN.replace("class A", "class B"),
    "a string that is no docstring": PLAIN.replace("return x + y", 'x = "s"\n    return x + y'),
    "nesting": PLAIN.replace("class A:\n    z", "class A: pass\nz"),
    "decorator": PLAIN.replace("def f", "@staticmethod\ndef f"),
}


def hash_of(tmp_path, text, counter=[0]):  # noqa: B006 - a new folder each time
    counter[0] += 1
    folder = tmp_path / str(counter[0])
    folder.mkdir()
    (folder / "m.py").write_text(textwrap.dedent(text))
    return package_hash(folder)


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_what_changes_no_computation_changes_no_hash(tmp_path, text):
    assert text != PLAIN
    assert hash_of(tmp_path, text) == hash_of(tmp_path, PLAIN)


@pytest.mark.parametrize("text", OTHER.values(), ids=OTHER)
def test_what_changes_a_computation_changes_the_hash(tmp_path, text):
    assert text != PLAIN
    assert hash_of(tmp_path, text) != hash_of(tmp_path, PLAIN)
