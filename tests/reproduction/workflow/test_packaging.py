"""pyproject.toml, requirements.lock and environment.yml must not disagree."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest
import yaml
from packaging.utils import canonicalize_name

from reproduction.files import ROOT
from reproduction.workflow.packaging import direct_requirements, environment_text, locked_versions

LOCKED_EXTRAS = re.findall(r"--extra (\w+)", (ROOT / "Makefile").read_text(encoding="utf-8"))


def test_the_lock_is_made_for_what_the_gate_needs():
    assert {"reproduce", "dev"} <= set(LOCKED_EXTRAS)


@pytest.mark.parametrize("extra", LOCKED_EXTRAS)
def test_the_lock_satisfies_every_direct_requirement(extra):
    """One that pyproject.toml names and the lock forgot would skip its tests in silence."""
    pins = locked_versions()
    for requirement in direct_requirements(extra=extra):
        version = pins.get(canonicalize_name(requirement.name), "nowhere")
        assert version != "nowhere", f"{requirement} is not locked; run `make lock`"
        assert requirement.specifier.contains(version), f"{requirement} but locked {version}"


def test_environment_yml_is_what_make_lock_writes():
    assert (ROOT / "environment.yml").read_text(encoding="utf-8") == environment_text()


def test_environment_yml_pins_every_direct_requirement():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    plain = [line for line in environment["dependencies"] if isinstance(line, str)]
    pip = next(line for line in environment["dependencies"] if isinstance(line, dict))["pip"]
    assert len(plain) + len(pip) == len(direct_requirements()) + 3  # python, pip, the project


def test_every_pin_has_a_hash_and_no_host_is_named():
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=[A-Za-z0-9])", text.strip())
    assert len(entries) > 100
    assert all("--hash=sha256:" in entry for entry in entries)
    assert not re.search(r"https?://|file:|--index-url|--find-links", text)


#: Modules that belong to a direct requirement though another distribution carries them.
PART_OF = {
    "cycler": "matplotlib",
    "joblib": "scikit-learn",
    "llvmlite": "numba",
    "markupsafe": "jinja2",
    "pydantic_core": "pydantic",
    "urllib3": "requests",
}


#: What one builder, reader or method asks for by name when it is needed, and says how to get.
OPTIONAL = {"jieba", "anndata", "mudata", "pyarrow"}


def imported(path, *, lazily=True):
    """Names of the top-level packages a source file imports; ``lazily``: inside functions too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree) if lazily else tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.partition(".")[0]


def distributions(names):
    """What the package index calls the carriers of imported names, own and standard ones aside."""
    own = {"manyviews", "reproduction", *sys.stdlib_module_names}
    carriers = packages_distributions()
    return {
        name: {canonicalize_name(PART_OF.get(name) or d) for d in carriers.get(name, [name])}
        for name in set(names) - own
    }


def required(extra):
    return {canonicalize_name(requirement.name) for requirement in direct_requirements(extra=extra)}


def test_what_the_sources_import_is_required():
    # what only `make lock` and `make archive` call has the development tools
    tools = {"packaging.py", "crate.py"}
    sources = [path for path in (ROOT / "src").rglob("*.py") if path.name not in tools]
    found = distributions(name for path in sources for name in imported(path))
    assert len(found) > 15
    known = required("reproduce") | required("rivals") | OPTIONAL
    lacking = [name for name, carriers in found.items() if not carriers & known]
    assert not lacking, f"imported, but pyproject.toml does not require it: {lacking}"


def test_the_base_requirements_are_what_the_library_imports():
    library = ROOT / "src" / "manyviews"
    # the comparison engine stands beside the library and has an extra of its own
    sources = [path for path in library.rglob("*.py") if library / "compare" not in path.parents]
    found = distributions(name for path in sources for name in imported(path, lazily=False))
    assert set().union(*found.values()) == required("")


def test_what_the_library_imports_late_is_an_extra():
    sources = list((ROOT / "src" / "manyviews").rglob("*.py"))
    found = distributions(name for path in sources for name in imported(path))
    allowed = {name for extra in ("mip", "text", "compare", "rivals") for name in required(extra)}
    assert set().union(*found.values()) <= allowed | OPTIONAL


def test_the_wheel_carries_the_library_alone():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
    assert build["build"]["targets"]["wheel"]["packages"] == ["src/manyviews"]
