"""What every script of the workflow needs: its output in the rule's log, and where folders lie."""

import logging
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from reproduction.data.registry import REGISTRIES_VARIABLE
from reproduction.workflow.config import read_config


@contextmanager
def logged(snakemake: Any) -> Iterator[None]:
    """Send what a script says to the rule's log file; the terminal shows an error's own words."""
    registries = read_config(snakemake.config).data.registries
    os.environ[REGISTRIES_VARIABLE] = os.pathsep.join(registries)
    path = Path(str(snakemake.log[0]))
    path.parent.mkdir(parents=True, exist_ok=True)
    terminal = sys.stderr
    with path.open("w", encoding="utf-8", buffering=1) as log:
        logging.basicConfig(stream=log, level=logging.INFO, format="%(message)s", force=True)
        try:
            with redirect_stdout(log), redirect_stderr(log):
                yield
        except Exception as error:
            log.write(traceback.format_exc())
            print(f"{type(error).__name__}: {error}", file=terminal)
            sys.exit(1)


def above(files: Sequence[str], levels: int) -> Path:
    """Return the folder so many levels above files of a job, which may be copies of a storage."""
    return Path(files[0]).parents[levels - 1] if files else Path()
