"""The page "Then and now": published best, our rerun, and today's plain methods."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manyviews.compare.recommend import NEAREST, Experience, recommend
from reproduction.files import write_json, write_text
from reproduction.pages.figures import PALETTE, figure_html, new_figure
from reproduction.pages.markup import Table, csv_text, frame_cells, table_html
from reproduction.pages.page import check_names, markdown_html, page_html
from reproduction.rooms import find_paper, paper_keys

#: Measures of which less is better.
LOWER = ("error_pct",)
CONTROLS = ("majority", "chance")


def published_cells(ledger: pd.DataFrame, record: Mapping[str, Any]) -> pd.DataFrame:
    """Return the ledger's rows of a comparison: its data set, its measure, its place."""
    rows = ledger[
        (ledger["paper"] == record["paper"])
        & (ledger["data"] == record["dataset"])
        & (ledger["metric"] == record["metric"])
    ]
    for column, value in record["entry"]["where"].items():
        rows = rows[rows[column].map(_plain) == _plain(value)]
    return rows


def _plain(value: Any) -> str:
    try:
        return f"{float(value):g}"
    except (TypeError, ValueError):
        return str(value)


def best_of(values: Mapping[str, float], metric: str) -> tuple[str, float]:
    """Return the best name and its value; the first by name of equals."""
    sign = 1.0 if metric in LOWER else -1.0
    name = min(values, key=lambda key: (sign * values[key], key))
    return name, values[name]


def summary(records: Sequence[Mapping[str, Any]], ledger: pd.DataFrame) -> pd.DataFrame:
    """Return one row a comparison: published best, our rerun of it and its best, today's best."""
    rows = []
    for record in records:
        if "skipped" in record:
            continue
        means = {key: float(np.mean(values)) for key, values in record["values"].items()}
        alone = {k: v for k, v in means.items() if k not in CONTROLS}
        now, value = best_of(alone, record["metric"])
        row: dict[str, Any] = {
            "paper": record["paper"],
            "data set": record["dataset"],
            "measure": record["metric"],
            "published best": None, "by": "", "our rerun's best": None, "of": "",
            "today's best": value,
            "method": record["methods"][now],
            "deviation": float(np.std(record["values"][now], ddof=1)),
            "just concatenate": means.get("concatenation", means.get("kmeans")),
            "guessing": next((means[key] for key in CONTROLS if key in means), None),
        }  # fmt: skip
        cells = published_cells(ledger, record) if record["paper"] else ledger[:0]
        for column, name, who in (("published", "published best", "by"),
                                  ("ours", "our rerun's best", "of")):  # fmt: skip
            known = cells[pd.to_numeric(cells[column], errors="coerce").notna()]
            if len(known):
                values = dict(zip(known["method"], known[column].astype(float), strict=True))
                row[who], row[name] = best_of(values, record["metric"])
        rows.append(row)
    return pd.DataFrame(rows)


def ahead(row: Mapping[str, Any], column: str = "published best") -> bool | None:
    """Tell whether today's best is better than another column; None if there is no such figure."""
    if row[column] is None or pd.isna(row[column]):
        return None
    difference = row["today's best"] - row[column]
    return bool(difference < 0 if row["measure"] in LOWER else difference > 0)


def first_sentence(frame: pd.DataFrame) -> str:
    """Say on how many data sets a plain method of today beats print, and our rerun."""
    parts = []
    for column, what in (("published best", "the best published figure"),
                         ("our rerun's best", "the best of our rerun")):  # fmt: skip
        told = [ahead(row, column) for row in frame.to_dict("records")]
        known = [t for t in told if t is not None]
        if known:
            parts.append(f"{what} on {sum(known)} of {len(known)} data sets")
    if not parts:
        return "No published figure stands beside today's methods yet."
    return f"A plain method of today beats {' and '.join(parts)}."


def paper_figure(frame: pd.DataFrame, paper: str) -> str:
    """Draw how far the field has moved on a paper's data sets."""
    rows = frame[frame["paper"] == paper].to_dict("records")
    figure, axes = new_figure(width=7.0, height=1.2 + 0.42 * len(rows))
    marks = (("published best", "o", PALETTE[0]), ("our rerun's best", "s", PALETTE[2]),
             ("just concatenate", "^", PALETTE[8]), ("today's best", "D", PALETTE[1]))  # fmt: skip
    for name, marker, colour in marks:
        points = [(row[name], y) for y, row in enumerate(rows)
                  if row[name] is not None and not pd.isna(row[name])]  # fmt: skip
        if points:
            places, heights = zip(*points, strict=True)
            axes.plot(places, heights, marker, color=colour, label=name, alpha=0.9)
    axes.set_yticks(range(len(rows)), [row["data set"] for row in rows])
    axes.invert_yaxis()
    axes.set_xlabel(", ".join(sorted({str(row["measure"]).replace("_pct", " in %")
                                      .replace("_", " ") for row in rows})))  # fmt: skip
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), ncols=4)
    short = find_paper(paper).short if paper else "Other data sets"
    words = "; ".join(
        "{}: today {:.1f}".format(row["data set"], row["today's best"]) for row in rows
    )
    caption = f"{short}: published, rerun, concatenated, and the best plain method of today."
    return figure_html(figure, f"moved-{paper or 'beyond'}", f"{short}. {words}", caption)


def experience_of(records: Sequence[Mapping[str, Any]]) -> list[Experience]:
    """Return the comparisons as experience that advice can be learnt from; larger is better."""
    found = []
    for record in records:
        if "skipped" in record:
            continue
        sign = -1.0 if record["metric"] in LOWER else 1.0
        scores = {
            key: sign * float(np.mean(values)) / 100
            for key, values in record["values"].items()
            if key not in CONTROLS and not key.startswith("single_view")
        }
        found.append(Experience(record["name"], record["task"], record["diagnostics"], scores))
    return found


def advice_text(experience: Sequence[Experience]) -> str:
    """Say what advice from these comparisons is worth."""
    lines = []
    for task in ("classify", "cluster"):
        known = [one for one in experience if one.task == task]
        if len(known) > NEAREST:
            advice = recommend(known, task, known[0].diagnostics)
            verdict = "helps" if advice.helps else "is no better than plain concatenation"
            lines.append(
                f"* To {task}: choosing the method by the {NEAREST} most similar data sets "
                f"{verdict}. Left out one by one, {advice.n_sets} data sets lose "
                f"{100 * advice.regret:.1f} points to their best method by the advice, "
                f"{100 * advice.plain_regret:.1f} by concatenation alone."
            )
        else:
            lines.append(f"* To {task}: {len(known)} data sets are too few to learn from.")
    return "\n".join(lines)


def _table(frame: pd.DataFrame, name: str, caption: str) -> str:
    shown = frame.drop(columns=["paper"])
    cells = frame_cells(shown, badges=())
    return table_html(
        Table(name, caption, list(shown.columns), cells, csv_text(shown),
              commands=["snakemake --cores all then_and_now"])
    )  # fmt: skip


def body_of(
    records: Sequence[Mapping[str, Any]], ledger: pd.DataFrame, contents: list[dict[str, Any]]
) -> str:
    """Return the body of the page."""
    frame = summary(records, ledger)
    parts = [
        markdown_html(
            f"# Then and now\n\n**{first_sentence(frame)}** The papers' methods of 1998 to 2016 "
            "stand beside plain methods that any toolbox has today: logistic regression, a linear "
            "SVM and naive Bayes on the views side by side, features smoothed over links, k-means "
            "on standardised views, spectral clustering. Every data set is taken in its paper's "
            "own task; draws of labels are our own, at the paper's rate. Few settings are tried, "
            "and all are chosen on training rows.\n",
            contents,
        )
    ]
    for paper in [*paper_keys(), ""]:
        part = frame[frame["paper"] == paper]
        if part.empty:
            continue
        title = find_paper(paper).short if paper else "Data sets of no paper's table"
        notes = [
            f"{r['dataset']}: {r['entry']['note']}"
            for r in records if r["paper"] == paper and r["entry"]["note"]
        ]  # fmt: skip
        text = f"## {title}\n\n{first_sentence(part) if paper else ''}\n\n"
        parts.append(markdown_html(text + "\n".join(f"* {note}" for note in notes), contents))
        parts.append(paper_figure(frame, paper))
        parts.append(_table(part, f"now-{paper or 'beyond'}", f"{title}: then and now"))
    left = [f"* {r['name']}: {r['skipped']}" for r in records if "skipped" in r]
    if left:
        parts.append(markdown_html("## Not compared\n\n" + "\n".join(left), contents))
    advice = advice_text(experience_of(records))
    parts.append(markdown_html(f"## What to try on new data\n\n{advice}\n", contents))
    parts.append(_settings_note(records))
    return "\n".join(parts)


def _settings_note(records: Sequence[Mapping[str, Any]]) -> str:
    """List what was left out on single data sets, and why."""
    lines = sorted({
        f"{r['dataset']}: {line}" for r in records if "skipped" not in r
        for line in [*r["left_out"], *r["notes"]]
    })  # fmt: skip
    shown = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
    return f"<details><summary>What was left out or sampled</summary><ul>{shown}</ul></details>"


def write_then_and_now(
    files: Sequence[Path | str], ledgers: Sequence[Path | str], page: Path | str,
    records_file: Path | str, stamp: Mapping[str, str],
) -> None:  # fmt: skip
    """Write the page and the comparisons behind it."""
    records = [json.loads(Path(path).read_text(encoding="utf-8")) for path in files]
    records.sort(key=lambda record: record["name"])
    ledger = pd.concat(
        [pd.read_csv(path, dtype=str, keep_default_na=True) for path in ledgers], ignore_index=True
    )
    contents: list[dict[str, Any]] = []
    body = body_of(records, ledger, contents)
    check_names(body)
    text = page_html(body, page="then_and_now", contents=contents, stamp=stamp)
    experience = [
        {"name": one.name, "task": one.task, "diagnostics": dict(one.diagnostics),
         "scores": dict(one.scores)}
        for one in experience_of(records)
    ]  # fmt: skip
    write_json(records_file, {"comparisons": experience, "records": records})
    write_text(page, text)
