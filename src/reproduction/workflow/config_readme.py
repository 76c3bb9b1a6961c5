"""Write what can be configured: config/README.md, and SETTINGS.md in every paper's room.

``python -m reproduction settings`` prints both; ``--write`` brings the files up to date.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reproduction.files import ROOT
from reproduction.results.settings import Documented, documented
from reproduction.rooms import declared_in, find_paper, paper_keys, room, settings_class
from reproduction.workflow.config import Config

HEADER = """\
# Configuration

Everything has a default, the papers' own. `config.yaml` changes what you want changed; `quick.yaml`
is laid over it for a run in minutes:

    snakemake --cores 2 --configfile=config/quick.yaml           # everything
    snakemake --cores 2 --configfile=config/quick.yaml mvplsa    # one target

Mind the `=`: after `--configfile ` with a space Snakemake takes every word for a file, targets too.
`snakemake --profile profiles/quick --cores 2 mvplsa` is the same. Single keys can be set on the
command line: `snakemake --cores 2 --config data='{source: real}'`. Unknown keys, repeated keys and
values out of range are refused before anything runs.

In another folder (`snakemake --snakefile <repository>/Snakefile --directory <folder>`) its own
`config/config.yaml` is read if there is one, and everything is written there. In another workflow:

    module multiview:
        snakefile: "<repository>/workflow/Snakefile"
        config: config["multiview"]

    use rule * from multiview as multiview_*

The settings of a paper stand in its room, `src/reproduction/papers/<paper>/SETTINGS.md`; change
them under `papers.<paper>`.

This page is written by `python -m reproduction settings --write`; a test fails when it is out of
date.
"""

PAPER_HEADER = """\
# Settings of {short}

Change them in a configuration file under `papers.{key}`. The first value is the paper's own, the
second that of `config/quick.yaml`.

This page is written by `python -m reproduction settings --write` from `{source}`.
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
    """Return the text of config/README.md."""
    return "\n".join([HEADER, *_table(documented(Config))]) + "\n"


def paper_text(paper: str) -> str:
    """Return the text of SETTINGS.md of one paper."""
    source = declared_in(paper, "settings").rpartition(".")[2] + ".py"
    header = PAPER_HEADER.format(key=paper, short=find_paper(paper).short, source=source)
    return "\n".join([header, *_table(documented(settings_class(paper)))]) + "\n"


def pages() -> dict[Path, str]:
    """Return all pages on settings: path -> text."""
    papers = {room(key) / "SETTINGS.md": paper_text(key) for key in paper_keys()}
    return {ROOT / "config" / "README.md": config_text(), **papers}
