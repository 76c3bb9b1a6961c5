"""Write what can be configured: config/README.md; a paper's settings are printed.

``python -m reproduction settings [paper]`` prints one; ``--write`` brings the file up to date.
"""

import json
from collections.abc import Iterator
from typing import Any

from reproduction.files import ROOT
from reproduction.results.settings import Documented, documented
from reproduction.rooms import find_paper, settings_class
from reproduction.workflow.config import Config

CONFIG_README = ROOT / "config" / "README.md"

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

`python -m reproduction settings <paper>` prints the settings of a paper; change them under
`papers.<paper>`.

This page is written by `python -m reproduction settings --write`; a test fails when it is out of
date.
"""

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
    """Return the text of config/README.md."""
    return "\n".join([HEADER, *_table(documented(Config))]) + "\n"


def paper_text(paper: str) -> str:
    """Return the settings of one paper, as a table."""
    header = PAPER_HEADER.format(key=paper, short=find_paper(paper).short)
    return "\n".join([header, *_table(documented(settings_class(paper)))]) + "\n"
