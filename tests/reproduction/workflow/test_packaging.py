"""What is declared and locked agrees; all files name one version."""

import re
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from manyviews import __version__
from reproduction.files import ROOT, read_yaml

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCKED_EXTRAS = re.findall(r"--extra (\w+)", (ROOT / "Makefile").read_text(encoding="utf-8"))


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


def test_all_files_name_one_version_and_one_day():
    citation = read_yaml(ROOT / "CITATION.cff")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\S+) — (\d{4}-\d{2}-\d{2})$", changes, re.MULTILINE)
    assert {PROJECT["version"], str(citation["version"]), newest[1]} == {__version__}
    assert str(citation["date-released"]) == newest[2]
