"""Write the skeleton of a new paper, data set or method: it runs as it stands.

``python -m reproduction new paper my_paper --dataset cora`` and so on; ``docs/extending.md`` goes
on from there.
"""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reproduction.files import ROOT, write_text
from reproduction.rooms import PAPERS, find_papers, open_module, room, study_of

TEMPLATES = Path(__file__).with_name("templates")
LIBRARY = ROOT / "src" / "manyviews" / "baselines"

#: What a skeleton's notebook shows: kind of cell, text.
NOTEBOOK = (
    (
        "code",
        "from reproduction.pages import declared, opening, tables\n"
        "from reproduction.pages.claims import claims_table\n"
        "from reproduction.pages.results import load_results\n"
        "from reproduction.papers.{key}.paper import study\n"
        "\n"
        'PAPER = "{key}"\n'
        "rows = load_results(PAPER)",
    ),
    ("markdown", "# {key}"),
    ("code", "opening.show_opening(PAPER)"),
    ("markdown", "## What the method does\n\nSay here what the paper does."),
    ("code", "opening.show_method(PAPER)"),
    ("markdown", "## What reproduced"),
    ("code", 'tables.published_table(PAPER, "1")'),
    ("markdown", "## Why not\n\nSay here what the paper leaves open."),
    ("code", "opening.show_choices(PAPER)"),
    ("markdown", "## Claims"),
    ("code", "claims_table(PAPER)"),
    ("markdown", "## Appendix\n\n### The data"),
    ("code", "opening.show_data(PAPER)"),
    ("markdown", "### Every choice in full"),
    (
        "code",
        "tables.show_table(\n"
        '    declared.choice_means(study, rows), "choices", "Accuracy in per cent",\n'
        ")",
    ),
)


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


def _notebook(key: str) -> str:
    cells = []
    for number, (kind, source) in enumerate(NOTEBOOK):
        cell: dict[str, Any] = {
            "cell_type": kind,
            "id": f"{key}-{number:02d}",
            "metadata": {},
            "source": source.replace("{key}", key).splitlines(keepends=True),
        }
        if kind == "code":
            cell |= {"execution_count": None, "metadata": {"tags": ["hide-code"]}, "outputs": []}
        cells.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    content = {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def new_paper(key: str, dataset: str) -> list[Path]:
    """Write a paper's folder and notebook: naive Bayes on ``dataset``, a table, a claim."""
    place = PAPERS / _name(key)
    names = {"my_paper": key, "my_dataset": _name(dataset)}
    source = TEMPLATES / "paper"
    files = {place / path.relative_to(source): _filled(path, names) for path in _templates(source)}
    files[ROOT / "notebooks" / f"{key}.ipynb"] = _notebook(key)
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
    shown = "".join(part.capitalize() for part in _name(name).split("_"))
    rivals = room(paper) / "rivals"
    study = study_of(paper)
    if study is not None:
        if not study.rivals:
            raise ScaffoldError(f"{paper} takes no rivals; declare `study.rival` in its paper.py")
        names = {"MyMethod": shown, "my_method": name, "my_paper": paper}
        kinds = (study.rival_kind, "rival")
        model, rival = (_filled(TEMPLATES / "method" / f"{each}.py", names) for each in kinds)
        return _write({LIBRARY / f"{name}.py": model, rivals / f"{name}.py": rival})
    kind: str = getattr(open_module(paper, "rivals"), "KIND", "classifier")
    example = rivals / "_example.py"
    if not example.is_file():
        raise ScaffoldError(
            f"{paper} has no example to copy; read {rivals.relative_to(ROOT)}/__init__.py for what "
            "a method must offer there"
        )
    model = _filled(TEMPLATES / "method" / f"{kind}.py", {"MyMethod": shown})
    text = example.read_text(encoding="utf-8")
    used = re.findall(r"from manyviews\.baselines\.(\w+) import (\w+)\n", text)
    if len(used) != 1:
        raise ScaffoldError(
            f"{example.relative_to(ROOT)} must import one estimator, to be replaced"
        )
    ((module, estimator),) = used
    text = text.replace(f"manyviews.baselines.{module}", f"manyviews.baselines.{name}")
    text = re.sub(rf"\b{estimator}\b", shown, text)
    text = re.sub(r'compare\(context, "[^"]*"', f'compare(context, "{shown}"', text)
    return _write({LIBRARY / f"{name}.py": model, rivals / f"{name}.py": text})
