"""Write the report and its tables, all of them or none."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Iterable, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

from manyviews.compare.advice import Advice, advise
from manyviews.compare.comparison import Comparison
from manyviews.compare.fit import settings_text
from manyviews.compare.reading.safe import printable, safe_cell
from manyviews.compare.report import sections
from manyviews.compare.report.markup import page
from manyviews.compare.scores import similarities
from manyviews.compare.store import unpacked, write_bytes
from manyviews.compare.winner import Winner, fit_winner, save

#: Parts after the opening, in their order.
SECTIONS = (sections.methods_section, sections.views_section, sections.errors_section,
            sections.settings_section, sections.closing)  # fmt: skip


def report_html(found: Comparison, advice: Advice) -> str:
    """Return the report as one HTML text; a part that fails says so in its place."""
    parts = [sections.opening(found, advice)]
    for section in SECTIONS:
        try:
            parts.append(section(found, advice))
        except Exception as error:  # hours of fits must not be lost for a table
            why = printable(f"{type(error).__name__}: {error}")[:300]
            parts.append(f"<p>{section.__name__} could not be written: {html.escape(why)}</p>")
    return page(f"{found.data.name}: which method to use", "\n".join(filter(None, parts)))


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as CSV; no spreadsheet takes a cell for a formula."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([safe_cell(str(cell)) for cell in row] for row in rows)
    return buffer.getvalue()


def scores_csv(found: Comparison) -> str:
    """Every score on every split."""
    rows = [
        [r["method"], r["split"], metric, f"{value:.12g}"]
        for r in found.records if r["error"] is None
        for metric, value in sorted(r["scores"].items())
    ]  # fmt: skip
    return csv_text(["method", "split", "metric", "value"], sorted(rows))


def settings_csv(found: Comparison) -> str:
    """Every setting tried on every split."""
    rows = [
        [r["method"], r["split"], settings_text(settings), f"{score:.12g}",
         settings == r["settings"]]
        for r in found.records if r["error"] is None
        for settings, score in r["tried"] or [[r["settings"], float("nan")]]
    ]  # fmt: skip
    return csv_text(["method", "split", "settings", "validation_score", "chosen"], sorted(rows))


def times_csv(found: Comparison) -> str:
    """Measured time: it differs from run to run, so it lives apart."""
    rows = [
        [r["method"], r["split"], f"{r['tune_seconds']:.4f}", f"{r['fit_seconds']:.4f}"]
        for r in found.records if r["error"] is None
    ]  # fmt: skip
    return csv_text(["method", "split", "tune_seconds", "fit_seconds"], sorted(rows))


def predictions_csv(found: Comparison, advice: Advice, winner: Winner) -> str:
    """Return for each row its label, its prediction while held out, and the winner's."""
    data = found.data
    if found.task.kind == "retrieve":
        return matches_csv(found, advice)
    held: dict[int, str] = {}
    if found.task.kind == "classify":
        place = {split.name: split for split in found.splits}
        for record in found.by_method(advice.key):
            for row, code in zip(place[record["split"]].test, record["predicted"], strict=True):
                held.setdefault(int(row), data.classes[code] if code >= 0 else "")
    rows = [
        [key, data.classes[code] if code >= 0 else "", held.get(i, ""), winner.predictions[key]]
        for i, (key, code) in enumerate(zip(data.ids, data.codes, strict=True))
    ]
    return csv_text(["id", "label", "predicted_held_out", "predicted_by_winner"], rows)


def matches_csv(found: Comparison, advice: Advice) -> str:
    """Return the best match of every query while it was held out, and the rank of the row itself.

    A query meets the test rows of its own split only.
    """
    data = found.data
    seen: set[int] = set()
    rows: list[list[Any]] = []
    place = {split.name: split for split in found.splits}
    for record in found.by_method(advice.key):
        test, spaces = place[record["split"]].test, unpacked(record["predicted"])
        if int(test[0]) in seen:  # a later round
            continue
        seen.update(map(int, test))
        for a, b in permutations(range(data.views.n_views), 2):
            near = similarities(spaces[a], spaces[b])
            best = near.argmax(axis=1)
            rank = 1 + (near > near.diagonal()[:, None]).sum(axis=1)
            rows += [
                [data.ids[test[i]], data.views.names[a], data.views.names[b],
                 data.ids[test[best[i]]], int(rank[i]), test.size]
                for i in range(test.size)
            ]  # fmt: skip
    header = ["id", "seen_through", "searched_in", "best_match", "rank_of_itself", "among"]
    return csv_text(header, sorted(rows))


def write_report(found: Comparison, folder: Path) -> Advice:
    """Write report, tables and the fitted winner into a folder."""
    advice = advise(found)
    winner = fit_winner(found, advice.key)
    texts = {
        "scores.csv": scores_csv(found),
        "settings.csv": settings_csv(found),
        "times.csv": times_csv(found),
        "predictions.csv": predictions_csv(found, advice, winner),
    }
    problem = save(winner, folder / "winner.joblib")
    if problem:
        found.data.notes.append(problem)
    texts["report.html"] = report_html(found, advice)
    for name, content in texts.items():
        write_bytes(folder / name, content.encode("utf-8"))
    return advice
