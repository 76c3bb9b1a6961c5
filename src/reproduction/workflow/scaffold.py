"""Write the skeleton of a new paper; refuse a paper that is still one.

``python -m reproduction new paper my_paper --dataset cora``; ``docs/extending.md`` goes on from
there.
"""

import keyword
import re
from pathlib import Path

from reproduction.files import ROOT, shown_path, write_text
from reproduction.rooms import PAPERS, RoomError, find_papers, open_module, room

TEMPLATES = Path(__file__).with_name("templates")
#: Stands in a paper's skeleton wherever its author has to write something.
MARKER = "FILL-IN"


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


def new_paper(key: str, dataset: str) -> list[Path]:
    """Write a paper's folder and notebook: naive Bayes on ``dataset``, a table, a claim."""
    for name in (key, dataset):
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
            raise ValueError(f"{name!r}: use small letters, digits and _, starting with a letter")
    rules = (ROOT / "workflow" / "Snakefile", *(ROOT / "workflow" / "rules").glob("*.smk"))
    text = "".join(path.read_text(encoding="utf-8") for path in rules)
    if f"\nrule {key}:" in text or key in ("index", "ledger", "speed"):
        raise ValueError(f"{key!r} is a rule or a page of the workflow; choose another name")
    files = {PAPERS / key / path.name: path for path in (TEMPLATES / "paper").glob("*.*")}
    files[ROOT / "notebooks" / f"{key}.ipynb"] = TEMPLATES / "page.ipynb"
    for target in files:
        if target.exists():
            raise ValueError(f"{target.relative_to(ROOT)} is there already; choose another name")
    for target, template in files.items():
        text = template.read_text(encoding="utf-8")
        write_text(target, text.replace("my_paper", key).replace("my_dataset", dataset))
    find_papers.cache_clear()
    return sorted(files)
