"""pyproject.toml, requirements.lock and environment.yml must not disagree."""

import ast
import re
import sys
from importlib.metadata import packages_distributions

import yaml
from packaging.utils import canonicalize_name

from reproduction.files import ROOT
from reproduction.workflow.packaging import direct_requirements, environment_text, locked_versions


def test_the_lock_satisfies_every_direct_requirement():
    pins = locked_versions()
    for requirement in direct_requirements():
        version = pins[canonicalize_name(requirement.name)]
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
    "IPython": "ipykernel",
    "cycler": "matplotlib",
    "llvmlite": "numba",
    "markupsafe": "jinja2",
    "urllib3": "requests",
}


def imported(path):
    """Names of the top-level packages a source file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.partition(".")[0]


def test_what_the_package_imports_is_required():
    required = {canonicalize_name(requirement.name) for requirement in direct_requirements()}
    own = {"multiview", *sys.stdlib_module_names}
    # packaging.py is called by `make lock` alone, which has the development tools
    sources = [path for path in (ROOT / "src").rglob("*.py") if path.name != "packaging.py"]
    names = {name for path in sources for name in imported(path)} - own
    carriers = packages_distributions()
    found = {name: {PART_OF.get(name, ""), *carriers.get(name, [])} for name in names}
    assert len(found) > 15
    lacking = [n for n, by in found.items() if not {canonicalize_name(d) for d in by} & required]
    assert not lacking, f"imported, but pyproject.toml does not require it: {lacking}"
