"""How long a run will take: the seconds that every rule took the last time it was run whole."""

import logging
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from snakemake.logging import logger
from snakemake_interface_logger_plugins.common import LogEvent

from reproduction.files import write_text

#: Lies beside the other times of a run: one machine's, and in no manifest.
SECONDS = "seconds.csv"


def write_seconds(target: Path, benchmarks: Mapping[str, Iterable[str]]) -> None:
    """Write the mean seconds of each rule's jobs, in their last try, as Snakemake measured them."""
    rows = []
    for rule, paths in benchmarks.items():
        there = filter(Path.is_file, map(Path, paths))
        if seconds := [pd.read_csv(path, sep="\t")["s"].iloc[-1] for path in there]:
            rows.append((rule, round(sum(seconds) / len(seconds), 1)))
    table = pd.DataFrame(rows, columns=["rule", "seconds"])
    write_text(target, table.to_csv(index=False, lineterminator="\n"))


class Remaining(logging.Handler):
    """Says after a plan, and after every job, how much is left; silent about unknown rules."""

    def __init__(self, seconds: Mapping[str, float], cores: int | None) -> None:
        super().__init__()
        self.seconds, self.cores = defaultdict(float, seconds), cores or 1
        self.left = 0.0
        self.running: dict[int, tuple[str, float]] = {}

    def emit(self, record: Any) -> None:
        """Follow what Snakemake says of its jobs."""
        match getattr(record, "event", None):
            case LogEvent.RUN_INFO:
                counts = record.stats
                self.left = sum(self.seconds[rule] * count for rule, count in counts.items())
                self.say()
            case LogEvent.JOB_INFO:
                self.running[record.jobid] = (record.rule_name, time.monotonic())
            case LogEvent.JOB_FINISHED:
                rule, _ = self.running.pop(record.job_id, ("", 0.0))
                self.left -= self.seconds[rule]
            case LogEvent.PROGRESS:
                self.say()

    def say(self) -> None:
        """Print the minutes that are left, less what the running jobs have done."""
        now = time.monotonic()
        done = (min(self.seconds[rule], now - start) for rule, start in self.running.values())
        if (minutes := (self.left - sum(done)) / 60) >= 0.5:
            shared = f", {minutes / self.cores:.0f} on {self.cores} cores" if self.cores > 1 else ""
            logger.info(f"about {minutes:.0f} min of computing left{shared}, as the last run took")


def say_remaining(path: Path, cores: int | None) -> None:
    """Let this run say how long it will take, if a whole run before it was measured."""
    if path.is_file():
        table = pd.read_csv(path)
        logger.addHandler(Remaining(dict(zip(table["rule"], table["seconds"], strict=True)), cores))
