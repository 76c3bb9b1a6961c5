"""The parts of the report, each a piece of HTML from a finished comparison."""

from __future__ import annotations

import html

import numpy as np
from sklearn.metrics import confusion_matrix

from manyviews.compare.advice import NAMES, Advice, score_text, seconds_of
from manyviews.compare.comparison import GUESSES, PLAIN_NAME, Comparison
from manyviews.compare.diagnose import redundancy, view_table
from manyviews.compare.fit import settings_text
from manyviews.compare.report.markup import counted, listed, scores_figure, table, unbroken
from manyviews.compare.statistics import against, interval, leader_of

#: Rows of a list that is long.
SHOWN = 10


def opening(found: Comparison, advice: Advice) -> str:
    """Say what to use, what was asked and how fairly."""
    data, task = found.data, found.task
    facts = [
        f"{len(data)} rows, {int((data.codes >= 0).sum())} of them labelled, "
        f"{len(data.classes)} classes, {counted(data.views.n_views, 'view')}.",
        f"Task: {task.name}. {task.text}",
        f"{len(found.splits)} splits in {counted(found.rounds, 'round')}, the same for all "
        f"methods. {found.stop}",
    ]
    if task.kind != "cluster":
        facts.append(
            "Settings are chosen on training rows alone, by three folds inside them (one split "
            "from 1,000 labelled rows on), from at most "
            f"{max(len(m.grid) for m in found.methods.values())} settings a method: all are listed "
            "below."
        )
    if task.kind == "classify":
        facts[-1] += (
            " Methods that learn from unlabelled rows see the features of the test rows, never "
            "their labels."
        )
    return (
        f"<h1>{html.escape(data.name)}: which method to use</h1>\n"
        f'<p class="advice">{html.escape(advice.sentence)}</p>\n{listed(facts)}'
    )


def methods_section(found: Comparison, advice: Advice) -> str:
    """Show all scores, differences and times."""
    scores, overlap, metric = found.scores(), found.task.overlap, NAMES[found.task.metric]
    reference = found.reference() or leader_of(scores)
    ahead = against(scores, reference, overlap)
    titles = {key: found.methods[key].title for key in scores}
    families = {key: found.methods[key].family for key in scores}
    own = {key: interval(values, overlap) for key, values in scores.items()}
    known = next(r for r in found.records if r["error"] is None)["scores"]
    others = [name for name in known if name != found.task.metric]
    rows = []
    for key in sorted(scores, key=lambda key: (-own[key].mean, key)):
        d = ahead.get(key)
        points = f"{100 * d.mean:.1f} ({100 * d.low:.1f} to {100 * d.high:.1f})" if d else ""
        rows.append(
            [titles[key], families[key], unbroken(score_text(own[key])), unbroken(points),
             f"{d.p:.2g}" if d else "",
             *(f"{np.mean(found.scores(name)[key]):.3f}" for name in others),
             f"{seconds_of(found, key):.2f}"]
        )  # fmt: skip
    header = ["method", "family", metric, "points ahead", "p", *(NAMES[name] for name in others),
              "CPU seconds a split"]  # fmt: skip
    name = PLAIN_NAME[found.task.kind] if found.reference() else "the leader"
    picture = scores_figure(
        own, titles, families, metric, "Mean over the splits and what it may be on new rows of the "
        "same kind: each end is wrong with a chance of 5 %.",
    )  # fmt: skip
    caption = (
        f"Points ahead of {name}, {titles[reference]}. Intervals and p hold for all methods "
        "together, whichever is picked. Families: controls, methods of the papers, plain rivals."
    )
    return f"<h2>All methods</h2>\n{picture}\n{table(header, rows, caption)}"


def views_section(found: Comparison, advice: Advice) -> str:
    """Show what the views are like: size, strength, redundancy."""
    data, scores = found.data, found.scores()
    stem = "single_view_kmeans" if found.task.kind == "cluster" else "single_view"
    rows = [
        [one["view"], one["kind"], one["columns"], f"{one['filled']:.1%}", f"{one['rows']:.0%}",
         f"{scores[key].mean():.3f}" if (key := f"{stem}.{one['view']}") in scores else ""]
        for one in view_table(data)
    ]  # fmt: skip
    header = ["view", "kind", "columns", "cells that are not zero", "rows that have it",
              f"{NAMES[found.task.metric]} alone"]  # fmt: skip
    parts = ["<h2>The views</h2>", table(header, rows)]
    if data.views.n_views > 1:
        pairs = [
            [f"{pair['first']} and {pair['second']}", pair["alignment"]]
            for pair in redundancy(data)
        ]
        caption = "Redundancy is the linear alignment of two tables (1: they say the same)."
        parts.append(table(["views", "redundancy"], pairs, caption))
    return "\n".join(parts)


def errors_section(found: Comparison, advice: Advice) -> str:
    """Show the confusion of the advised method, and rows most methods miss."""
    if found.task.kind != "classify":
        return ""
    names, place = found.data.classes, {split.name: split for split in found.splits}
    records = found.by_method(advice.key)
    truth = np.concatenate([found.data.codes[place[r["split"]].test] for r in records])
    guess = np.concatenate([r["predicted"] for r in records])
    parts = [f"<h2>Errors of {html.escape(found.methods[advice.key].title)}</h2>"]
    counts = confusion_matrix(truth, guess, labels=range(len(names)))
    if len(names) <= 20:
        rows = [[name, *map(int, counts[i])] for i, name in enumerate(names)]
        parts.append(table(["true \\ predicted", *names], rows, "Test rows, all splits together."))
    np.fill_diagonal(counts, 0)
    mixed = sorted((-int(counts[i, j]), names[i], names[j]) for i, j in np.argwhere(counts))
    if mixed:
        rows = [[a, b, -count] for count, a, b in mixed[:SHOWN]]
        parts.append(table(["class", "taken for", "rows"], rows, "Most mixed up."))
    return "\n".join([*parts, _hard_rows(found)])


def _hard_rows(found: Comparison) -> str:
    """List rows that nearly all methods get wrong in the same way: mislabelled, or hard."""
    data, place = found.data, {split.name: split for split in found.splits}
    votes = np.zeros((len(data), len(data.classes)))
    for key in (key for key in found.scores() if key not in GUESSES):
        for record in found.by_method(key):
            rows, predicted = place[record["split"]].test, np.array(record["predicted"])
            fine = predicted >= 0
            np.add.at(votes, (rows[fine], predicted[fine]), 1)
    answer, share = votes.argmax(axis=1), votes.max(axis=1) / np.maximum(votes.sum(axis=1), 1)
    wrong = np.flatnonzero((share > 0) & (data.codes >= 0) & (answer != data.codes))
    order = wrong[np.lexsort((wrong, -share[wrong]))][:SHOWN]
    rows_shown = [
        [data.ids[i], data.classes[data.codes[i]], data.classes[answer[i]], f"{share[i]:.0%}"]
        for i in order
    ]
    if not rows_shown:
        return ""
    return table(["row", "label", "most methods say", "share of answers"], rows_shown,
                 "Rows to look at: nearly all methods agree on another class.")  # fmt: skip


def settings_section(found: Comparison, advice: Advice) -> str:
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
        rows += [
            [method.title, settings, chosen[settings], f"{np.mean(values):.3f}" if values else ""]
            for settings, values in tried.items()
        ]
    left = [f"{found.methods[key].title} failed: {why}" for key, why in found.failed.items()]
    left += [f"skipped: {line}" for line in found.skipped]
    return (
        "<h2>Settings, and what did not run</h2>\n"
        f"<details><summary>All {len(rows)} settings tried</summary>"
        f"{table(['method', 'settings', 'times chosen', 'validation score'], rows)}</details>\n"
        f"{listed(left) if left else ''}"
    )


def closing(found: Comparison, advice: Advice) -> str:
    """Say what was guessed, and how to use the winner."""
    use = 'predict("path/to/new/data")'
    if found.task.kind == "retrieve":
        a, b = map(repr, found.data.views.names[:2])
        use = f'search("path/to/new/data", {a}, {b})'
    code = (
        "from manyviews.compare.winner import load\n"
        f'winner = load("winner.joblib")\nprint(winner.{use})'
    )
    return (
        "<h2>What was guessed about the data</h2>\n"
        f"{listed(found.data.notes or ['Nothing was guessed or mended.'])}\n"
        f"<h2>Use it</h2>\n<p>{html.escape(found.methods[advice.key].title)} was tuned and fitted "
        f"to all {'labelled ' if found.data.classes else ''}rows. Its answers are in "
        "<code>predictions.csv</code>; for new rows, in a folder like the one that was read:</p>\n"
        f"<pre>{html.escape(code)}</pre>\n<p>A <code>.joblib</code> file is a pickle: loading one "
        "of somebody else can run their code. Load your own alone.</p>"
    )
