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

import pandas as pd

from reproduction.files import ROOT, shown_path, write_text

#: Texts beside docs/ that the site shows; what is linked and no text is copied as it is.
TEXTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "config/README.md", "data/README.md")
PLAIN = ("LICENSE", "CITATION.cff")
INDEX = "index.md"
#: Pages are no documents of Sphinx: links into reports/ stay as they are written.
_REPORT_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(((?:\.\./)*reports/[^)\s]+)\)")
#: Where a page on a method asks for the claims of its paper, with what became of them.
_CLAIMS = re.compile(r"^<!-- claims: (\w+) -->$", re.MULTILINE)


class SiteError(ValueError):
    """The site cannot be built; the text says what to mend."""


def public_packages(root: Path = ROOT) -> dict[str, list[str]]:
    """Group the modules of the library for its readers by package, a page each.

    Private modules and compiled loops are left out.
    """
    package, packages = root / "src" / "manyviews", dict[str, list[str]]()
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package).with_suffix("").parts
        if inside[0] != "kernels" and not any(part.startswith("_") for part in inside):
            names = packages.setdefault(".".join(("manyviews", *inside[:-1])), [])
            names.append(".".join(("manyviews", *inside)))
    return dict(sorted(packages.items()))


def _claims_table(paper: str, root: Path) -> str:
    """Return the claims of a paper as the last run found them."""
    path = root / "reports" / "tables" / "claims.csv"
    if not path.is_file():
        return "The claims are listed here once the workflow has run.\n"
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    rows = frame.loc[frame["paper"] == paper, ["statement", "in_print", "text", "inferred"]]
    lines = [["claim", "in print", "text", "inferred"], ["---"] * 4, *rows.to_numpy().tolist()]
    cells = ([" ".join(cell.split()).replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells) + "\n"


def stage(folder: Path, root: Path = ROOT) -> None:
    """Write the sources of the documentation into a folder, each at its place in the repository."""
    documents = [path.relative_to(root).as_posix() for path in (root / "docs").rglob("*.md")]
    for name in sorted([*documents, *TEXTS]):
        text = (root / name).read_text(encoding="utf-8")
        place = INDEX if name == f"docs/{INDEX}" else name
        text = _REPORT_LINK.sub(r'<a href="\2">\1</a>', text)
        text = _CLAIMS.sub(lambda asked: _claims_table(asked[1], root), text)
        write_text(folder / place, text)
    for kind in ("*.svg", "*.csv"):
        for path in (root / "docs").rglob(kind):
            copy = folder / path.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    for name in PLAIN:
        shutil.copy(root / name, folder / name)
    packages = public_packages(root)
    for package, names in packages.items():
        blocks = (
            f"## {name}\n\n```{{eval-rst}}\n.. automodule:: {name}\n   :members:\n```\n"
            for name in names
        )
        write_text(folder / "api" / f"{package}.md", "\n".join([f"# {package}\n", *blocks]))
    entries = "\n".join(packages)
    index = f"# The library, package by package\n\n```{{toctree}}\n:maxdepth: 2\n\n{entries}\n```\n"
    write_text(folder / "api" / INDEX, index)


def build(target: Path, reports: Path | None, root: Path = ROOT) -> None:
    """Build the site, or the documentation alone where ``reports`` is None.

    A link that leads nowhere or a text that is not valid is an error: Sphinx names the place.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stage(folder, root)
        extra = folder / "extra"
        extra.mkdir()
        picture = (reports or root / "reports") / "verdicts.svg"
        if picture.is_file():  # README shows it
            write_text(folder / "reports" / picture.name, picture.read_text(encoding="utf-8"))
        if reports is not None:
            if not (reports / "index.html").is_file():
                raise SiteError(f"{shown_path(reports)}/index.html is missing; run `make` first")
            shutil.copytree(reports, extra / "reports")
        command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet"]
        shutil.copy(root / "docs" / "conf.py", folder)
        shutil.rmtree(target, ignore_errors=True)
        places = [folder, target.resolve(), "--doctree-dir", Path(name, ".doctrees")]
        done = subprocess.run([*command, *map(str, places)], cwd=folder, check=False)
        if done.returncode:
            raise SiteError("the documentation has faults; they are named above")


def main(arguments: list[str] | None = None) -> int:
    """Build the site; an error is one line and exit code 2."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("build/site"))
    parser.add_argument("--reports", type=Path, default=Path("reports"))
    parser.add_argument("--docs-only", action="store_true", help="leave the pages out")
    given = parser.parse_args(arguments)
    try:
        build(given.output, None if given.docs_only else given.reports)
    except SiteError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"open {given.output}/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
