"""The report and its tables from a finished comparison, written all of them or none."""

import csv
import html
import io
from collections.abc import Iterable, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import confusion_matrix

from manyviews.compare.advice import (
    GUESSES,
    NAMES,
    PLAIN_NAME,
    Advice,
    Comparison,
    advise,
    score_text,
)
from manyviews.compare.diagnose import redundancy, view_table
from manyviews.compare.fit import settings_text
from manyviews.compare.reading.errors import printable, safe_cell
from manyviews.compare.report.markup import listed, page, scores_figure, table
from manyviews.compare.statistics import against, interval, leader_of
from manyviews.compare.store import write_bytes
from manyviews.compare.task import similarities
from manyviews.compare.winner import Winner, fit_winner, save

#: Rows of a list that is long.
SHOWN = 10


def opening(found: Comparison, advice: Advice) -> str:
    """Say what to use, what was asked and how fairly."""
    data, task = found.data, found.task
    facts = [
        f"{len(data)} rows, {int((data.codes >= 0).sum())} of them labelled, "
        f"{len(data.classes)} classes, views: {data.views.n_views}.",
        f"Task: {task.name}. {task.text}",
        f"{len(found.splits)} splits, rounds: {found.rounds}, the same for all methods. "
        f"{found.stop}",
    ]
    if task.kind != "cluster":
        facts.append(
            "Settings are chosen on training rows alone, by three folds inside them (one split "
            "from 1,000 labelled rows on), from at most "
            f"{max(len(m.grid) for m in found.methods.values())} settings a method: all are in "
            "settings.csv, with how often each was chosen."
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
    own = {key: interval(values, overlap) for key, values in scores.items()}
    known = next(r for r in found.records if r["error"] is None)["scores"]
    others = {name: found.scores(name) for name in known if name != found.task.metric}
    rows = []
    for key in sorted(scores, key=lambda key: (-own[key].mean, key)):
        d, method = ahead.get(key), found.methods[key]
        points = f"{100 * d.mean:.1f} ({100 * d.low:.1f} to {100 * d.high:.1f})" if d else ""
        unbroken = (
            text.replace(" ", "\N{NO-BREAK SPACE}") for text in (score_text(own[key]), points)
        )
        rows.append(
            [method.title, method.family, *unbroken, f"{d.p:.2g}" if d else "",
             *(f"{np.mean(values[key]):.3f}" for values in others.values()),
             f"{found.seconds(key):.2f}"]
        )  # fmt: skip
    header = ["method", "family", metric, "points ahead", "p", *(NAMES[name] for name in others),
              "CPU seconds a split"]  # fmt: skip
    name = PLAIN_NAME[found.task.kind] if found.reference() else "the leader"
    picture = scores_figure(
        own, found.methods, metric, "Mean over the splits and what it may be on new rows of the "
        "same kind: each end is wrong with a chance of 5 %.",
    )  # fmt: skip
    caption = (
        f"Points ahead of {name}, {found.methods[reference].title}. Intervals and p hold for all "
        "methods together, whichever is picked. Families: controls, methods of the papers, plain "
        "rivals."
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
            [f"{one['first']} and {one['second']}", one["alignment"]] for one in redundancy(data)
        ]
        caption = "Redundancy is the linear alignment of two tables (1: they say the same)."
        parts.append(table(["views", "redundancy"], pairs, caption))
    return "\n".join(parts)


def errors_section(found: Comparison, advice: Advice) -> str:
    """Show the confusion of the advised method, and rows most methods miss."""
    if found.task.kind != "classify":
        return ""
    names, codes, records = found.data.classes, found.data.codes, found.by_method(advice.key)
    truth = np.concatenate([codes[found.rows_of(record)] for record in records])
    guess = np.concatenate([record["predicted"] for record in records])
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
    # rows that nearly all methods get wrong in the same way: mislabelled, or hard
    votes = np.zeros((len(codes), len(names)))
    for key in (key for key in found.scores() if key not in GUESSES):
        for record in found.by_method(key):
            predicted = np.array(record["predicted"])
            fine = predicted >= 0
            np.add.at(votes, (found.rows_of(record)[fine], predicted[fine]), 1)
    answer, share = votes.argmax(axis=1), votes.max(axis=1) / np.maximum(votes.sum(axis=1), 1)
    wrong = np.flatnonzero((share > 0) & (codes >= 0) & (answer != codes))
    if wrong.size:
        rows = [
            [found.data.ids[i], names[codes[i]], names[answer[i]], f"{share[i]:.0%}"]
            for i in wrong[np.lexsort((wrong, -share[wrong]))][:SHOWN]
        ]
        caption = "Rows to look at: nearly all methods agree on another class."
        parts.append(table(["row", "label", "most methods say", "share of answers"], rows, caption))
    return "\n".join(parts)


def closing(found: Comparison, advice: Advice) -> str:
    """Say what did not run, what was guessed, and how to use the winner."""
    use = 'predict("path/to/new/data")'
    if found.task.kind == "retrieve":
        a, b = map(repr, found.data.views.names[:2])
        use = f'search("path/to/new/data", {a}, {b})'
    code = (
        "from manyviews.compare.winner import load\n"
        f'winner = load("winner.joblib")\nprint(winner.{use})'
    )
    left = [f"{found.methods[key].title} failed: {why}" for key, why in found.failed.items()]
    left += [f"skipped: {line}" for line in found.skipped]
    return (
        f"<h2>What did not run</h2>\n{listed(left or ['Every method ran.'])}\n"
        "<h2>What was guessed about the data</h2>\n"
        f"{listed(found.data.notes or ['Nothing was guessed or mended.'])}\n"
        f"<h2>Use it</h2>\n<p>{html.escape(found.methods[advice.key].title)} was tuned and fitted "
        f"to all {'labelled ' if found.data.classes else ''}rows. Its answers are in "
        "<code>predictions.csv</code>; for new rows, in a folder like the one that was read:</p>\n"
        f"<pre>{html.escape(code)}</pre>\n<p>A <code>.joblib</code> file is a pickle: loading one "
        "of somebody else can run their code. Load your own alone.</p>"
    )


#: Parts after the opening, in their order.
SECTIONS = (methods_section, views_section, errors_section, closing)


def report_html(found: Comparison, advice: Advice) -> str:
    """Return the report as one HTML text; a part that fails says so in its place."""
    parts = [opening(found, advice)]
    for section in SECTIONS:
        try:
            parts.append(section(found, advice))
        except Exception as error:  # hours of fits must not be lost for a table
            why = printable(f"{type(error).__name__}: {error}")[:300]
            parts.append(f"<p>{section.__name__} could not be written: {html.escape(why)}</p>")
    return page(f"{found.data.name}: which method to use", "\n".join(filter(None, parts)))


def csv_text(header: str, rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as CSV; no spreadsheet takes a cell for a formula."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header.split(","))
    writer.writerows([safe_cell(str(cell)) for cell in row] for row in rows)
    return buffer.getvalue()


def tables_of(found: Comparison) -> dict[str, str]:
    """Return every score, setting and time of every split; times differ from run to run."""
    done = [record for record in found.records if record["error"] is None]
    scores: list[list[Any]] = []
    settings: list[list[Any]] = []
    times: list[list[Any]] = []
    for r in done:
        place = [r["method"], r["split"]]
        scores += [[*place, name, f"{value:.12g}"] for name, value in r["scores"].items()]
        settings += [
            [*place, settings_text(tried), f"{score:.12g}", tried == r["settings"]]
            for tried, score in r["tried"] or [[r["settings"], float("nan")]]
        ]
        times.append([*place, f"{r['tune_seconds']:.4f}", f"{r['fit_seconds']:.4f}"])
    chosen = "method,split,settings,validation_score,chosen"
    return {
        "scores.csv": csv_text("method,split,metric,value", sorted(scores)),
        "settings.csv": csv_text(chosen, sorted(settings)),
        "times.csv": csv_text("method,split,tune_seconds,fit_seconds", sorted(times)),
    }


def predictions_csv(found: Comparison, advice: Advice, winner: Winner) -> str:
    """Return for each row its label, its prediction while held out, and the winner's."""
    data = found.data
    if found.task.kind == "retrieve":
        return matches_csv(found, advice)
    held: dict[int, str] = {}
    for record in found.by_method(advice.key) if found.task.kind == "classify" else ():
        for row, code in zip(found.rows_of(record), record["predicted"], strict=True):
            held.setdefault(int(row), data.classes[code] if code >= 0 else "")
    rows = [
        [key, data.classes[code] if code >= 0 else "", held.get(i, ""), winner.predictions[key]]
        for i, (key, code) in enumerate(zip(data.ids, data.codes, strict=True))
    ]
    return csv_text("id,label,predicted_held_out,predicted_by_winner", rows)


def matches_csv(found: Comparison, advice: Advice) -> str:
    """Return the best match of every query while it was held out, and the rank of the row itself.

    A query meets the test rows of its own split only.
    """
    data, names = found.data, found.data.views.names
    rows: list[list[Any]] = []
    first = [r for r in found.by_method(advice.key) if r["split"].startswith("0-")]
    for record in first:  # of the first round: others ask the same rows again
        test, spaces = found.rows_of(record), np.array(record["predicted"])
        for a, b in permutations(range(len(names)), 2):
            near = similarities(spaces[a], spaces[b])
            best = near.argmax(axis=1)
            rank = 1 + (near > near.diagonal()[:, None]).sum(axis=1)
            rows += [
                [
                    data.ids[row],
                    names[a],
                    names[b],
                    data.ids[test[best[i]]],
                    int(rank[i]),
                    test.size,
                ]
                for i, row in enumerate(test)
            ]
    return csv_text("id,seen_through,searched_in,best_match,rank_of_itself,among", sorted(rows))


def write_report(found: Comparison, folder: Path) -> Advice:
    """Write report, tables and the fitted winner into a folder."""
    advice = advise(found)
    winner = fit_winner(found, advice.key)
    texts = tables_of(found) | {"predictions.csv": predictions_csv(found, advice, winner)}
    problem = save(winner, folder / "winner.joblib")
    if problem:
        found.data.notes.append(problem)
    texts["report.html"] = report_html(found, advice)
    for name, content in texts.items():
        write_bytes(folder / name, content.encode("utf-8"))
    return advice
