"""Run today's plain methods on a data set in its paper's task."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import f1_score

from manyviews.compare.diagnose import diagnostics
from manyviews.compare.method import Method, facts_of, find_methods
from manyviews.compare.reading.own import OwnData
from manyviews.compare.run import Job, run_job, shown_labels
from manyviews.compare.scores import similarities
from manyviews.compare.store import unpacked
from manyviews.compare.task import Split, paired_rows, recognise, splits_of
from manyviews.metrics import Ranking, accuracy, clustering_accuracy, macro_f1, nmi
from reproduction.compare.data import from_views
from reproduction.compare.plan import Entry, compared_methods
from reproduction.data.format import MultiViewData

#: Draws, folds or starts a data set.
SPLITS = 3
#: Rows of a paper's data set; rows to cluster, which are compared pair by pair.
MOST_ROWS, MOST_CLUSTERED = 20_000, 2_000
#: Rows and classes of a data set that no paper's task names.
BEYOND_ROWS, BEYOND_CLASSES = 1_000, 10
#: Classes with fewer labelled rows are set aside.
FEWEST = 3


def compared(path: Path, entry: Entry, say: Callable[[str], None] = print) -> dict[str, Any]:
    """Return the scores of today's methods on one data set, and what the data are like."""
    content = MultiViewData.load(path)
    base: dict[str, Any] = {
        "name": entry.name, "paper": entry.paper, "dataset": entry.dataset,
        "view_key": entry.view_key, "metric": entry.metric,
        "task": entry.task if entry.task in ("cluster", "retrieve") else "classify",
        "entry": entry.asked(),
    }  # fmt: skip
    if content.provenance.get("source") == "surrogate":
        return {**base, "skipped": "a surrogate: no real data at hand"}
    classes = None if entry.paper else BEYOND_CLASSES
    data = without_small_classes(from_views(content, entry.views, most_rows(entry), classes))
    if len(data.classes) < 2:
        return {**base, "skipped": "no labels to score by"}
    facts = facts_of(data, len(data.classes), base["task"])
    methods, skipped = find_methods(facts, base["task"], only=compared_methods(entry))
    splits = _splits(entry, data)
    scores: dict[str, list[float]] = {}
    for key, method in methods.items():
        values = [_score(entry, data, method, split, facts) for split in splits]
        if all(value is not None for value in values):
            scores[key] = [float(value) for value in values if value is not None]
        else:
            skipped.append(f"{method.title}: it failed on this data set")
        say(f"{entry.name}: {method.title}")
    return {
        **base,
        "rows": len(data),
        "classes": len(data.classes),
        "views": list(data.views.names),
        "sampled": len(data) < content.n_rows,
        "notes": data.notes,
        "methods": {key: methods[key].title for key in scores},
        "families": {key: methods[key].family for key in scores},
        "values": scores,
        "left_out": skipped,
        "diagnostics": diagnostics(data),
    }


def most_rows(entry: Entry) -> int:
    """Return the rows at most; a random sample stands for a data set that has more."""
    if not entry.paper:
        return BEYOND_ROWS
    return MOST_CLUSTERED if entry.task == "cluster" else MOST_ROWS


def without_small_classes(data: OwnData) -> OwnData:
    """Return the data with tiny classes unlabelled: they cannot be split."""
    counts = np.bincount(data.codes[data.codes >= 0], minlength=len(data.classes))
    kept = [c for c, count in enumerate(counts) if count >= FEWEST]
    place = {old: new for new, old in enumerate(kept)}
    small = len(data.classes) - len(kept)
    notes = [*data.notes, *([f"{small} classes with fewer than {FEWEST} rows"] if small else [])]
    codes = np.array([place.get(int(code), -1) for code in data.codes])
    return replace(data, codes=codes, classes=[data.classes[c] for c in kept], notes=notes)


def _splits(entry: Entry, data: OwnData) -> list[Split]:
    every = np.arange(len(data))
    if entry.task == "cluster":
        known = np.flatnonzero(data.codes >= 0)
        return [Split(f"start-{i}", every[:0], known, every) for i in range(SPLITS)]
    if entry.task == "retrieve":
        task = recognise(replace(data, task="retrieval"))
        return splits_of(task, data.codes, 0, paired_rows(data))[:SPLITS]
    share = entry.share if entry.task == "draws" else None
    task = recognise(replace(data, label_share=share, task="classify"))
    splits = splits_of(task, data.codes, 0)[:SPLITS]
    # as in the papers, all rows that are not shown are predicted
    known = np.flatnonzero(data.codes >= 0)
    return [replace(split, test=np.setdiff1d(known, split.train)) for split in splits]


def _score(entry: Entry, data: OwnData, method: Method, split: Split, facts: Any) -> float | None:
    record = run_job(Job(method, split, shown_labels(data.codes, split), data.views), facts)
    if record["error"] is not None:
        return None
    truth = data.codes[split.test]
    return measured(entry, data.classes, truth, unpacked(record["predicted"]))


def measured(entry: Entry, classes: Sequence[str], truth: np.ndarray, guess: np.ndarray) -> float:
    """Return the paper's measure, in per cent."""
    if entry.task == "retrieve":
        found = (
            Ranking.of(similarities(guess[0], guess[1]), truth, truth).average_precision().mean()
        )
    elif entry.metric == "accuracy_pct":
        found = (
            clustering_accuracy(truth, guess) if entry.task == "cluster" else accuracy(truth, guess)
        )
    elif entry.metric == "error_pct":
        found = 1 - accuracy(truth, guess)
    elif entry.metric == "nmi_pct":
        found = nmi(truth, guess, "max")
    elif entry.metric == "f1_pct":
        at = list(classes).index(entry.positive)
        found = f1_score(truth == at, guess == at, zero_division=0)
    else:
        found = macro_f1(truth, guess)
    return 100 * float(found)
