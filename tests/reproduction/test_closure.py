"""Import closures, on two invented packages of which one uses the other."""

import pytest

from reproduction.closure import SOURCES, closure_hash, import_closure, imported_modules

FILES = {
    "library/__init__.py": "",
    "library/base.py": "import os\n",
    "library/alone.py": "X = 1\n",
    "library/typed.py": "import typing\nif typing.TYPE_CHECKING:\n    import library.alone\n",
    "library/models/__init__.py": "",
    "library/models/a.py": "from library.base import thing\n",
    "library/models/b.py": "def f():\n    from library.models import a\n    return a\n",
    "library/models/cycle.py": "import library.models.ring\n",
    "library/models/ring.py": "import library.models.cycle\n",
    "study/__init__.py": "",
    "study/job.py": "import numpy\nfrom library.models.b import f\n",
}


def forget():
    """Files do not change while a workflow is planned; here they do."""
    import_closure.cache_clear()
    imported_modules.cache_clear()


@pytest.fixture
def sources(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    forget()
    yield tmp_path
    forget()


def closure(module, sources):
    return {path.relative_to(sources).as_posix() for path in import_closure(module, sources)}


def test_the_closure_follows_imports_and_packages(sources):
    model = {f"library/{name}" for name in ("__init__.py", "base.py")} | {
        f"library/models/{name}" for name in ("__init__.py", "a.py", "b.py")
    }
    assert closure("library.models.b", sources) == model
    assert closure("study.job", sources) == model | {"study/__init__.py", "study/job.py"}


def test_cycles_end(sources):
    files = closure("library.models.ring", sources)
    assert {"library/models/ring.py", "library/models/cycle.py"} < files


def test_imports_for_type_checkers_do_not_count(sources):
    assert imported_modules(sources / "library" / "typed.py", sources) == set()


def test_the_hash_changes_exactly_with_the_closure(sources):
    def hashes():
        forget()
        names = ("study.job", "library.models.b", "library.alone", "library.typed")
        return {name.rpartition(".")[2]: closure_hash(name, sources) for name in names}

    before = hashes()
    (sources / "library" / "base.py").write_text("import sys\n")
    after = hashes()
    assert {name for name in before if after[name] != before[name]} == {"job", "b"}
    (sources / "library" / "alone.py").write_text("X = 2\n")
    last = hashes()
    assert {name for name in before if last[name] != after[name]} == {"alone"}


def test_unknown_modules_are_errors(sources):
    with pytest.raises(ValueError, match=r"no module library\.nothing"):
        import_closure("library.nothing", sources)


def test_the_projects_own_workflow_is_found():
    assert SOURCES / "manyviews" / "__init__.py" in import_closure("reproduction.data.fetch")
