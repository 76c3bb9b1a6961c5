"""What every workflow script needs: its output in the rule's log, errors a person can read."""

import logging
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any


@contextmanager
def logged(snakemake: Any) -> Iterator[None]:
    """Send output and errors of a script to the rule's log file.

    The traceback goes to the log, whose last lines are then the error's own words; the terminal
    shows these words at once.
    """
    path = Path(str(snakemake.log[0]))
    path.parent.mkdir(parents=True, exist_ok=True)
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
