"""Keep the three lists of versions in step: pyproject.toml, requirements.lock, environment.yml.

``python -m reproduction.workflow.packaging environment.yml`` writes the conda file with the
versions of the lock file; the ranges people may use stand in pyproject.toml.
"""

import re
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from reproduction.files import ROOT, write_text

PYTHON = "3.11"
_LOCKED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;]+)(?: ; (.*?))?(?: \\)?$")
# conda-forge names that differ from the package index's; None: not on conda-forge, left to pip
CONDA_NAMES: dict[str, str | None] = {
    "matplotlib": "matplotlib-base",
    "opencv-python-headless": None,
}


def direct_requirements(root: Path = ROOT, extra: str = "reproduce") -> list[Requirement]:
    """Return what pyproject.toml names: the library's requirements, then those of an extra.

    An extra may contain others of the same distribution (``manyviews[mip]``): they are opened.
    """
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = [Requirement(line) for line in project["dependencies"]]
    waiting = [extra] if extra else []
    while waiting:
        for line in project["optional-dependencies"][waiting.pop()]:
            requirement = Requirement(line)
            if canonicalize_name(requirement.name) == canonicalize_name(project["name"]):
                waiting.extend(sorted(requirement.extras))
            else:
                found.append(requirement)
    return sorted(found, key=lambda requirement: requirement.name.lower())


def locked_versions(root: Path = ROOT) -> dict[str, str]:
    """Return canonical name to version for every pin of requirements.lock."""
    return {canonicalize_name(pin[1]): pin[2] for pin in _pins(root)}


def locked_conditions(root: Path = ROOT) -> dict[str, str]:
    """Return canonical name to the condition of its pin (platform, Python), empty for most."""
    return {canonicalize_name(pin[1]): pin[3] or "" for pin in _pins(root)}


def _pins(root: Path) -> list[re.Match[str]]:
    lines = (root / "requirements.lock").read_text(encoding="utf-8").splitlines()
    return [pin for pin in map(_LOCKED.match, lines) if pin]


def environment_text(root: Path = ROOT) -> str:
    """Return the text of environment.yml for the current pins."""
    pins = locked_versions(root)
    conda, from_pip = [], []
    for requirement in direct_requirements(root):
        name = canonicalize_name(requirement.name)
        other = CONDA_NAMES.get(name, name)
        if other is None:
            from_pip.append(f"      - {name}=={pins[name]}")
        else:
            # snakemake's conda package pulls heavy extras; the minimal one is the same program
            shown = "snakemake-minimal" if name == "snakemake" else other
            conda.append(f"  - {shown}={pins[name]}")
    lines = [
        "# Written by `make lock` from requirements.lock; the same versions, for conda users.",
        "name: manyviews",
        "channels:",
        "  - conda-forge",
        "  - bioconda",
        "dependencies:",
        f"  - python={PYTHON}",
        "  - pip",
        *conda,
        "  - pip:",
        *from_pip,
        "      - --editable .",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    write_text(Path(sys.argv[1]), environment_text())
