"""What a job used: its time on the clock and on the cores, and its memory, beside its log."""

import atexit
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COLUMNS = (
    "start",
    "end",
    "seconds",
    "cpu_seconds",
    "memory_mb",
    "process",
    "compile_seconds",
    "read_seconds",
)


@dataclass(frozen=True)
class Usage:
    """Start and end (seconds since 1970), processor seconds, largest memory in MB, process kind.

    ``compiling`` is the part of the time that compiling kernels took, ``reading`` that of views.
    """

    start: float
    end: float
    cpu: float
    memory: float
    process: str
    compiling: float = float("nan")
    reading: float = float("nan")

    @classmethod
    def of_this_process(cls, start: float, clock: float) -> "Usage":
        """Usage of the current process since ``start``; ``clock`` is a ``perf_counter``."""
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        unit = 1 if sys.platform == "darwin" else 1024
        end = start + time.perf_counter() - clock
        return cls(start, end, used.ru_utime + used.ru_stime, used.ru_maxrss * unit / 2**20, "own")


def usage_file(log: str | os.PathLike[str]) -> Path:
    """Return where the usage of a job stands: beside its log."""
    return Path(log).with_suffix(".usage.tsv")


def write_usage(snakemake: Any, usage: Usage, *, at_exit: bool = False) -> None:
    """Write what a job used beside its log, now or when this process ends."""
    if at_exit:
        clock = time.perf_counter() - (usage.end - usage.start)
        atexit.register(lambda: write_usage(snakemake, Usage.of_this_process(usage.start, clock)))
        return
    file = usage_file(str(snakemake.log[0]))
    values = (usage.start, usage.end, usage.end - usage.start, usage.cpu, usage.memory)
    text = "\t".join([*(f"{value:.3f}" for value in values), usage.process])
    text += f"\t{usage.compiling:.3f}\t{usage.reading:.3f}"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\t".join(COLUMNS) + "\n" + text + "\n", encoding="utf-8")
