"""What is declared, locked and imported agrees; all files name one version."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from manyviews import __version__
from reproduction.files import ROOT, read_yaml

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCKED_EXTRAS = re.findall(r"--extra (\w+)", (ROOT / "Makefile").read_text(encoding="utf-8"))
#: Modules that belong to a direct requirement though another distribution carries them.
PART_OF = {
    "cycler": "matplotlib", "joblib": "scikit-learn", "jupyter_client": "nbclient",
    "llvmlite": "numba", "markupsafe": "jinja2", "pydantic_core": "pydantic", "urllib3": "requests",
}  # fmt: skip
#: What one builder, reader or method asks for by name when it is needed, and says how to get.
OPTIONAL = {"jieba", "anndata", "h5py", "openpyxl", "pyarrow"}


def required(*extras):
    """Name to requirement of the library, and of extras with those they contain."""
    more = (line for extra in extras for line in PROJECT["optional-dependencies"][extra])
    found = {}
    for requirement in map(Requirement, (*PROJECT["dependencies"], *more)):
        name = canonicalize_name(requirement.name)
        own = name == PROJECT["name"]
        found |= required(*requirement.extras) if own else {name: requirement}
    return found


def test_the_lock_satisfies_every_direct_requirement():
    """One that pyproject.toml names and the lock forgot would skip its tests in silence."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pins = dict(re.findall(r"^([A-Za-z0-9._-]+)==([^\s;]+)", text, flags=re.MULTILINE))
    for name, requirement in required(*LOCKED_EXTRAS).items():
        assert name in pins, f"{requirement} is not locked; run `make lock`"
        assert requirement.specifier.contains(pins[name]), f"{requirement}, locked {pins[name]}"


def carriers(folder, *, lazily=True, without=()):
    """Imported packages of a folder -> what the package index calls their carriers."""
    names = set()
    for path in folder.rglob("*.py"):
        if any(part in without for part in path.parts):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree) if lazily else tree.body:
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add(node.module.partition(".")[0])
    known = packages_distributions()
    return {
        name: {canonicalize_name(PART_OF.get(name) or found) for found in known.get(name, [name])}
        for name in names - {"asprinted", "manyviews", "reproduction", *sys.stdlib_module_names}
    }


def test_what_the_sources_import_is_required():
    known = {*required("reproduce"), *OPTIONAL}
    found = carriers(ROOT / "src")
    assert not [name for name, distributions in found.items() if not distributions & known]


def test_the_base_requirements_are_what_the_library_imports():
    library = ROOT / "src" / "manyviews"
    # the comparison engine stands beside the library and has an extra of its own
    found = carriers(library, lazily=False, without=["compare"])
    assert set().union(*found.values()) == set(required())
    allowed = {*required("mip", "text", "compare"), *OPTIONAL}
    assert set().union(*carriers(library).values()) <= allowed


def test_all_files_name_one_version_and_one_day():
    citation = read_yaml(ROOT / "CITATION.cff")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\S+) — (\d{4}-\d{2}-\d{2})$", changes, re.MULTILINE)
    assert {PROJECT["version"], str(citation["version"]), newest[1]} == {__version__}
    assert str(citation["date-released"]) == newest[2]
