"""What a job is, where its result lies, and what it is given."""

import importlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from reproduction.results.rows import Result
from reproduction.results.settings import changed
from reproduction.rooms import module_name, room, study_of

if TYPE_CHECKING:
    import pandas as pd

    from reproduction.data.format import MultiViewData

#: How the names of jobs of added methods begin.
RIVAL = "rival_"


@dataclass(frozen=True)
class Job:
    """One fit, whose result is ``results/<paper>/<dataset>/<name>.csv``.

    The import closure of the module of its ``entry``, ``"module:function"``, decides when the
    result is stale. It reads view files (default: the data set's own) and comes ``after`` results
    of the same paper, ``"<dataset>/<name>"``. A ``long`` one has a process to itself.
    """

    paper: str
    dataset: str
    name: str
    entry: str
    views: tuple[str, ...] | None = None
    after: tuple[str, ...] = ()
    long: bool = False

    @property
    def view_keys(self) -> tuple[str, ...]:
        """View files this job reads."""
        return (self.dataset,) if self.views is None else self.views

    @property
    def module(self) -> str:
        """Module of the entry point."""
        return self.entry.partition(":")[0]

    @property
    def place(self) -> str:
        """``"<dataset>/<name>"``, unique within its paper."""
        return f"{self.dataset}/{self.name}"

    def load(self) -> Callable[["Context"], Result]:
        """Import and return the entry point."""
        module, _, function = self.entry.partition(":")
        return getattr(importlib.import_module(module), function)


@dataclass
class Context:
    """What a job is given; ``settings`` has the type that the study declares."""

    job: Job
    views: Mapping[str, "MultiViewData"]
    settings: Any
    results: Mapping[str, "pd.DataFrame"] = field(default_factory=dict)

    @property
    def data(self) -> "MultiViewData":
        """The job's first view file (for jobs that read just one)."""
        return self.views[self.job.view_keys[0]]


def rival_jobs(paper: str) -> tuple[Job, ...]:
    """Return the jobs of the methods added to a paper: one file of ``rivals/`` each, found."""
    files = sorted(path.stem for path in (room(paper) / "rivals").glob("[a-z]*.py"))
    return tuple(
        Job(paper, dataset, f"{RIVAL}{name}", f"{module_name(paper, f'rivals.{name}')}:run")
        for name in files
        for dataset in study_of(paper).datasets
    )


def jobs_of(paper: str) -> tuple[Job, ...]:
    """Return the jobs of a paper, those of added methods included, checked for unique names."""
    jobs = (*study_of(paper).jobs, *rival_jobs(paper))
    places = [job.place for job in jobs]
    if len(set(places)) != len(places):
        raise ValueError(f"two jobs of {paper} share a data set and a name")
    return jobs


def find_job(paper: str, dataset: str, name: str) -> Job:
    """Return one job; the error lists what there is."""
    jobs = jobs_of(paper)
    for job in jobs:
        if (job.dataset, job.name) == (dataset, name):
            return job
    listed = ", ".join(job.place for job in jobs)
    raise ValueError(f"{paper} has no job {dataset}/{name}; it has: {listed}")


def only_read(job: Job, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a paper that a job reads; others do not make its result stale."""
    return {name: values[name] for name in study_of(job.paper).reads(job.name) if name in values}


def view_keys_behind(job: Job) -> tuple[str, ...]:
    """Return the view files a result depends on, those of the jobs it comes after included."""
    keys = set(job.view_keys)
    for place in job.after:
        keys.update(view_keys_behind(find_job(job.paper, *place.split("/"))))
    return tuple(sorted(keys))


def not_the_papers(job: Job, values: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Return the settings that tables of a job read and that are not the paper's, table by table.

    Tables that are made of rows, and jobs of added methods, have all of the job, under ``""``.
    """
    study = study_of(job.paper)
    own = changed(study.settings, values, study.kinds.get(job.dataset, ""))
    before = dict[str, str]()
    for place in job.after:
        before |= not_the_papers(find_job(job.paper, *place.split("/")), values)[""]
    read = {"": set(study.reads(job.name))}
    work = study.work.get((job.dataset, job.name))
    for plan in work.plans if work else ():
        read.setdefault(plan.name, set()).update(plan.reads())
    return {
        table: before | {key: own[key] for key in own if key.partition(".")[0] in names}
        for table, names in read.items()
    }


@contextmanager
def stopwatch() -> Iterator[SimpleNamespace]:
    """Measure the wall time of a block: ``with stopwatch() as watch: ...; watch.seconds``."""
    watch, start = SimpleNamespace(seconds=float("nan")), time.perf_counter()
    try:
        yield watch
    finally:
        watch.seconds = time.perf_counter() - start
