"""The comparison itself: rounds of equal splits for all, until the leader is decided."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from joblib import Parallel, delayed, parallel_config
from threadpoolctl import threadpool_limits

from manyviews import metrics
from manyviews.compare import task as tasks
from manyviews.compare.advice import Comparison
from manyviews.compare.diagnose import prepared_views, silhouette
from manyviews.compare.fit import answered, tuned
from manyviews.compare.method import Facts, Method, facts_of
from manyviews.compare.methods import find_methods
from manyviews.compare.reading.guard import DataError, printable
from manyviews.compare.reading.own import OwnData
from manyviews.compare.statistics import decided
from manyviews.compare.task import Split
from manyviews.seeding import integer_seed
from manyviews.views import Views


def most_rounds(n_rows: int) -> int:
    """Return how many rounds there are at most: scores on more test rows vary less."""
    return 4 if n_rows < 1000 else 2


def seen(data: OwnData, split: Split) -> tuple[Views, np.ndarray]:
    """Return what a method may see on a split: its rows, the labels of those to train on."""
    codes = data.codes if data.classes else np.zeros_like(data.codes)
    shown = np.full_like(codes, -1)
    shown[split.train] = codes[split.train]
    views = data.views if split.rows.size == len(data) else data.views[split.rows]
    return views, shown[split.rows]


def run_job(
    method: Method, facts: Facts, split: Split, views: Views, shown: np.ndarray
) -> dict[str, Any]:
    """Fit one method on one split; a failure is a record with its reason."""
    base = {"method": method.key, "split": split.name}
    rows, what = np.searchsorted(split.rows, split.test), (method, facts)
    seed = integer_seed("compare", "method", *base.values())
    start = time.process_time()
    with threadpool_limits(1):
        try:
            settings, tried = tuned(*what, views, shown, seed)
            middle = time.process_time()
            predicted = answered(*what, settings, views, shown, rows, seed)
        except Exception as error:  # a method that fails must not end the comparison
            return {**base, "error": printable(f"{type(error).__name__}: {error}")[:300]}
    return {
        **base,
        "error": None,
        # classes and clusters by number, for retrieval coordinates
        "predicted": predicted.astype(np.float32 if facts.kind == "retrieve" else int).tolist(),
        "settings": dict(settings),
        "tried": [[dict(settings), score] for settings, score in tried],
        "tune_seconds": middle - start,
        "fit_seconds": time.process_time() - middle,
    }


def run_jobs(
    jobs: Sequence[Any], cores: int, say: Callable[[str], None], prefix: str
) -> list[dict[str, Any]]:
    """Return the records of delayed jobs, in their order."""
    found, start = list[dict[str, Any]](), time.monotonic()
    last = start
    with parallel_config("loky", inner_max_num_threads=1):
        work = Parallel(n_jobs=cores, return_as="generator")
        results = work(jobs)
    for done, record in enumerate(results, start=1):
        found.append(record)
        now = time.monotonic()
        if now - last > 5 or done == len(jobs):
            last, rest = now, (now - start) / done * (len(jobs) - done)
            say(f"{prefix}{done} of {len(jobs)} fits, about {rest:.0f} s to go")
    return found


def compare(
    data: OwnData, *, rounds: int | None = None, jobs: int = 1, only: Sequence[str] | None = None,
    more: Sequence[Method] = (), say: Callable[[str], None] = print,
) -> Comparison:  # fmt: skip
    """Compare all methods that can run on the data.

    ``only`` names the methods that are wanted, ``more`` are your own, ``jobs`` is the number of
    cores.
    """
    task = tasks.recognise(data)
    facts = facts_of(data, task.n_classes, task.kind)
    methods, skipped = find_methods(facts, more, only)
    if not methods:
        raise DataError(f"{data.name}: no method can run: {'; '.join(skipped)}")
    found = Comparison(data, task, facts, methods, skipped)
    rounds = rounds or most_rounds(len(data))
    say(f"{data.name}: {task.name}, {len(data)} rows, {len(methods)} methods")
    for line in skipped:
        say(f"skipped: {line}")
    for number in range(rounds):
        splits, fits = tasks.splits_of(task, data, number), list[Any]()
        for split in splits:
            given = seen(data, split)
            fits += [delayed(run_job)(one, facts, split, *given) for one in methods.values()]
        records = run_jobs(fits, jobs, say, f"round {number + 1}: ")
        add_records(found, splits, records)
        found.rounds = number + 1
        scores = found.scores()
        if not scores:
            raise DataError(f"{data.name}: every method failed, the first: {records[0]['error']}")
        if decided(scores, task.overlap, rounds):
            found.stop = f"The leader was decided after {number + 1} of {rounds} rounds."
            break
    else:
        found.stop = "All rounds were run; no method is plainly ahead of all others."
    for record in found.records:
        if record["error"] is not None and record["method"] not in found.failed:
            found.failed[record["method"]] = record["error"]
            title = methods[record["method"]].title
            say(f"failed on split {record['split']}: {title}: {record['error']}")
    return found


def add_records(found: Comparison, splits: Sequence[Split], records: list[dict[str, Any]]) -> None:
    """Add a round to what was found, with the scores of its answers."""
    found.splits.extend(splits)
    found.records.extend(records)
    data, task = found.data, found.task
    tables = prepared_views(data) if task.metric == "silhouette" else []
    for record in (record for record in records if record["error"] is None):
        rows, predicted = found.rows_of(record), np.array(record["predicted"])
        truth = data.codes[rows]
        if task.kind == "retrieve":
            scores = {"map": tasks.ranked(predicted, truth, task.n_classes)}
        elif task.metric == "silhouette":
            values = [silhouette(table[rows], predicted) for table in tables]
            scores = {"silhouette": float(np.mean(values))}
        elif task.kind == "cluster":
            agreement = metrics.clustering_accuracy(truth, predicted)
            scores = {"nmi": metrics.nmi(truth, predicted), "accuracy": agreement}
        else:
            scores = {name: getattr(metrics, name)(truth, predicted)
                      for name in ("macro_f1", "accuracy")}  # fmt: skip
        record["scores"] = scores


def final_answers(found: Comparison, key: str) -> list[str]:
    """Tune and fit a method on all labelled rows; return what it says of every row."""
    method, facts, data = found.methods[key], found.facts, found.data
    seed = integer_seed("compare", "winner", key)
    settings, _ = tuned(method, facts, data.views, data.codes, seed)
    every = np.arange(len(data))
    codes = answered(method, facts, settings, data.views, data.codes, every, seed)
    names = [str(c) for c in range(facts.n_classes)] if facts.kind == "cluster" else data.classes
    return [names[c] if c >= 0 else "" for c in codes]
