"""The page "Then and now": published best, our rerun, controls, and today's plain methods."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from reproduction.compare.experience import advice_text, compared_only, learnt, scores_frame
from reproduction.compare.plan import Entry
from reproduction.compare.run import (
    BEYOND_CLASSES,
    BEYOND_ROWS,
    MOST_CLUSTERED,
    MOST_ROWS,
    SPLITS,
)
from reproduction.compare.since import published_since
from reproduction.compare.summary import (
    ALONE,
    CONCATENATED,
    GUESSING,
    NOW,
    PUBLISHED,
    RERUN,
    first_sentence,
    has,
    shown_name,
    summary,
)
from reproduction.files import write_text
from reproduction.pages.figures import PALETTE, figure_html, new_figure
from reproduction.pages.markup import Cell, Table, csv_text, frame_cells, table_html
from reproduction.pages.page import check_names, markdown_html, page_html
from reproduction.rooms import find_paper, paper_keys

PAGE = "then_and_now"
COMMANDS = ("snakemake --cores all then_and_now",)
_MEASURES = {
    "accuracy_pct": "accuracy, %", "macro_f1_pct": "macro F1, %", "f1_pct": "F1, %",
    "error_pct": "error, % (less is better)", "nmi_pct": "NMI, %",
    "map_at_10": "mean average precision, %",
}  # fmt: skip


def paper_figure(frame: pd.DataFrame, paper: str) -> str:
    """Draw how far the field has moved on a paper's data sets."""
    rows = frame[frame["paper"] == paper].to_dict("records")
    # as wide as a phone shows without scrolling, so names stand above their marks
    figure, axes = new_figure(width=4.7, height=1.1 + 0.5 * len(rows))
    marks = ((PUBLISHED, "o", PALETTE[0]), (RERUN, "s", PALETTE[2]),
             (CONCATENATED, "^", PALETTE[8]), (NOW, "D", PALETTE[1]))  # fmt: skip
    for y, row in enumerate(rows):
        known = [row[name] for name, _, _ in marks if has(row[name])]
        axes.plot([min(known), max(known)], [y + 0.14] * 2, color=PALETTE[7], lw=1, zorder=0)
        axes.annotate(row["data set"], (0, y - 0.3), (3, 0), xycoords=("axes fraction", "data"),
                      textcoords="offset points", va="center")  # fmt: skip
    for place, (name, marker, colour) in enumerate(marks):
        # a little apart, so that equal figures do not hide each other
        points = [
            (row[name], y + 0.14 * (place - 0.5)) for y, row in enumerate(rows) if has(row[name])
        ]
        if points:
            places, heights = zip(*points, strict=True)
            axes.plot(places, heights, marker, color=colour, label=name, alpha=0.9)
    axes.set_yticks([])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel("; ".join(sorted({_MEASURES[row["measure"]] for row in rows})))
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, columnspacing=1.0)
    short = _title(paper)
    words = "; ".join(
        f"{row['data set']}: {row[NOW]:.1f} today"
        + (f", {row[PUBLISHED]:.1f} published" if has(row[PUBLISHED]) else "")
        for row in rows
    )
    caption = (
        f"{short}: how far the field has moved. Our draws of labels, not the paper's."
        if paper else f"{short}: the best of today's methods, and plain concatenation."
    )  # fmt: skip
    return figure_html(figure, f"moved-{paper or 'beyond'}", f"{short}. {words}", caption)


def _title(paper: str) -> str:
    return find_paper(paper).short if paper else "Data sets that no paper's table has"


def _table(frame: pd.DataFrame, name: str, caption: str, commands: Sequence[str] = COMMANDS) -> str:
    cells = frame_cells(frame, badges=())
    header = [str(column) for column in frame.columns]
    return table_html(Table(name, caption, header, cells, csv_text(frame), commands=commands))


def _opening(frame: pd.DataFrame) -> str:
    return (
        f"# Then and now\n\n**{first_sentence(frame, names=True)}** The papers' methods, "
        "of 1998 to 2016, stand beside plain methods that any toolbox has today: logistic "
        "regression, a linear SVM "
        "and naive Bayes on the views side by side, features smoothed over links, k-means on "
        "standardised views, spectral clustering. The best of each column was picked after "
        "all scores were known: for the paper, for the rerun and for today alike.\n\n"
        f"The budget is small on purpose: {SPLITS} draws of the labels (or folds, or starts). "
        "Every data set is taken in its paper's own task and measure, at the paper's share of "
        "labels; the draws are our own, so single points mean little. Larger data sets are cut to "
        f"a random sample: to {MOST_ROWS:,} rows, to {MOST_CLUSTERED:,} rows to cluster, and "
        f"where no paper's task names the data to {BEYOND_ROWS:,} rows of the {BEYOND_CLASSES} "
        "largest classes; links to rows outside a sample are lost. A sample counts neither "
        "against print nor against the rerun.\n\n"
        "**How settings were chosen.** Every setting of a method's grid is tried, by nested "
        "validation on training rows alone, so the order of a grid does not matter but for ties. "
        "The grids were revised once after test scores had been seen: an earlier edition tried "
        "only the first two settings of each grid, and weak penalties (C of 10 and 100) were "
        "moved to the front for logistic regression on single views and on the concatenation; for "
        "graph smoothing a C of 1 was replaced by 100. All three grids are back as they were "
        "first written, and no grid has been changed since. At the time of that revision graph "
        "smoothing over shared things (not over links) was also limited to 100 columns, to bound "
        "its cost; that stands.\n"
    )


def _paper_parts(
    paper: str, frame: pd.DataFrame, records: Sequence[Mapping[str, Any]],
    contents: list[dict[str, Any]],
) -> list[str]:  # fmt: skip
    part = frame[frame["paper"] == paper]
    if part.empty:
        return []
    notes = [
        f"* {shown_name(record['view_key'])}: {record['entry']['note']}"
        for record in compared_only(records)
        if record["paper"] == paper and record["entry"]["note"]
    ]  # fmt: skip
    said = first_sentence(part, names=True) if paper else (
        "Real data that no table of the papers is about: stand-ins, and sets that are larger or "
        "newer. 10 % of the labels are shown."
    )  # fmt: skip
    text = f"## {_title(paper)}\n\n{said}\n\n" + "\n".join(notes)
    return [markdown_html(text, contents), paper_figure(frame, paper), _bests(part, paper)]


def _best(value: Any, who: str, deviation: float | None = None) -> Cell:
    """Return a cell with a figure and whose it is."""
    if not has(value):
        return Cell("", "")
    figure = f"{value:.1f}" + (f" ± {deviation:.1f}" if deviation is not None else "")
    return Cell(f"{figure}<br>{html.escape(who)}", f"{figure} ({who})", float(value))


def _bests(part: pd.DataFrame, paper: str) -> str:
    """Return a paper's data sets as a table: a best figure and its method share a cell."""
    plain = [CONCATENATED, ALONE, GUESSING]
    header = ["data set", "rows", *(["data", PUBLISHED, RERUN] if paper else []), NOW, *plain]
    rows = []
    for row in part.to_dict("records"):
        then = [
            Cell(html.escape(row["data"]), row["data"]),
            _best(row[PUBLISHED], row["by"]),
            _best(row[RERUN], row["of"]),
        ]
        cells = frame_cells(pd.DataFrame([{key: row[key] for key in header[:2]}]), badges=())[0]
        cells += then if paper else []
        cells.append(_best(row[NOW], row["method"], row["deviation"]))
        cells += [Cell(text, text, row[key], "num") if (text := _short(row[key])) else Cell("", "")
                  for key in plain]  # fmt: skip
        rows.append(cells)
    measures = "; ".join(sorted({_MEASURES[measure] for measure in part["measure"]}))
    table = Table(
        f"now-{paper or 'beyond'}", f"{_title(paper)}, then and now: {measures}", header, rows,
        csv_text(part.drop(columns=["paper"])), commands=COMMANDS,
    )  # fmt: skip
    return table_html(table)


def _short(value: Any) -> str:
    return f"{value:.1f}" if has(value) else ""


def _since(frame: pd.DataFrame, contents: list[dict[str, Any]]) -> list[str]:
    here = {row["data set"]: row for row in frame.to_dict("records")}
    rows = []
    for figure in published_since():
        row = here.get(shown_name(figure.dataset))
        if row is not None:
            ours = f"{row[NOW]:.1f} {_MEASURES[row['measure']]}"
            rows.append([row["data set"], figure.method, f"{figure.value:.1f}", figure.measure,
                         figure.protocol, figure.source, ours])  # fmt: skip
    if not rows:
        return []
    columns = [
        "data set",
        "method",
        "published",
        "measure",
        "protocol",
        "source",
        "today's best here",
    ]
    text = (
        "## Published since\n\nFigures of others on the same data. They show fewer labels and test "
        "other rows than we do, so read them for the order of magnitude, not for a ranking. Only "
        "figures whose protocol is known are quoted; for the other data sets none was at hand."
    )
    table = _table(pd.DataFrame(rows, columns=columns), "since", "Published since, by others", ())
    return [markdown_html(text, contents), table]


def body_of(
    records: Sequence[Mapping[str, Any]], ledger: pd.DataFrame, contents: list[dict[str, Any]],
    reruns: pd.DataFrame | None = None, several: Sequence[str] = (), never: Sequence[str] = (),
) -> str:  # fmt: skip
    """Return the body of the page.

    Parameters
    ----------
    records, ledger, reruns
        What :func:`~reproduction.compare.summary.summary` reads.
    contents
        Headings are noted here.
    several, never
        Data sets with several labels a row, and those without real data.
    """
    frame = summary(records, ledger, reruns)
    scores = scores_frame(records)
    parts = [markdown_html(_opening(frame), contents)]
    for paper in [*paper_keys(), ""]:
        parts += _paper_parts(paper, frame, records, contents)
    parts += _since(frame, contents)
    advice = (
        "## What to try on new data\n\nCan the best method for new data be told from what the data "
        "look like (rows, columns, links, classes, agreement of the views)?\n\n"
        f"{advice_text(learnt(scores))}\n"
    )
    parts.append(markdown_html(advice, contents))
    parts.append(markdown_html("## All scores\n", contents))
    methods = scores[scores["kind"] == "method"]
    parts.append(
        _table(
            methods[["data", "task", "title", "measure", "value", "deviation"]]
            .rename(columns={"title": "method"})
            .assign(data=methods["data"].map(shown_name),
                    measure=methods["measure"].map(_MEASURES)),
            "now-all", "Every method on every data set: mean and deviation over the draws",
        )
    )  # fmt: skip
    left = [f"* {shown_name(r['view_key'])}: {r['skipped']}" for r in records if "skipped" in r]
    left += [
        f"* {shown_name(key)}: the real data cannot be obtained, and a surrogate would say nothing"
        for key in never
    ]
    compared_too = {record["dataset"] for record in compared_only(records)}
    left += [
        f"* {shown_name(key)}: a row has several labels; the deepest of them, the first by name, "
        "counts here"
        for key in several if key in compared_too
    ]  # fmt: skip
    if left:
        parts.append(markdown_html("## Not compared, or not whole\n\n" + "\n".join(left), contents))
    parts.append(_left_out(records))
    return "\n".join(parts)


def _without_key(line: str, view_key: str) -> str:
    """Return a note without the data set it opens with."""
    return line.removeprefix(f"{view_key.partition('.')[0]}: ")


def _left_out(records: Sequence[Mapping[str, Any]]) -> str:
    """List what was left out on single data sets, and why."""
    lines = sorted({
        f"{shown_name(record['view_key'])}: {_without_key(line, record['view_key'])}"
        for record in compared_only(records)
        for line in [*record["left_out"], *record["notes"]]
    })  # fmt: skip
    shown = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
    return f"<details><summary>What was left out or sampled</summary><ul>{shown}</ul></details>"


def _joined(files: Sequence[Path | str]) -> pd.DataFrame:
    parts = [pd.read_csv(path, dtype=str, keep_default_na=True) for path in files]
    return pd.concat(parts, ignore_index=True)


def write_then_and_now(
    files: Sequence[Path | str], ledgers: Sequence[Path | str], reruns: Sequence[Path | str],
    page: Path | str, table: Path | str, stamp: Mapping[str, str], entries: Sequence[Entry],
    several: Sequence[str] = (), never: Sequence[str] = (),
) -> None:  # fmt: skip
    """Write the page and all scores as a table."""
    known = {entry.name: entry.model_dump() for entry in entries}
    records = [json.loads(Path(path).read_text(encoding="utf-8")) for path in files]
    records = [{**record, "entry": known[record["name"]]} for record in records]
    records.sort(key=lambda record: record["name"])
    contents: list[dict[str, Any]] = []
    found = _joined(reruns) if reruns else None
    body = body_of(records, _joined(ledgers), contents, found, several, never)
    check_names(body)
    text = page_html(body, page=PAGE, contents=contents, stamp=stamp)
    write_text(table, csv_text(scores_frame(records)))
    write_text(page, text)
