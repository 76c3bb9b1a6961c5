"""Run all methods of ``manyviews compare`` on a data set, in its paper's task or another."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import f1_score
from sklearn.metrics.pairwise import cosine_similarity

from manyviews.compare.diagnose import diagnostics
from manyviews.compare.method import facts_of
from manyviews.compare.methods import find_methods
from manyviews.compare.reading.join import Part, as_graph, joined, kind_of
from manyviews.compare.reading.own import OwnData
from manyviews.compare.run import run_job, seen
from manyviews.compare.task import Split, recognise, splits_of
from manyviews.metrics import Ranking, accuracy, clustering_accuracy, macro_f1, nmi
from manyviews.seeding import generator
from reproduction.compare.plan import Entry
from reproduction.data.format import MultiViewData

#: Draws, folds or starts a data set.
SPLITS = 3
#: Rows of a paper's data set; rows to cluster, which are compared pair by pair.
MOST_ROWS, MOST_CLUSTERED = 5_000, 2_000
#: Rows and classes of a data set that no paper's task names.
BEYOND_ROWS, BEYOND_CLASSES = 1_000, 10
#: Classes with fewer labelled rows are set aside.
FEWEST = 3


def compared(path: Path, entry: Entry) -> dict[str, Any]:
    """Return the scores of all methods on one data set, and what the data are like."""
    content = MultiViewData.load(path)
    base: dict[str, Any] = {
        "name": entry.name, "paper": entry.paper, "dataset": entry.dataset,
        "view_key": entry.view_key, "metric": entry.metric,
        "task": entry.task if entry.task in ("cluster", "retrieve") else "classify",
    }  # fmt: skip
    if content.provenance.get("source") == "surrogate":
        return {**base, "skipped": "a surrogate: no real data at hand"}
    data = from_views(content, entry)
    if len(data.classes) < 2:
        return {**base, "skipped": "no labels to score by"}
    facts = facts_of(data, len(data.classes), base["task"])
    methods, skipped = find_methods(facts)
    splits = splits_for(entry, data)
    shown = {"draws": entry.share, "folds": 1.0}.get(entry.task, 0.0)
    scores: dict[str, list[float]] = {}
    for key, method in methods.items():
        values = []
        for split in splits:
            record = run_job(method, facts, split, *seen(data, split))
            if record["error"] is None:
                guess = np.array(record["predicted"])
                values.append(measured(entry, data.classes, data.codes[split.test], guess))
        if len(values) == len(splits):
            scores[key] = values
        else:
            skipped.append(f"{method.title}: it failed on this data set")
        print(f"{entry.name}: {method.title}")
    return {
        **base, "sampled": len(data) < content.n_rows, "notes": data.notes, "values": scores,
        "methods": {key: methods[key].title for key in scores}, "left_out": skipped,
        "families": {key: methods[key].family for key in scores},
        "diagnostics": {**diagnostics(data), "labelled": shown},
    }  # fmt: skip


def from_views(data: MultiViewData, entry: Entry) -> OwnData:
    """Return a view file as own data; a note says what was sampled or set aside."""
    notes: list[str] = []
    everyone = set(data.ids)
    counts = np.bincount(data.labels[data.labels >= 0], minlength=1)
    if not entry.paper and (n_classes := int((counts > 0).sum())) > BEYOND_CLASSES:
        kept = np.argsort(-counts, kind="stable")[:BEYOND_CLASSES]
        data = data.subset(np.isin(data.labels, kept))
        notes.append(f"{data.name}: the {BEYOND_CLASSES} largest of {n_classes} classes")
    most = MOST_CLUSTERED if entry.task == "cluster" else MOST_ROWS
    most = most if entry.paper else BEYOND_ROWS
    if data.n_rows > most:
        rng = generator("compare", "rows", data.name)
        data = data.subset(np.sort(rng.permutation(data.n_rows)[:most]))
        notes.append(f"{data.name}: a random {most} rows")
    parts = [_part(data, name, everyone, notes) for name in entry.views or data.views]
    counts = np.bincount(data.labels[data.labels >= 0], minlength=len(data.class_names))
    used = [c for c, count in enumerate(counts) if count >= FEWEST]
    small = int((counts > 0).sum()) - len(used)
    notes += [f"{small} classes with fewer than {FEWEST} rows"] if small else []
    place = {old: new for new, old in enumerate(used)}
    return OwnData(
        name=data.name,
        views=joined(parts, data.ids, notes),
        kinds=[part.kind for part in parts],
        graphs=[part.graph for part in parts],
        codes=np.array([place.get(int(label), -1) for label in data.labels]),
        classes=[data.class_names[old] for old in used],
        columns=[part.columns for part in parts],
        notes=notes,
    )


def _part(data: MultiViewData, name: str, everyone: set[str], notes: list[str]) -> Part:
    """Return one view; a view of links lists the ids that are linked to."""
    (matrix,) = data.Xs(name)
    columns = data.feature_names.get(name) or [str(j) for j in range(matrix.shape[1])]
    # rows that lack the view hold zeros there, and a mark beside
    here = np.asarray(data.rows.get(f"{name}_present", np.ones(data.n_rows)), dtype=bool)
    ids = [key for key, given in zip(data.ids, here, strict=True) if given]
    part = Part(name, sp.csr_matrix(matrix)[here], list(columns), data.name, ids, kind_of(matrix))
    if name not in data.feature_names or not everyone.issuperset(columns):
        return part  # square matrices of features are no links
    known = set(data.ids)  # links to rows outside a sample are cut
    inside = [j for j, column in enumerate(columns) if column in known]
    part.matrix, part.graph = part.matrix[:, inside], True
    part.columns = [columns[j] for j in inside]
    return as_graph(part, data.ids, notes)


def splits_for(entry: Entry, data: OwnData) -> list[Split]:
    """Return the draws, folds or starts of a comparison."""
    every, known = np.arange(len(data)), np.flatnonzero(data.codes >= 0)
    if entry.task == "cluster":
        return [Split(f"start-{i}", every[:0], known, every) for i in range(SPLITS)]
    if entry.task == "retrieve":
        task = recognise(replace(data, task="retrieval"))
        return splits_of(task, data, 0)[:SPLITS]
    share = entry.share if entry.task == "draws" else None
    task = recognise(replace(data, label_share=share, task="classify"))
    # as in the papers, all rows that are not shown are predicted
    return [
        replace(split, test=np.setdiff1d(known, split.train))
        for split in splits_of(task, data, 0)[:SPLITS]
    ]


def measured(entry: Entry, classes: Sequence[str], truth: np.ndarray, guess: np.ndarray) -> float:
    """Return the paper's measure, in per cent."""
    if entry.task == "retrieve":
        near = cosine_similarity(guess[0], guess[1])
        return 100 * float(Ranking.of(near, truth, truth).average_precision().mean())
    at = list(classes).index(entry.positive) if entry.metric == "f1_pct" else None
    measures: dict[str, Callable[..., Any]] = {
        "accuracy_pct": clustering_accuracy if entry.task == "cluster" else accuracy,
        "error_pct": lambda truth, guess: 1 - accuracy(truth, guess),
        "nmi_pct": lambda truth, guess: nmi(truth, guess, "max"),
        "f1_pct": lambda truth, guess: f1_score(truth == at, guess == at, zero_division=0),
        "macro_f1_pct": macro_f1,
    }
    return 100 * float(measures[entry.metric](truth, guess))
