"""Times taken in turns, so that a busy spell of the machine hits all who are compared."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

Task = Callable[..., object]
SCALES = {"s": 1.0, "ms": 1e3, "µs": 1e6}
RATIO = "times slower than ours"
#: Peers that could not be used, with the reason.
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


@dataclass
class Comparison:
    """A case: ours first, then the peers; ``goals`` says how many times faster ours should be."""

    part: str
    case: str
    entries: list[Entry]
    unit: str = "ms"
    goals: Mapping[str, float] = field(default_factory=dict)

    def rows(self) -> list[dict[str, object]]:
        """Rows of the table: one for each who is compared."""
        rows, ours = [], np.median(self.entries[0].seconds)
        for entry in self.entries:
            low, median, high = np.quantile(entry.seconds, [0.25, 0.5, 0.75])
            scale = SCALES[self.unit]
            rows.append({
                "part": self.part, "case": self.case, "method": entry.name, "unit": self.unit,
                "median": scale * median, "low": scale * low, "high": scale * high,
                "repeats": len(entry.seconds), RATIO: median / ours,
                "goal": self.goals.get(entry.name, float("nan")),
                "reached": entry.reached, "same": entry.same,
            })  # fmt: skip
        return rows


def compare(
    part: str,
    case: str,
    tasks: Mapping[str, Task],
    *,
    goals: Mapping[str, float] | None = None,
    told: Mapping[str, str] | None = None,
    unit: str = "ms",
    repeats: int = 3,
    per: Mapping[str, int] | int = 1,
    iterations: tuple[int, int] | None = None,
    last: int = 1,
    show: str = "",
) -> Comparison:
    """Time tasks in turns, ours first; a peer that does not run here is left out and named.

    ``told`` says how a peer's answer compares with ours: ``{gap}`` is the largest absolute
    difference, ``{more}`` how much larger its mean is; ``show`` is the format of that mean. The
    seconds of a task are divided by ``per``. With ``iterations`` a task takes their number, a long
    run less a short one is timed, so that set-up cancels, and answers are compared after ``last``.
    """
    words = (last,) if iterations else ()
    answers = {}
    for name, task in tasks.items():
        try:
            answers[name] = task(*words)  # the first call compiles and does not count
        except Exception as error:
            if not answers:
                raise
            UNUSABLE[name] = f"fails here: {error}".split("\n")[0][:200]
            print(f"peer {name}: {UNUSABLE[name]}", flush=True)
    times: dict[str, list[float]] = {name: [] for name in answers}
    for _ in range(repeats):
        for name, found in times.items():
            few, many = iterations or (0, 1)
            took = _seconds(tasks[name], *((many,) if iterations else ()))
            if iterations:
                took = max(took - _seconds(tasks[name], few), 1e-9)
            found.append(took / (many - few) / (per if isinstance(per, int) else per[name]))
    entries, ours = [], next(iter(answers.values()))
    for name, found in times.items():
        said = (told or {}).get(name, "")
        if "{" in said:
            theirs = np.asarray(answers[name])
            gap = max(float(np.abs(theirs - ours).max()), 1e-16)
            said = said.format(gap=gap, more=float(np.mean(theirs) - np.mean(ours)))
        known = show and not np.isnan(np.mean(answers[name]))
        reached = show.format(np.mean(answers[name])) if known else ""
        entries.append(Entry(name, found, reached, said))
    return Comparison(part, case, entries, unit, goals or {})


def _seconds(task: Task, *words: int) -> float:
    start = time.process_time()
    task(*words)
    return time.process_time() - start


def exponent(sizes: list[float], seconds: list[float]) -> float:
    """Slope of log time over log size, by least squares."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
