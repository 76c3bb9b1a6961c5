"""Hashes of the sources change with what is computed, and with nothing else."""

import json
import os

import pytest

from reproduction.closure import (
    closure_hash,
    import_closure,
    imported_modules,
    package_hash,
)
from reproduction.facts import facts_of, parsed

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


@pytest.mark.parametrize(
    ("module", "files"),
    [
        ("models.b", {"base.py", "models/__init__.py", "models/a.py", "models/b.py"}),
        ("models.ring", {"models/__init__.py", "models/cycle.py", "models/ring.py"}),
        ("typed", {"typed.py"}),
    ],
)
def test_the_closure_follows_imports_and_packages(sources, module, files):
    found = import_closure(f"house.{module}", sources)
    names = {path.relative_to(sources / "house").as_posix() for path in found}
    assert names == files | {"__init__.py"}


@pytest.mark.parametrize(("changed", "others"), [("base", ["alone"]), ("alone", ["models.b"])])
def test_the_hash_changes_exactly_with_the_closure(sources, changed, others):
    def hashes():
        forget()
        return {m: closure_hash(f"house.{m}", sources) for m in ("models.b", "alone", "typed")}

    before = hashes()
    (sources / "house" / f"{changed}.py").write_text("import sys\nX = 20\n")
    after = hashes()
    same = {name for name in before if after[name] == before[name]}
    assert same == {"typed", *others}


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


@pytest.mark.parametrize("what", [*SAME, *OTHER])
def test_a_hash_changes_with_what_is_computed(tmp_path, what):
    hashes = []
    for name, text in (("one", PLAIN), ("two", (SAME | OTHER)[what])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.py").write_text(text)
        hashes.append(package_hash(tmp_path / name))
    assert (hashes[0] == hashes[1]) == (what in SAME)


def test_a_changed_file_is_read_anew(tmp_path):
    source = tmp_path / "source.py"
    source.write_text("import os\nX = 1\n")
    before, when = facts_of(source), source.stat()
    source.write_text("import re\nX = 2\n")  # as long as before
    os.utime(source, ns=(when.st_atime_ns, when.st_mtime_ns + 1))
    assert facts_of(source) == parsed(source.read_bytes()) != before


def test_a_page_follows_the_modules_that_its_notebook_calls(tmp_path):
    code = """import numpy
import reproduction.rooms
from reproduction.pages import page as p, nothing_like_it
if True:
    from reproduction.pages.tables import anything
"""
    notebook = tmp_path / "some.ipynb"
    cells = [
        {"cell_type": "markdown", "source": ["import reproduction.files"]},
        {"cell_type": "code", "source": code.splitlines(keepends=True)},
        {"cell_type": "code", "source": "import reproduction.closure"},
    ]
    notebook.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    names = {"closure", "pages", "pages.page", "pages.tables", "rooms"}
    assert imported_modules(notebook) == {f"reproduction.{name}" for name in names}
