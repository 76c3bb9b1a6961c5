"""The report and its tables from a finished comparison; the page needs nothing from elsewhere."""

import csv
import html
import io
import json
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from manyviews.compare.advice import NAMES, PLAIN_NAME, Advice, Comparison, advise
from manyviews.compare.diagnose import redundancy, view_table
from manyviews.compare.methods import stem_of
from manyviews.compare.reading.guard import printable, safe_cell, safe_label
from manyviews.compare.run import final_answers
from manyviews.compare.statistics import Difference, against, interval, leader_of

#: Family of methods -> its colour and what it is called.
FAMILIES = {"control": ("#6b7f99", "control"), "paper": ("#2f7fc1", "of the papers"),
            "plain": ("#d9601a", "plain rival")}  # fmt: skip


def shown(value: Any) -> str:
    """Return a cell as escaped text: names cut to one line, numbers shortened."""
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 100 else f"{value:,.0f}"
    return html.escape(safe_label(str(value), 300))


def table(header: Sequence[str], rows: Sequence[Sequence[Any]], caption: str) -> str:
    """Return a table in a box that scrolls; its caption stays in sight above."""
    head = "".join(f'<th scope="col">{shown(cell)}</th>' for cell in header)
    body = "\n".join(
        f'<tr><th scope="row">{shown(row[0])}</th>'
        + "".join(f"<td>{shown(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    said = html.escape(caption)
    return (
        f'<p class="caption">{said}</p>\n<div class="scroll" tabindex="0">'
        f'<table aria-label="{said}"><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def listed(items: Sequence[str]) -> str:
    """Return a list."""
    return "<ul>" + "".join(f"<li>{html.escape(item)}</li>" for item in items) + "</ul>"


def scores_figure(found: Comparison, scores: dict[str, Difference], order: list[str]) -> str:
    """Draw every method's score with its interval, best on top, as wide as a phone shows."""
    methods, metric = found.methods, NAMES[found.task.metric]
    spans = [(max(scores[key].low, -1.0), min(scores[key].high, 1.0)) for key in order]
    left, right = min(low for low, _ in spans), max(high for _, high in spans)
    foot = 40 + 28 * len(order)

    def at(value: float) -> float:
        return round(10 + 440 * (value - left) / (right - left or 1), 1)

    drawn = []
    for x, (colour, name) in zip((10, 160, 310), FAMILIES.values(), strict=True):
        drawn.append(f'<circle cx="{x}" cy="14" r="4" fill="{colour}"/>')
        drawn.append(f'<text x="{x + 10}" y="18">{name}</text>')
    for tick in np.linspace(left, right, 5):
        drawn.append(f'<path d="M{at(tick)} 30V{foot}" stroke="var(--grid)"/>')
        drawn.append(f'<text x="{at(tick)}" y="{foot + 14}" class="tick">{tick:.2f}</text>')
    for y, key, (low, high) in zip(range(60, foot + 20, 28), order, spans, strict=True):
        colour, title = FAMILIES[methods[key].family][0], safe_label(methods[key].title)
        # its name above its marks, so that these have the whole width
        drawn.append(f'<text x="12" y="{y - 8}">{html.escape(title)}</text>')
        drawn.append(f'<path d="M{at(low)} {y}H{at(high)}" stroke="{colour}" stroke-width="2"/>')
        drawn.append(f'<circle cx="{at(scores[key].mean)}" cy="{y}" r="4" fill="{colour}"/>')
    drawn.append(f'<text x="230" y="{foot + 32}" class="tick">{html.escape(metric)}</text>')
    best = f"{methods[order[0]].title} leads with {scores[order[0]].mean:.3f}"
    alt = html.escape(safe_label(f"{metric} of {len(order)} methods; {best}", 200))
    return (
        f'<figure><svg viewBox="-12 0 482 {foot + 40}" role="img" aria-label="{alt}">'
        f"{''.join(drawn)}</svg>\n<figcaption>Mean over the splits and what it may be on new "
        "rows of the same kind: each end is wrong with a chance of 5 %.</figcaption></figure>"
    )


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
    order = sorted(scores, key=lambda key: (-own[key].mean, key))
    rows = []
    for key in order:
        d, method = ahead.get(key), found.methods[key]
        points = f"{100 * d.mean:.1f} ({100 * d.low:.1f} to {100 * d.high:.1f})" if d else ""
        unbroken = (t.replace(" ", "\N{NO-BREAK SPACE}") for t in (str(own[key]), points))
        rows.append(
            [method.title, method.family, *unbroken, f"{d.p:.2g}" if d else "",
             *(f"{np.mean(values[key]):.3f}" for values in others.values()),
             f"{found.seconds(key):.2f}"]
        )  # fmt: skip
    header = ["method", "family", metric, "points ahead", "p", *(NAMES[name] for name in others),
              "CPU seconds a split"]  # fmt: skip
    name = PLAIN_NAME[found.task.kind] if found.reference() else "the leader"
    caption = (
        f"Points ahead of {name}, {found.methods[reference].title}. Intervals and p hold for all "
        "methods together, whichever is picked. Families: controls, methods of the papers, plain "
        "rivals."
    )
    picture = scores_figure(found, own, order)
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
    parts = ["<h2>The views</h2>", table(header, rows, "What each view is like.")]
    if data.views.n_views > 1:
        pairs = list(redundancy(data).items())
        caption = "Redundancy is the linear alignment of two tables (1: they say the same)."
        parts.append(table(["views", "redundancy"], pairs, caption))
    return "\n".join(parts)


def closing(found: Comparison, advice: Advice) -> str:
    """Say what did not run, what was guessed, and how to use the answers."""
    left = [f"{found.methods[key].title} failed: {why}" for key, why in found.failed.items()]
    left += [f"skipped: {line}" for line in found.skipped]
    text = (
        f"<h2>What did not run</h2>\n{listed(left or ['Every method ran.'])}\n"
        "<h2>What was guessed about the data</h2>\n"
        f"{listed(found.data.notes or ['Nothing was guessed or mended.'])}"
    )
    if found.task.kind == "retrieve":
        return text
    return (
        f"{text}\n<h2>Use it</h2>\n<p>{html.escape(found.methods[advice.key].title)} was tuned and "
        f"fitted to all {'labelled ' if found.data.classes else ''}rows. What it says of every row "
        "is in <code>predictions.csv</code>. For new rows, add them without a class and run the "
        f"same command with <code>--methods {html.escape(stem_of(advice.key))} --rounds 1</code>."
        "</p>"
    )


#: Parts after the opening, in their order.
SECTIONS = (methods_section, views_section, closing)


def report_html(found: Comparison, advice: Advice) -> str:
    """Return the report as one HTML text; a part that fails says so in its place."""
    parts = [opening(found, advice)]
    for section in SECTIONS:
        try:
            parts.append(section(found, advice))
        except Exception as error:  # hours of fits must not be lost for a table
            why = printable(f"{type(error).__name__}: {error}")[:300]
            parts.append(f"<p>{section.__name__} could not be written: {html.escape(why)}</p>")
    frame, style = ((resources.files("manyviews.compare.report") / name).read_text("utf-8")
                    for name in ("page.html", "report.css"))  # fmt: skip
    title = html.escape(f"{found.data.name}: which method to use")
    return frame.format(title=title, style=style, body="\n".join(parts))


def csv_text(header: str, rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as CSV; no spreadsheet takes a cell for a formula."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header.split(","))
    writer.writerows([safe_cell(str(cell)) for cell in row] for row in rows)
    return buffer.getvalue()


def tables_of(found: Comparison) -> dict[str, str]:
    """Return every score, setting and time of every split; times differ from run to run."""
    scores, settings, times = list[list[Any]](), list[list[Any]](), list[list[Any]]()
    for r in (record for record in found.records if record["error"] is None):
        place = [r["method"], r["split"]]
        scores += [[*place, name, f"{value:.12g}"] for name, value in r["scores"].items()]
        settings += [
            [*place, json.dumps(tried, sort_keys=True), f"{score:.12g}", tried == r["settings"]]
            for tried, score in r["tried"] or [[r["settings"], float("nan")]]
        ]
        times.append([*place, f"{r['tune_seconds']:.4f}", f"{r['fit_seconds']:.4f}"])
    chosen = "method,split,settings,validation_score,chosen"
    return {
        "scores.csv": csv_text("method,split,metric,value", sorted(scores)),
        "settings.csv": csv_text(chosen, sorted(settings)),
        "times.csv": csv_text("method,split,tune_seconds,fit_seconds", sorted(times)),
    }


def predictions_csv(found: Comparison, advice: Advice) -> str:
    """Return for each row its label, its prediction while held out, and the fitted winner's."""
    data = found.data
    held: dict[int, str] = {}
    for record in found.by_method(advice.key) if found.task.kind == "classify" else ():
        for row, code in zip(found.rows_of(record), record["predicted"], strict=True):
            held.setdefault(int(row), data.classes[code] if code >= 0 else "")
    labels = [data.classes[code] if code >= 0 else "" for code in data.codes]
    told = [held.get(row, "") for row in range(len(data))]
    rows = zip(data.ids, labels, told, final_answers(found, advice.key), strict=True)
    return csv_text("id,label,predicted_held_out,predicted_by_winner", rows)


def write_report(found: Comparison, folder: Path) -> Advice:
    """Write report and tables into a folder; last the predictions, which need another fit."""
    advice = advise(found)
    texts = {**tables_of(found), "report.html": report_html(found, advice)}
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in texts.items():
        (folder / name).write_text(content, encoding="utf-8", newline="")
    if found.task.kind != "retrieve":
        content = predictions_csv(found, advice)
        (folder / "predictions.csv").write_text(content, encoding="utf-8", newline="")
    return advice
