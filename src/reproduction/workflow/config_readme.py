"""Write what can be configured: config/README.md; a paper's settings are printed.

``python -m reproduction settings [paper]`` prints one; ``--write`` brings the file up to date.
"""

import json
from collections.abc import Iterator
from typing import Any

from reproduction.files import ROOT
from reproduction.results.settings import Documented, documented
from reproduction.rooms import find_paper, study_of
from reproduction.workflow.config import Config

CONFIG_README = ROOT / "config" / "README.md"

PAPER_HEADER = """\
# Settings of {short}

Change them in a configuration file under `papers.{key}`. The first value is the paper's own, the
second that of `config/quick.yaml`.
"""


def _shown(value: Any) -> str:
    return f"`{json.dumps(value, ensure_ascii=False)}`"


def _table(entries: Iterator[Documented]) -> list[str]:
    lines = ["| key | meaning | default | quick | range |", "|---|---|---|---|---|"]
    for entry in entries:
        quick = "same" if entry.quick == entry.full else _shown(entry.quick)
        meaning = " ".join(entry.description.split()).replace("|", "\\|")
        row = (f"`{entry.key}`", meaning, _shown(entry.full), quick, entry.limits)
        lines.append(f"| {' | '.join(row)} |")
    return lines


def config_text() -> str:
    """Return the text of config/README.md: what is written there, and a fresh table."""
    head = _table(iter(()))[0]
    written = CONFIG_README.read_text(encoding="utf-8").partition(head)[0]
    return written + "\n".join(_table(documented(Config))) + "\n"


def paper_text(paper: str) -> str:
    """Return the settings of one paper, as a table."""
    header = PAPER_HEADER.format(key=paper, short=find_paper(paper).short)
    return "\n".join([header, *_table(documented(study_of(paper).settings))]) + "\n"
