"""Write the skeleton of a new paper, data set or method; refuse a paper that is still one.

``python -m reproduction new paper my_paper --dataset cora`` and so on; ``docs/extending.md`` goes
on from there.
"""

import keyword
import re
from collections.abc import Mapping
from pathlib import Path

from reproduction.files import ROOT, shown_path, write_text
from reproduction.rooms import PAPERS, RoomError, find_papers, open_module, room, study_of

TEMPLATES = Path(__file__).with_name("templates")
LIBRARY = ROOT / "src" / "manyviews" / "baselines"
#: Stands in a paper's skeleton wherever its author has to write something.
MARKER = "FILL-IN"


class ScaffoldError(ValueError):
    """Nothing was written; the text says why and what to do."""


def check_room(paper: str) -> None:
    """Refuse a paper of which something is left to be written, or that cannot be imported."""
    files = [path for path in room(paper).rglob("*") if path.suffix in (".py", ".yaml", ".csv")]
    for path in [*sorted(files), ROOT / "notebooks" / f"{paper}.ipynb"]:
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        for number, line in enumerate(lines, 1):
            if MARKER in line:
                raise RoomError(
                    f"{shown_path(path)}, line {number}: {MARKER} is left of the skeleton; write "
                    "what the paper says in its place (docs/extending.md)"
                )
        if path.suffix == ".py":
            part = ".".join(path.relative_to(room(paper)).with_suffix("").parts)
            try:
                open_module(paper, part.removesuffix("__init__").rstrip("."))
            except Exception as error:
                raise RoomError(f"{shown_path(path)} cannot be imported: {error!r}") from error


def _name(name: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ScaffoldError(f"{name!r}: use small letters, digits and _, starting with a letter")
    return name


def _write(files: Mapping[Path, Path], names: Mapping[str, str]) -> list[Path]:
    """Write templates with their example names replaced; if a file is there, write none."""
    for target in files:
        if target.exists():
            raise ScaffoldError(f"{target.relative_to(ROOT)} is there already; choose another name")
    for target, template in files.items():
        text = template.read_text(encoding="utf-8")
        for old, new in names.items():
            text = text.replace(old, new)
        write_text(target, text)
    return list(files)


def new_paper(key: str, dataset: str) -> list[Path]:
    """Write a paper's folder and notebook: naive Bayes on ``dataset``, a table, a claim."""
    place = PAPERS / _name(key)
    templates = [path for path in sorted((TEMPLATES / "paper").iterdir()) if path.is_file()]
    files = {place / path.name: path for path in templates}
    files[ROOT / "notebooks" / f"{key}.ipynb"] = TEMPLATES / "page.ipynb"
    written = _write(files, {"my_paper": key, "my_dataset": _name(dataset)})
    find_papers.cache_clear()
    return written


def new_dataset(key: str, files: list[Path]) -> list[Path]:
    """Write a registry file for data of one's own."""
    if not files:
        raise ScaffoldError("name the files of the data set, one a view")
    lines = []
    for path in files:
        stem = re.sub(r"[^a-z0-9_]+", "_", path.name.partition(".")[0].lower()).strip("_")
        lines.append(f"  - {{path: {path.name}, view: {stem or 'view'}, id: id, label: label}}")
    names = {"{shown}": key.replace("_", " ").capitalize(), "{files}": "\n".join(lines)}
    target = ROOT / "data" / "registry" / f"{_name(key)}.yaml"
    return _write({target: TEMPLATES / "dataset" / "registry.yaml"}, names)


def new_method(name: str, paper: str | None) -> list[Path]:
    """Write an estimator of the library and the file that runs it beside a paper's methods."""
    if paper is None:
        raise ScaffoldError("say with --paper beside whose methods it runs")
    study = study_of(paper)
    if not study.rivals:
        raise ScaffoldError(f"{paper} takes no rivals; declare `study.rival` in its paper.py")
    shown = "".join(part.capitalize() for part in _name(name).split("_"))
    files = {
        LIBRARY / f"{name}.py": TEMPLATES / "method" / f"{study.rival_kind}.py",
        room(paper) / "rivals" / f"{name}.py": TEMPLATES / "method" / "rival.py",
    }
    return _write(files, {"MyMethod": shown, "my_method": name, "my_paper": paper})
