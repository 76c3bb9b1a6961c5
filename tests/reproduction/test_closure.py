import pytest

from reproduction.closure import closure_hash, import_closure, imported_modules

FILES = {
    "__init__.py": "",
    "base.py": "import os\n",
    "alone.py": "X = 1\n",
    "typed.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import multiview.alone\n",
    "models/__init__.py": "",
    "models/a.py": "from multiview.base import thing\n",
    "models/b.py": "def f():\n    from manyviews.models import a\n    return a\n",
    "models/cycle.py": "import manyviews.models.ring\n",
    "models/ring.py": "import manyviews.models.cycle\n",
}


@pytest.fixture
def package(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    import_closure.cache_clear()
    yield tmp_path
    import_closure.cache_clear()


def names(paths, package):
    return {path.relative_to(package).as_posix() for path in paths}


def test_the_closure_follows_imports_and_packages(package):
    assert names(import_closure("manyviews.models.b", package), package) == {
        "__init__.py",
        "base.py",
        "models/__init__.py",
        "models/a.py",
        "models/b.py",
    }


def test_cycles_end(package):
    files = names(import_closure("manyviews.models.ring", package), package)
    assert {"models/ring.py", "models/cycle.py"} < files


def test_imports_for_type_checkers_do_not_count(package):
    assert imported_modules(package / "typed.py", package) == set()


def test_the_hash_changes_exactly_with_the_closure(package):
    def hashes():
        import_closure.cache_clear()
        return {m: closure_hash(f"multiview.{m}", package) for m in ("models.b", "alone", "typed")}

    before = hashes()
    (package / "base.py").write_text("import sys\n")
    after = hashes()
    assert after["models.b"] != before["models.b"]
    assert after["alone"] == before["alone"]
    (package / "alone.py").write_text("X = 2\n")
    last = hashes()
    assert last["alone"] != after["alone"]
    assert last["models.b"] == after["models.b"]
    assert last["typed"] == before["typed"]


def test_unknown_modules_are_errors(package):
    with pytest.raises(ValueError, match="no module multiview"):
        import_closure("multiview.nothing", package)
