"""What every workflow script needs: its output in the rule's log, errors a person can read."""

import logging
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from reproduction.workflow.failures import error_words


@contextmanager
def logged(snakemake: Any) -> Iterator[None]:
    """Send output and errors of a script to the rule's log file.

    The traceback goes to the log, whose last lines are then the error's own words; the terminal
    shows these words at once. A second attempt is for jobs that were killed or lacked memory; one
    that failed by its own words would fail again, so it ends at once and leaves the log as it is.
    """
    path = Path(str(snakemake.log[0]))
    path.parent.mkdir(parents=True, exist_ok=True)
    if _failed_by_its_own_words(path, getattr(snakemake.resources, "attempt", 1)):
        sys.exit(1)
    with path.open("w", encoding="utf-8", buffering=1) as log:
        handler = logging.StreamHandler(log)
        root = logging.getLogger()
        root.addHandler(handler)
        root.setLevel(logging.INFO)
        terminal = sys.stderr
        try:
            with redirect_stdout(log), redirect_stderr(log):
                yield
        except Exception as error:
            log.write(traceback.format_exc())
            print(f"{type(error).__name__}: {error}", file=terminal)
            sys.exit(1)
        finally:
            root.removeHandler(handler)


def _failed_by_its_own_words(path: Path, attempt: int) -> bool:
    """Return whether an earlier attempt of this run ended in an error that is no lack of memory."""
    if attempt == 1 or not path.is_file():
        return False
    text = path.read_text(encoding="utf-8")
    return bool(error_words(text)) and "MemoryError" not in text
