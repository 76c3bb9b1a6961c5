"""The comparison itself: rounds of equal splits for all, until the leader is decided."""

import hashlib
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed, parallel_config
from threadpoolctl import threadpool_limits

import manyviews
from manyviews.compare.advice import Comparison
from manyviews.compare.diagnose import prepared_views, silhouette
from manyviews.compare.fit import answered, tuned
from manyviews.compare.method import Facts, Method, facts_of
from manyviews.compare.methods.find import find_methods
from manyviews.compare.reading.errors import DataError, printable
from manyviews.compare.reading.own import OwnData
from manyviews.compare.statistics import decided
from manyviews.compare.store import Store, packed, unpacked
from manyviews.compare.task import (
    Split,
    lineages,
    paired_rows,
    recognise,
    retrieved,
    scored,
    splits_of,
)
from manyviews.seeding import integer_seed
from manyviews.views import Views

#: Changes when results of older versions must not be taken up again.
ENGINE = 6
#: Rounds at most, unless told otherwise, of fewer rows and of as many rows or more: scores on more
#: test rows vary less.
ROUNDS, FEW_ROUNDS, MANY_ROWS = 4, 2, 1000


@dataclass
class Options:
    """How much work a comparison may do."""

    rounds: int | None = None
    jobs: int = 1
    minutes: float | None = None
    only: Sequence[str] | None = None
    folders: Sequence[Path] = ()


def most_rounds(n_rows: int) -> int:
    """Return how many rounds there are at most: the budget is work, so it hangs on the data."""
    return ROUNDS if n_rows < MANY_ROWS else FEW_ROUNDS


@dataclass(frozen=True)
class Job:
    """One method on one split."""

    method: Method
    split: Split
    shown: np.ndarray
    views: Views

    @property
    def place(self) -> tuple[str, str]:
        """Method and split by name."""
        return self.method.key, self.split.name


def shown_labels(codes: np.ndarray, split: Split) -> np.ndarray:
    """Return the labels a method may see on a split: those of the training rows."""
    shown = np.full_like(codes, -1)
    shown[split.train] = codes[split.train]
    return shown


def run_job(job: Job, facts: Facts) -> dict[str, Any]:
    """Fit one method on one split; a failure is a record with its reason."""
    base = {"method": job.method.key, "split": job.split.name}
    rows = np.searchsorted(job.split.rows, job.split.test)
    what = (job.method, facts)
    seed = integer_seed("compare", "method", *job.place)
    start = time.process_time()
    with threadpool_limits(1):
        try:
            settings, tried = tuned(*what, job.views, job.shown, seed)
            middle = time.process_time()
            predicted = answered(*what, settings, job.views, job.shown, rows, seed)
        except Exception as error:  # a method that fails must not end the comparison
            return {**base, "error": printable(f"{type(error).__name__}: {error}")[:300]}
    return {
        **base,
        "error": None,
        # classes and clusters by number, for retrieval coordinates
        "predicted": packed(predicted if facts.kind == "retrieve" else predicted.astype(np.int64)),
        "settings": dict(settings),
        "tried": [[dict(settings), score] for settings, score in tried],
        "tune_seconds": middle - start,
        "fit_seconds": time.process_time() - middle,
    }


class Runner:
    """Runs jobs on several cores, keeps each result, and shows how far it is."""

    def __init__(
        self, store: Store, facts: Facts, options: Options, say: Callable[[str], None]
    ) -> None:
        self.store, self.facts, self.jobs, self.say = store, facts, options.jobs, say
        self.rounds = options.rounds or most_rounds(facts.n_rows)
        self.end = np.inf if options.minutes is None else time.monotonic() + 60 * options.minutes

    def run(self, jobs: Sequence[Job], what: str) -> list[dict[str, Any]]:
        """Return the records of the jobs, in their order; those kept before are not run again."""
        kept = {job.place: self.store.read(*job.place) for job in jobs}
        found = {place: record for place, record in kept.items() if record is not None}
        waiting = [job for job in jobs if job.place not in found]
        if found and waiting:
            self.say(f"{what}: {len(found)} of {len(jobs)} fits are there from before")
        start = last = time.monotonic()
        for done, record in enumerate(self._results(waiting), start=1):
            self.store.keep(record)
            found[record["method"], record["split"]] = record
            now = time.monotonic()
            if now - last > 5 or done == len(waiting):
                last = now
                rest = (now - start) / done * (len(waiting) - done)
                self.say(f"{what}: {done} of {len(waiting)} fits, about {rest:.0f} s to go")
            if now > self.end:
                break
        return [found[job.place] for job in jobs if job.place in found]

    def _results(self, jobs: Sequence[Job]) -> Iterable[dict[str, Any]]:
        if self.jobs == 1 or len(jobs) < 2:
            yield from (run_job(job, self.facts) for job in jobs)
            return
        with parallel_config("loky", inner_max_num_threads=1):
            work = Parallel(n_jobs=self.jobs, return_as="generator_unordered")
            yield from work(delayed(run_job)(job, self.facts) for job in jobs)


def compare(
    data: OwnData, work: Path, options: Options | None = None, say: Callable[[str], None] = print
) -> Comparison:
    """Compare all methods that can run on the data.

    Parameters
    ----------
    data
        Own data.
    work
        Folder that keeps single fits; a comparison that was interrupted goes on from there.
    options
        Rounds, cores, minutes, which methods.
    say
        Where progress goes.
    """
    options = options or Options()
    task = recognise(data)
    facts = facts_of(data, task.n_classes, task.kind)
    methods, skipped = find_methods(facts, task.kind, options.folders, options.only)
    if not methods:
        raise DataError(f"{data.name}: no method can run: {'; '.join(skipped)}")
    found = Comparison(data, task, facts, methods, skipped)
    text = f"{ENGINE} {manyviews.__version__} {data.digest()} {task}"
    store = Store(work, hashlib.sha256(text.encode()).hexdigest())
    runner = Runner(store, facts, options, say)
    say(f"{data.name}: {task.name}, {len(data)} rows, {len(methods)} methods")
    for line in skipped:
        say(f"skipped: {line}")
    for number in range(runner.rounds):
        if not _round(found, runner, number):
            break
    if not found.splits:
        raise DataError(f"{data.name}: no method finished a round; give it more minutes")
    for record in found.records:
        if record["error"] is not None and record["method"] not in found.failed:
            found.failed[record["method"]] = record["error"]
            title = methods[record["method"]].title
            say(f"failed on split {record['split']}: {title}: {record['error']}")
    return found


def _round(found: Comparison, runner: Runner, number: int) -> bool:
    """Run one round; tell whether another one is wanted."""
    data = found.data
    able = paired_rows(data) if found.task.kind == "retrieve" else None
    splits = splits_of(found.task, data.codes, number, able)
    codes = data.codes if data.classes else np.zeros_like(data.codes)
    jobs: list[Job] = []
    for split in splits:
        views = data.views[split.rows] if found.task.kind == "cluster" else data.views
        shown = shown_labels(codes, split)[split.rows]
        jobs += [Job(method, split, shown, views) for method in found.methods.values()]
    records = runner.run(jobs, f"round {number + 1}")
    if len(records) < len(jobs):
        found.stop = (
            f"The time given was over in round {number + 1}; the same command goes on from there."
        )
        return False
    score_records(found, splits, records)
    found.splits.extend(splits)
    found.records.extend(records)
    found.rounds = number + 1
    scores = found.scores()
    if not scores:
        raise DataError(f"{data.name}: every method failed, the first: {records[0]['error']}")
    if decided(scores, found.task.overlap, runner.rounds):
        found.stop = f"The leader was decided after {number + 1} of {runner.rounds} rounds."
        return False
    found.stop = "All rounds were run; no method is plainly ahead of all others."
    return True


def score_records(
    found: Comparison, splits: Sequence[Split], records: list[dict[str, Any]]
) -> None:
    """Write the scores of a round's answers into their records."""
    test = {split.name: split.test for split in splits}
    ancestors = lineages(found.data)
    silent = found.task.metric == "silhouette"
    tables = prepared_views(found.data) if silent else []
    for record in (record for record in records if record["error"] is None):
        rows, predicted = test[record["split"]], unpacked(record["predicted"])
        truth = found.data.codes[rows]
        if found.task.kind == "retrieve":
            record["scores"] = retrieved(found.task, truth, predicted)
        elif silent:
            values = [silhouette(table[rows], predicted) for table in tables]
            record["scores"] = {"silhouette": float(np.mean(values))}
        else:
            record["scores"] = scored(found.task, truth, predicted, ancestors)
