"""Build a release of the library and try it as a stranger would.

``python -m reproduction.workflow.release`` (``make release``) checks that every file names the same
version, builds wheel and source archive, installs each in an environment of its own, runs the
library's tests and README's example there, and writes ``SHA256SUMS`` last: a folder with that file
holds a release that was tried. The last lines say what passed on which Python.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from reproduction.files import ROOT, read_yaml, write_text

SUMS = "SHA256SUMS"
_SECTION = re.compile(r"^## (\S+) — (\d{4}-\d{2}-\d{2})$", re.MULTILINE)
_EXAMPLE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class ReleaseError(ValueError):
    """The release cannot be made; the text says what to mend."""


@dataclass(frozen=True)
class Trial:
    """What a clean environment showed of an artefact."""

    artefact: str
    python: str
    passed: int
    skipped: int
    seconds: float

    def __str__(self) -> str:
        skipped = f" ({self.skipped} skipped)" if self.skipped else ""
        return (
            f"{self.artefact} on Python {self.python}: {self.passed} tests passed{skipped}, "
            f"README's example ran, {self.seconds:.0f} s"
        )


def check_versions(root: Path = ROOT) -> str:
    """Return the version that all files of the project agree on.

    Raises
    ------
    ReleaseError
        pyproject.toml, ``manyviews.__version__``, CITATION.cff and the newest section of
        CHANGELOG.md name different versions or dates, or the newest section has no date.
    """
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    source = (root / "src" / "manyviews" / "__init__.py").read_text(encoding="utf-8")
    stated = re.search(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    citation = read_yaml(root / "CITATION.cff")
    heads = re.findall(r"^## .*$", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    newest = _SECTION.match(heads[0]) if heads else None
    if newest is None:
        raise ReleaseError("CHANGELOG.md: the newest section must read '## VERSION — YYYY-MM-DD'")
    versions = {
        "pyproject.toml": str(project["version"]),
        "src/manyviews/__init__.py": stated[1] if stated else "none",
        "CITATION.cff": str(citation["version"]),
        "CHANGELOG.md": newest[1],
    }
    if len(set(versions.values())) > 1:
        named = ", ".join(f"{file} says {version}" for file, version in versions.items())
        raise ReleaseError(f"{named}; give all the same version")
    if str(citation["date-released"]) != newest[2]:
        raise ReleaseError(
            f"CITATION.cff is dated {citation['date-released']}, CHANGELOG.md {newest[2]}; "
            "give both the day of the release"
        )
    return newest[1]


def readme_example(root: Path = ROOT) -> str:
    """Return README's first Python example, which runs as it stands."""
    found = _EXAMPLE.search((root / "README.md").read_text(encoding="utf-8"))
    if found is None:
        raise ReleaseError("README.md has no example: a block that opens with ```python")
    return found[1]


def _run(command: Sequence[str | Path], folder: Path) -> None:
    """Run a command that sees no other copy of the sources; its failure ends the release."""
    print("+", " ".join(map(str, command)), flush=True)
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, env=clean, check=False)
    if done.returncode:
        raise ReleaseError(f"`{' '.join(map(str, command))}` ended with {done.returncode}")


def build(folder: Path, root: Path = ROOT) -> list[Path]:
    """Build wheel and source archive into an emptied folder; the same sources, the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        if old.suffix in (".whl", ".gz") or old.name == SUMS:
            old.unlink()
    _run([sys.executable, "-m", "hatchling", "build", "--directory", folder.resolve()], root)
    return sorted([*folder.glob("*.whl"), *folder.glob("*.tar.gz")])


def version_of(python: str) -> str:
    """Return the version of an interpreter; one that is not there ends the release."""
    command = [python, "-c", "import platform; print(platform.python_version())"]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise ReleaseError(f"{python} is no Python that runs: {error}") from error


def counted(junit: Path) -> tuple[int, int]:
    """Return how many tests passed and how many were skipped, from pytest's XML."""
    suites = list(ET.parse(junit).iter("testsuite"))
    total, bad, skipped = (
        sum(int(suite.get(name, "0")) for suite in suites for name in names)
        for names in (("tests",), ("failures", "errors"), ("skipped",))
    )
    return total - bad - skipped, skipped


def try_in_clean_environment(artefact: Path, sdist: Path, python: str) -> Trial:
    """Install an artefact with its own requirements; run the library's tests and the example.

    The tests come from the source archive and run in a folder that holds no sources of the library,
    so that only what was installed can be imported.
    """
    start = time.monotonic()
    version = version_of(python)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        _run([python, "-m", "venv", "environment"], place)
        inside = place / "environment" / "bin" / "python"
        _run([inside, "-m", "pip", "install", "--quiet", f"{artefact.resolve()}[test]"], place)
        with tarfile.open(sdist) as archive:
            archive.extractall(place, filter="data")
        unpacked = place / sdist.name.removesuffix(".tar.gz")
        (unpacked / "src").rename(place / "sources-out-of-reach")
        junit = place / "tests.xml"
        pytest: list[str | Path] = [
            inside,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            f"--junit-xml={junit}",
        ]
        _run([*pytest, "tests/library"], unpacked)
        write_text(place / "example.py", readme_example(unpacked))
        _run([inside, "example.py"], place)
        return Trial(artefact.name, version, *counted(junit), time.monotonic() - start)


def write_sums(files: Iterable[Path], folder: Path) -> Path:
    """Write the checksums as ``sha256sum --check`` reads them."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    write_text(folder / SUMS, "".join(lines))
    return folder / SUMS


def main(arguments: list[str] | None = None) -> int:
    """Make the release; an error is one line and exit code 2."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("dist"))
    parser.add_argument(
        "--python",
        action="append",
        help="interpreter that tries the wheel; may be repeated (default: this one)",
    )
    parser.add_argument("--build-only", action="store_true", help="write no checksums, try nothing")
    given = parser.parse_args(arguments)
    try:
        print(f"manyviews {check_versions()}", flush=True)
        pythons = given.python or [sys.executable]
        for python in pythons:
            version_of(python)  # one that is missing is named before anything takes time
        built = build(given.folder)
        if given.build_only:
            return 0
        (sdist,) = given.folder.glob("*.tar.gz")
        (wheel,) = given.folder.glob("*.whl")
        wanted = [*((wheel, python) for python in pythons), (sdist, sys.executable)]
        trials = []
        for number, (artefact, python) in enumerate(wanted, start=1):
            head = f"trial {number} of {len(wanted)}: {artefact.name} on Python"
            print(f"{head} {version_of(python)}, some minutes", flush=True)
            trials.append(try_in_clean_environment(artefact, sdist, python))
            print(trials[-1], flush=True)
        print("", *trials, write_sums(built, given.folder), sep="\n")
    except ReleaseError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
