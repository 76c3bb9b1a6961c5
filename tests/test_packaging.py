"""pyproject.toml, requirements.lock and environment.yml must not disagree."""

import re

import yaml
from packaging.utils import canonicalize_name

from multiview.config import ROOT
from multiview.packaging import direct_requirements, environment_text, locked_versions


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
