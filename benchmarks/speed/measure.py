"""Times taken in turns, so that a busy spell of the machine hits all who are compared."""

import time
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import median

import numpy as np

Task = Callable[[], object]
#: Peers that are installed and could not be used, with the reason.
UNUSABLE: dict[str, str] = {}


@dataclass
class Entry:
    """One who is compared: seconds of every repeat, what it reached, and whether that is the same.

    ``reached`` is the objective after the timed work; ``same`` says how it was compared with ours.
    """

    name: str
    seconds: list[float]
    reached: str = ""
    same: str = ""
    peak_mb: float = float("nan")

    @property
    def median(self) -> float:
        return median(self.seconds)

    @property
    def spread(self) -> tuple[float, float]:
        """Quartiles of the repeats."""
        low, high = np.quantile(self.seconds, [0.25, 0.75])
        return float(low), float(high)


@dataclass
class Comparison:
    """A case: ours first, then the peers; ``scale`` and ``unit`` turn seconds into what is shown.

    ``goals`` maps a peer to how many times faster ours should be.
    """

    part: str
    case: str
    entries: list[Entry]
    unit: str = "ms"
    scale: float = 1e3
    goals: Mapping[str, float] = field(default_factory=dict)

    def rows(self) -> list[dict[str, object]]:
        """Rows of the table: one for each who is compared."""
        ours = self.entries[0]
        return [
            {
                "part": self.part,
                "case": self.case,
                "method": entry.name,
                "unit": self.unit,
                "median": self.scale * entry.median,
                "low": self.scale * entry.spread[0],
                "high": self.scale * entry.spread[1],
                "repeats": len(entry.seconds),
                "times slower than ours": entry.median / ours.median,
                "goal": self.goals.get(entry.name, float("nan")),
                "reached": entry.reached,
                "same": entry.same,
                "peak MB": entry.peak_mb,
            }
            for entry in self.entries
        ]


def runs(peer: str, task: Task) -> bool:
    """Whether a peer runs with the versions that are here; if not, the page will say why."""
    try:
        task()
    except Exception as error:
        UNUSABLE[peer] = f"installed, but fails here: {error}".split("\n")[0][:200]
        print(f"peer {peer}: {UNUSABLE[peer]}", flush=True)
        return False
    return True


def take_turns(
    tasks: Mapping[str, Task], repeats: int, clock: Callable[[], float] = time.process_time
) -> dict[str, list[float]]:
    """Seconds of every repeat of each task; the first round, which compiles, does not count."""
    for task in tasks.values():
        task()
    found: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(repeats):
        for name, task in tasks.items():
            start = clock()
            task()
            found[name].append(clock() - start)
    return found


def per_iteration(
    tasks: Mapping[str, Callable[[int], object]], few: int, many: int, repeats: int
) -> dict[str, list[float]]:
    """Seconds of one iteration: a long run less a short one, so that set-up cancels."""
    ends = {
        f"{name}\0{count}": (lambda task=task, count=count: task(count))
        for name, task in tasks.items()
        for count in (few, many)
    }
    found = take_turns(ends, repeats)
    return {
        name: [
            max(long - short, 1e-9) / (many - few)
            for short, long in zip(found[f"{name}\0{few}"], found[f"{name}\0{many}"], strict=True)
        ]
        for name in tasks
    }


def peak_mb(task: Task) -> float:
    """Largest memory that Python and NumPy asked for during a task, in MB."""
    tracemalloc.start()
    try:
        task()
        return tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()


def exponent(sizes: list[float], seconds: list[float]) -> float:
    """Slope of log time over log size, by least squares."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
