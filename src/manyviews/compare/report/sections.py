"""The parts of the report, each a piece of HTML from a finished comparison."""

from __future__ import annotations

import html
from itertools import combinations
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import confusion_matrix

from manyviews.compare.advice import NAMES, Advice, score_text, seconds_of
from manyviews.compare.comparison import GUESSES, PLAIN_NAME, Comparison
from manyviews.compare.diagnose import redundancy, view_table
from manyviews.compare.fit import fitted, settings_text
from manyviews.compare.report.figures import curve_figure, scores_figure
from manyviews.compare.report.markup import (
    Markup,
    counted,
    figure,
    folded,
    listed,
    table,
    text,
    unbroken,
)
from manyviews.compare.statistics import against, interval, leader_of, without_luck
from manyviews.compare.task import PER_ROUND
from manyviews.metrics import macro_f1
from manyviews.seeding import generator, integer_seed

#: Rows of a list that is long.
SHOWN = 10


def opening(found: Comparison, advice: Advice) -> str:
    """Say what to use, what was asked and how fairly."""
    data, task = found.data, found.task
    labelled = int((data.codes >= 0).sum())
    facts = [
        f"{len(data)} rows, {labelled} of them labelled, {len(data.classes)} classes, "
        f"{counted(data.views.n_views, 'view')}.",
        f"Task: {task.name}. {task.text}",
        f"{len(found.splits)} splits in {counted(found.rounds, 'round')}, the same for all "
        f"methods. {found.stop}",
    ]
    if task.kind in ("classify", "retrieve"):
        facts.append(
            "Settings are chosen on training rows alone, by three folds inside them (one split "
            "from 1,000 labelled rows on), from at most "
            f"{max(len(m.grid) for m in found.methods.values())} settings a method: all are listed "
            "below."
        )
    if task.kind == "stream":
        facts.append("Settings are not tuned: a stream has no rows to hold out.")
    if task.kind == "classify":
        facts[-1] += (
            " Methods that learn from unlabelled rows see the features of the test rows, never "
            "their labels."
        )
        luck = _luck(found)
        if luck:
            facts.append(luck)
    return (
        f"<h1>{html.escape(data.name)}: which method to use</h1>\n"
        f'<p class="advice">{html.escape(advice.sentence)}</p>\n{listed(facts)}'
    )


def _luck(found: Comparison) -> str:
    """Say what the leader's score is without the luck of having been chosen."""
    if found.task.label_share is not None or found.task.metric != "macro_f1":
        return ""
    splits = [s.name for s in found.splits[:PER_ROUND]]
    rows = np.concatenate([s.test for s in found.splits[:PER_ROUND]])
    predictions = {
        key: np.concatenate([_record(found, key, name)["predicted"] for name in splits])
        for key in found.scores()
    }
    rng = generator("compare", "luck")
    value = without_luck(found.data.codes[rows], predictions, macro_f1, rng, draws=50)
    return (
        f"The best of {len(predictions)} methods is chosen after the fact; without that luck "
        f"its macro F1 would be about {value:.3f}."
    )


def _record(found: Comparison, key: str, split: str) -> dict[str, Any]:
    return next(r for r in found.by_method(key) if r["split"] == split)


def methods_section(found: Comparison) -> str:
    """Show all scores, differences, time and memory."""
    scores, overlap, metric = found.scores(), found.task.overlap, NAMES[found.task.metric]
    reference = found.reference() or leader_of(scores)
    ahead = against(scores, reference, overlap)
    titles = {key: found.methods[key].title for key in scores}
    families = {key: found.methods[key].family for key in scores}
    own = {key: interval(values, overlap) for key, values in scores.items()}
    others = [name for name in _metrics(found) if name != found.task.metric]
    rows = []
    for key in sorted(scores, key=lambda key: (-own[key].mean, key)):
        d = ahead.get(key)
        memory = [r["memory_mb"] for r in found.by_method(key) if r["memory_mb"] is not None]
        rows.append(
            [
                titles[key], families[key], unbroken(score_text(own[key])),
                "" if d is None else unbroken(
                    f"{100 * d.mean:.1f} ({100 * d.low:.1f} to {100 * d.high:.1f})"
                ),
                "" if d is None else f"{d.p:.2g}",
                *(f"{np.mean(found.scores(name)[key]):.3f}" for name in others),
                f"{seconds_of(found, key):.2f}",
                f"{max(memory):.0f}" if memory else "unknown",
            ]
        )  # fmt: skip
    header = ["method", "family", metric, "points ahead", "p", *(NAMES[name] for name in others),
              "CPU seconds a split", "more MB at peak"]  # fmt: skip
    name = PLAIN_NAME[found.task.kind] if found.reference() else "the leader"
    return "\n".join(
        [
            "<h2>All methods</h2>",
            figure(scores_figure(own, titles, families, metric),
                   "Mean over the splits and what it may be on new rows of the same kind: each end "
                   "is wrong with a chance of 5 %."),
            table(header, rows, f"Points ahead of {name}, {titles[reference]}. Intervals and p "
                  "hold for all methods together, whichever is picked. Families: controls, "
                  "methods of the papers, plain rivals."),
        ]
    )  # fmt: skip


def _metrics(found: Comparison) -> list[str]:
    record = next(r for r in found.records if r["error"] is None)
    return list(record["scores"])


def curves_section(found: Comparison) -> str:
    """Show label-budget and missing-view curves."""
    titles = {key: method.title for key, method in found.methods.items()}
    parts = []
    for i, curve in enumerate(found.curves):
        means = {key: points for key, points in curve.means().items() if len(points) > 1}
        if means:
            caption = (
                f"{curve.title}: mean of three splits, settings as chosen with everything shown."
            )
            picture = curve_figure(f"curve{i}", means, titles, curve.axis, NAMES[found.task.metric])
            parts.append(figure(picture, caption))
    title = ", ".join(curve.title for curve in found.curves)
    return "\n".join([f"<h2>{html.escape(title)}</h2>", *parts]) if parts else ""


def views_section(found: Comparison) -> str:
    """Show what the views are like: size, strength, agreement, redundancy."""
    data, scores = found.data, found.scores()
    stem = {"cluster": "single_view_kmeans", "stream": "online_view"}.get(
        found.task.kind, "single_view"
    )
    alone = {name: f"{stem}.{name}" for name in data.views.names}
    rows = [
        [
            record["view"], record["kind"], record["columns"], f"{record['filled']:.1%}",
            f"{record['rows']:.0%}",
            f"{scores[key].mean():.3f}" if (key := alone[record["view"]]) in scores else "",
        ]
        for record in view_table(data)
    ]  # fmt: skip
    header = ["view", "kind", "columns", "filled cells", "rows that have it",
              f"{NAMES[found.task.metric]} alone"]  # fmt: skip
    parts = ["<h2>The views</h2>", table(header, rows)]
    if data.views.n_views > 1:
        agree = _agreement(found, alone)
        pairs = [
            [f"{p['first']} and {p['second']}", f"{p['alignment']:.2f}",
             f"{agree[p['first'], p['second']]:.0%}" if agree else ""]
            for p in redundancy(data)
        ]  # fmt: skip
        parts.append(
            table(["views", "redundancy", "same answer"], pairs,
                  "Redundancy is the linear alignment of the two tables (1: they say the same). "
                  "Same answer: share of test rows that both views alone classify alike.")
        )  # fmt: skip
    return "\n".join(parts)


def _agreement(found: Comparison, alone: dict[str, str]) -> dict[tuple[str, str], float]:
    if not found.task.tells_classes or not all(key in found.scores() for key in alone.values()):
        return {}
    answers = {
        name: np.concatenate([r["predicted"] for r in found.by_method(key)])
        for name, key in alone.items()
    }
    return {(a, b): float(np.mean(answers[a] == answers[b])) for a, b in combinations(answers, 2)}


def errors_section(found: Comparison, advice: Advice) -> str:
    """Show the confusion of the advised method, telling columns, and rows most methods miss."""
    if not found.task.tells_classes:
        return ""
    data = found.data
    truth, guess = _pooled(found, advice.key)
    names = data.classes
    parts = [f"<h2>Errors of {html.escape(found.methods[advice.key].title)}</h2>"]
    counts = confusion_matrix(truth, guess, labels=range(len(names)))
    if len(names) <= 20:
        rows = [[name, *map(int, counts[i])] for i, name in enumerate(names)]
        parts.append(table(["true \\ predicted", *names], rows, "Test rows, all splits together."))
    wrong = counts.copy()
    np.fill_diagonal(wrong, 0)
    pairs = [(int(wrong[i, j]), names[i], names[j]) for i, j in np.argwhere(wrong)]
    mixed = [[a, b, count] for count, a, b in sorted(pairs, key=lambda p: (-p[0], p[1], p[2]))]
    if mixed:
        parts.append(table(["class", "taken for", "rows"], mixed[:SHOWN], "Most mixed up."))
    parts.append(_hard_rows(found))
    parts.append(_features(found))
    return "\n".join(part for part in parts if part)


def _pooled(found: Comparison, key: str) -> tuple[np.ndarray, np.ndarray]:
    place = {split.name: split for split in found.splits}
    records = found.by_method(key)
    truth = np.concatenate([found.data.codes[place[r["split"]].test] for r in records])
    return truth, np.concatenate([r["predicted"] for r in records])


def _hard_rows(found: Comparison) -> str:
    """List rows that nearly all methods get wrong in the same way: mislabelled, or hard."""
    data = found.data
    votes = np.zeros((len(data), len(data.classes)))
    place = {split.name: split for split in found.splits}
    for key in found.scores():
        if key in GUESSES:
            continue
        for record in found.by_method(key):
            rows, predicted = place[record["split"]].test, np.array(record["predicted"])
            fine = predicted >= 0
            np.add.at(votes, (rows[fine], predicted[fine]), 1)
    total = votes.sum(axis=1)
    seen = np.flatnonzero((total > 0) & (data.codes >= 0))
    share = votes[seen].max(axis=1) / total[seen]
    answer = votes[seen].argmax(axis=1)
    wrong = np.flatnonzero(answer != data.codes[seen])
    order = wrong[np.lexsort((seen[wrong], -share[wrong]))][:SHOWN]
    rows_shown = [
        [data.ids[seen[i]], data.classes[data.codes[seen[i]]], data.classes[answer[i]],
         f"{share[i]:.0%}"]
        for i in order
    ]  # fmt: skip
    if not rows_shown:
        return ""
    return table(["row", "label", "most methods say", "share of answers"], rows_shown,
                 "Rows to look at: nearly all methods agree on another class.")  # fmt: skip


def _features(found: Comparison) -> str:
    """List the columns with the largest weights of each class, by plain concatenation."""
    method = found.methods.get("concatenation")
    if method is None or found.task.kind != "classify":
        return ""
    data = found.data
    seed = integer_seed("compare", "features")
    model = fitted(method, found.facts, method.grid[0], data.views, data.codes, seed).model
    weights: Any = model.coef_ if len(model.coef_) > 1 else np.vstack([-model.coef_, model.coef_])
    weights = weights.toarray() if sp.issparse(weights) else weights
    several = data.views.n_views > 1
    names = [
        f"{view}: {column}" if several else column
        for view, columns in zip(data.views.names, data.columns, strict=True)
        for column in columns
    ]
    rows = [
        [data.classes[int(c)],
         ", ".join(names[j] for j in np.argsort(-w, kind="stable")[:6] if w[j] > 0)]
        for c, w in zip(model.classes_, weights, strict=True)
    ]  # fmt: skip
    return table(["class", "columns that speak for it"], rows[:30],
                 "Largest weights of logistic regression on the concatenation.")  # fmt: skip


def settings_section(found: Comparison) -> str:
    """List every setting tried, how often it was chosen and its validation score."""
    rows = []
    for key, method in sorted(found.methods.items()):
        tried: dict[str, list[float]] = {settings_text(s): [] for s in method.grid}
        chosen: dict[str, int] = dict.fromkeys(tried, 0)
        for record in found.by_method(key):
            if record["error"] is None:
                chosen[settings_text(record["settings"])] += 1
                for settings, score in record["tried"]:
                    tried[settings_text(settings)].append(score)
        for settings, values in tried.items():
            mean = f"{np.mean(values):.3f}" if values else ""
            rows.append([method.title, Markup(f"<code>{html.escape(settings)}</code>"),
                         chosen[settings], mean])  # fmt: skip
    header = ["method", "settings", "times chosen", "validation score"]
    left = [f"{found.methods[key].title} failed: {why}" for key, why in found.failed.items()]
    left += [f"skipped: {line}" for line in found.skipped]
    parts = [
        "<h2>Settings, and what did not run</h2>",
        folded(f"All {len(rows)} settings tried", table(header, rows)),
    ]
    if left:
        parts.append(listed(left))
    return "\n".join(parts)


def closing(found: Comparison, advice: Advice) -> str:
    """Say what was guessed, and how to use the winner."""
    notes = found.data.notes or ["Nothing was guessed or mended."]
    use = 'predict("path/to/new/data")'
    if found.task.kind == "retrieve":
        a, b = found.data.views.names[:2]
        use = f'search("path/to/new/data", "{a}", "{b}")'
    code = (
        "from manyviews.compare.winner import load\n"
        'winner = load("winner.joblib")\n'
        f"print(winner.{use})"
    )
    return (
        f"<h2>What was guessed about the data</h2>\n{listed(notes)}\n"
        f"<h2>Use it</h2>\n<p>{text(found.methods[advice.key].title)} was tuned and fitted to all "
        f"{'labelled ' if found.data.classes else ''}rows. Its answers are in "
        "<code>predictions.csv</code>; for new rows, in a "
        "folder like the one that was read:</p>\n"
        f"<pre>{html.escape(code)}</pre>"
    )
