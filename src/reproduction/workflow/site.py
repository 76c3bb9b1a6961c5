"""Put pages and documentation together as static files: ``python -m reproduction.workflow.site``.

The sources keep their places (README.md beside docs/ and reports/), so a link that works in the
repository works on the site, and the site works from any sub-path. Nothing on it asks the network.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from reproduction.files import ROOT, shown_path, write_text

#: Texts beside docs/ that the site shows; what is linked and no text is copied as it is.
TEXTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "config/README.md", "data/README.md")
PLAIN = ("LICENSE", "CITATION.cff")
#: Pages are no documents of Sphinx: links into reports/ stay as they are written.
_REPORT_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(((?:\.\./)*reports/[^)\s]+)\)")


def public_packages() -> dict[str, list[str]]:
    """Group the library's modules by package, a page each; no private ones, no compiled loops."""
    package, packages = ROOT / "src" / "manyviews", dict[str, list[str]]()
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package).with_suffix("").parts
        if inside[0] != "kernels" and not any(part.startswith("_") for part in inside):
            names = packages.setdefault(".".join(("manyviews", *inside[:-1])), [])
            names.append(".".join(("manyviews", *inside)))
    return dict(sorted(packages.items()))


def stage(folder: Path) -> None:
    """Write the sources of the documentation into a folder, each at its place in the repository."""
    documents = sorted(path for path in (ROOT / "docs").rglob("*") if path.suffix != ".py")
    for path in (*documents, *(ROOT / name for name in (*TEXTS, *PLAIN))):
        target = folder / path.relative_to(ROOT)
        if path.suffix == ".md":
            text = _REPORT_LINK.sub(r'<a href="\2">\1</a>', path.read_text(encoding="utf-8"))
            write_text(folder / "index.md" if path == ROOT / "docs" / "index.md" else target, text)
        elif path.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    shutil.copy(ROOT / "docs" / "conf.py", folder)
    packages = public_packages()
    for package, names in packages.items():
        blocks = (
            f"## {name}\n\n```{{eval-rst}}\n.. automodule:: {name}\n   :members:\n```\n"
            for name in names
        )
        write_text(folder / "api" / f"{package}.md", "\n".join([f"# {package}\n", *blocks]))
    entries = "\n".join(packages)
    index = f"# The library, package by package\n\n```{{toctree}}\n:maxdepth: 2\n\n{entries}\n```\n"
    write_text(folder / "api" / "index.md", index)


def build(target: Path, reports: Path | None) -> None:
    """Build the site, or the documentation alone; a link that leads nowhere is an error."""
    if reports is not None and not (reports / "index.html").is_file():
        sys.exit(f"{shown_path(reports)}/index.html is missing; run `make` first")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stage(folder)
        picture = (reports or ROOT / "reports") / "verdicts.svg"
        if picture.is_file():  # README shows it
            write_text(folder / "reports" / picture.name, picture.read_text(encoding="utf-8"))
        (folder / "extra").mkdir()
        if reports is not None:
            shutil.copytree(reports, folder / "extra" / "reports")
        shutil.rmtree(target, ignore_errors=True)
        command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet"]
        places = [folder, target.resolve(), "--doctree-dir", folder / ".doctrees"]
        done = subprocess.run([*command, *map(str, places)], cwd=folder, check=False)
        if done.returncode:
            sys.exit("the documentation has faults; they are named above")


def main() -> None:
    """Build the site."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("build/site"))
    parser.add_argument("--reports", type=Path, default=Path("reports"))
    parser.add_argument("--docs-only", action="store_true", help="leave the pages out")
    given = parser.parse_args()
    build(given.output, None if given.docs_only else given.reports)
    print(f"open {given.output}/index.html")


if __name__ == "__main__":
    main()
