"""What every experiment shares: jobs, rows, the way results are written, label draws, timing."""

import importlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reproduction.results.rows import KEY_COLUMNS, check_paper, table_text

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from reproduction.data.format import MultiViewData

RESULT_COLUMNS = (*KEY_COLUMNS, "value")
TIMING_COLUMNS = (*KEY_COLUMNS, "value", "seconds", "iterations")
TIMING_PREFIX = "time:"  # tables of measured times: kept out of the result file


@dataclass(frozen=True)
class Job:
    """One fit: a (paper, data set, group of methods) with all its settings and seeds.

    Attributes
    ----------
    paper, dataset, name
        Decide the result's place: ``results/<paper>/<dataset>/<name>.csv``.
    entry
        ``"module:function"``; the module's import closure decides when the result is stale.
    views
        View files the job reads (default: the data set's own).
    after
        Results of the same paper it needs, as ``"<dataset>/<name>"``.
    mem_mb
        Memory to ask for.
    """

    paper: str
    dataset: str
    name: str
    entry: str
    views: tuple[str, ...] | None = None
    after: tuple[str, ...] = ()
    mem_mb: int = 2000

    @property
    def view_keys(self) -> tuple[str, ...]:
        """View files this job reads."""
        return (self.dataset,) if self.views is None else self.views

    @property
    def module(self) -> str:
        """Module of the entry point."""
        return self.entry.partition(":")[0]

    def load(self) -> Callable[["Context"], "Result"]:
        """Import and return the entry point."""
        module, _, function = self.entry.partition(":")
        return getattr(importlib.import_module(module), function)


@dataclass
class Row:
    """One measured value; ``reading="paper"`` marks what is compared with the published cell."""

    table: str
    setting: str
    method: str
    metric: str
    value: float
    reading: str = "paper"
    run: int = 0
    label: str = ""
    seconds: float = float("nan")
    iterations: float = float("nan")


@dataclass
class Result:
    """Rows of a job and free-form details (JSON-able) beside them."""

    rows: list[Row]
    details: dict[str, Any] = field(default_factory=dict)


def _silent(items: Iterable[Any], _: str) -> Iterable[Any]:
    return items


@dataclass
class Context:
    """What a job is given."""

    job: Job
    views: Mapping[str, "MultiViewData"]
    settings: Mapping[str, Any]
    results: Mapping[str, "pd.DataFrame"] = field(default_factory=dict)
    progress: Callable[[Iterable[Any], str], Iterable[Any]] = _silent

    @property
    def data(self) -> "MultiViewData":
        """The job's first view file (for jobs that read just one)."""
        return self.views[self.job.view_keys[0]]


def jobs_of(paper: str) -> tuple[Job, ...]:
    """Return the jobs of a paper, checked for unique names."""
    module = importlib.import_module(f"reproduction.papers.{check_paper(paper)}")
    jobs: tuple[Job, ...] = module.JOBS
    places = [(job.dataset, job.name) for job in jobs]
    if len(set(places)) != len(places):
        raise ValueError(f"two jobs of {paper} share a data set and a name")
    return jobs


def find_job(paper: str, dataset: str, name: str) -> Job:
    """Return one job; the error lists what there is."""
    jobs = jobs_of(paper)
    for job in jobs:
        if (job.dataset, job.name) == (dataset, name):
            return job
    listed = ", ".join(f"{job.dataset}/{job.name}" for job in jobs)
    raise ValueError(f"{paper} has no job {dataset}/{name}; it has: {listed}")


def view_keys_behind(job: Job) -> tuple[str, ...]:
    """Return the view files a result depends on, those of the jobs it comes after included."""
    keys = set(job.view_keys)
    for place in job.after:
        dataset, _, name = place.partition("/")
        keys.update(view_keys_behind(find_job(job.paper, dataset, name)))
    return tuple(sorted(keys))


def result_frames(job: Job, result: Result) -> tuple["pd.DataFrame", "pd.DataFrame"]:
    """Return the sorted result rows and the timing rows of a job; holes and repeats are errors."""
    import pandas as pd

    frame = pd.DataFrame(
        [{"paper": job.paper, "dataset": job.dataset, **vars(row)} for row in result.rows],
        columns=list(TIMING_COLUMNS),
    )
    place = f"{job.paper}/{job.dataset}/{job.name}"
    if frame.empty:
        raise ValueError(f"{place} produced no rows")
    frame = frame.sort_values(list(KEY_COLUMNS), kind="stable", ignore_index=True)
    repeated = frame.duplicated(list(KEY_COLUMNS))
    if repeated.any():
        first = frame.loc[repeated, list(KEY_COLUMNS)].iloc[0].to_dict()
        raise ValueError(f"{place} produced two rows for {first}")
    if frame["value"].isna().any():
        first = frame.loc[frame["value"].isna(), list(KEY_COLUMNS)].iloc[0].to_dict()
        raise ValueError(f"{place} produced no number (NaN) for {first}")
    timed = frame["table"].str.startswith(TIMING_PREFIX)
    values = frame.loc[~timed, list(RESULT_COLUMNS)].reset_index(drop=True)
    timings = frame.loc[timed | frame["seconds"].notna() | frame["iterations"].notna()]
    return values, timings.reset_index(drop=True)


def write_result(job: Job, result: Result, csv: Path, details: Path, timing: Path) -> None:
    """Write a job's rows, details and timings; the first two are the same in every run."""
    from reproduction.files import write_json, write_text

    values, timings = result_frames(job, result)
    write_text(csv, table_text(values))
    write_json(details, result.details)
    write_text(timing, timings.to_csv(index=False, float_format="%.6g", lineterminator="\n"))


def draw_per_class(
    y: "np.ndarray",
    rate: float,
    rng: "np.random.Generator",
    rounding: str = "ceil",
    minimum: int = 1,
) -> "np.ndarray":
    """Return a mask of labelled documents: a share ``rate`` of every class, drawn at random.

    Parameters
    ----------
    y
        Class of each document; -1 is never drawn.
    rate
        Share in (0, 1].
    rounding
        ``"ceil"`` or ``"round"`` (half to even, as Python does) of ``rate * n_c``.
    minimum
        Documents drawn at least from every class.
    """
    import numpy as np

    from manyviews.validation import check_choice, check_real

    check_real("rate", rate, 0.0, 1.0)
    check_choice("rounding", rounding, ("ceil", "round"))
    labels = np.asarray(y)
    mask = np.zeros(labels.size, dtype=bool)
    for c in np.unique(labels[labels >= 0]):
        members = np.flatnonzero(labels == c)
        exact = rate * members.size
        # 0.05 * 100 is 5.000000000000001 in floating point and must not become 6
        wanted = np.ceil(exact - 1e-9) if rounding == "ceil" else round(exact)
        count = min(max(int(wanted), minimum), members.size)
        mask[rng.choice(members, size=count, replace=False)] = True
    if not mask.any():
        raise ValueError(
            f"rate {rate} of {labels.size} documents selects none; raise the rate or the minimum"
        )
    return mask


class Watch:
    """Seconds measured by :func:`stopwatch`."""

    seconds: float = float("nan")


@contextmanager
def stopwatch() -> Iterator[Watch]:
    """Measure the wall time of a block: ``with stopwatch() as watch: ...; watch.seconds``."""
    watch = Watch()
    start = time.perf_counter()
    try:
        yield watch
    finally:
        watch.seconds = time.perf_counter() - start
