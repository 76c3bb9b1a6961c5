"""Write the skeleton of a new paper, data set or method: it runs as it stands.

``python -m reproduction new paper my_paper --dataset cora`` and so on; ``docs/extending.md`` goes
on from there.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from reproduction.files import ROOT, write_text
from reproduction.rooms import PAPERS, find_papers, room, study_of

TEMPLATES = Path(__file__).with_name("templates")
LIBRARY = ROOT / "src" / "manyviews" / "baselines"


class ScaffoldError(ValueError):
    """Nothing was written; the text says why and what to do."""


def _name(name: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ScaffoldError(f"{name!r}: use small letters, digits and _, starting with a letter")
    return name


def _write(files: Mapping[Path, str]) -> list[Path]:
    """Write files that are not there yet; if one is there, write none."""
    for path in files:
        if path.exists():
            raise ScaffoldError(f"{path.relative_to(ROOT)} is there already; choose another name")
    for path, text in files.items():
        write_text(path, text)
    return list(files)


def _filled(path: Path, names: Mapping[str, str]) -> str:
    """Return a template with its example names replaced."""
    text = path.read_text(encoding="utf-8")
    for old, new in names.items():
        text = text.replace(old, new)
    return text


def _templates(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            yield path


def new_paper(key: str, dataset: str) -> list[Path]:
    """Write a paper's folder and notebook: naive Bayes on ``dataset``, a table, a claim."""
    place = PAPERS / _name(key)
    names = {"my_paper": key, "my_dataset": _name(dataset)}
    source = TEMPLATES / "paper"
    files = {place / path.relative_to(source): _filled(path, names) for path in _templates(source)}
    files[ROOT / "notebooks" / f"{key}.ipynb"] = _filled(TEMPLATES / "page.ipynb", names)
    if place.exists():
        raise ScaffoldError(f"{place.relative_to(ROOT)} is there already; choose another name")
    written = _write(files)
    find_papers.cache_clear()
    return written


def new_dataset(key: str, files: list[Path]) -> list[Path]:
    """Write a registry file for data of one's own."""
    lines = [
        f"  - {{path: {path.name}, view: {_view(path)}, id: id, label: label}}" for path in files
    ]
    names = {"{shown}": key.replace("_", " ").capitalize(), "{files}": "\n".join(lines)}
    text = _filled(TEMPLATES / "dataset" / "registry.yaml", names)
    return _write({ROOT / "data" / "registry" / f"{_name(key)}.yaml": text})


def _view(path: Path) -> str:
    return re.sub(r"[^a-z0-9_]+", "_", path.name.partition(".")[0].lower()).strip("_") or "view"


def new_method(name: str, paper: str) -> list[Path]:
    """Write an estimator of the library and the file that runs it beside a paper's methods."""
    study = study_of(paper)
    if not study.rivals:
        raise ScaffoldError(f"{paper} takes no rivals; declare `study.rival` in its paper.py")
    shown = "".join(part.capitalize() for part in _name(name).split("_"))
    names = {"MyMethod": shown, "my_method": name, "my_paper": paper}
    kinds = (study.rival_kind, "rival")
    model, rival = (_filled(TEMPLATES / "method" / f"{each}.py", names) for each in kinds)
    return _write({LIBRARY / f"{name}.py": model, room(paper) / "rivals" / f"{name}.py": rival})
