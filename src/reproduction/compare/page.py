"""The page "Then and now": published best, our rerun, controls, and today's plain methods."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from manyviews.compare.recommend import NEAREST, PLAIN_WORDS, Experience, experience_of, recommend
from reproduction.compare import run
from reproduction.compare.plan import Entry
from reproduction.compare.summary import (
    ALONE,
    CONCATENATED,
    GUESSING,
    NOW,
    PUBLISHED,
    RERUN,
    Record,
    first_sentence,
    has,
    scores_frame,
    shown_name,
    summary,
)
from reproduction.files import read_yaml, write_text
from reproduction.pages.markup import Cell, Table, csv_text, frame_cells, table_html
from reproduction.pages.page import check_names, markdown_html, page_html
from reproduction.rooms import find_paper, paper_keys

PAGE, COMMANDS = "then_and_now", ("snakemake --cores all then_and_now",)
OPENING, SINCE = Path(__file__).with_name("then_and_now.md"), Path(__file__).with_name("since.yaml")
_MEASURES = {
    "accuracy_pct": "accuracy, %", "macro_f1_pct": "macro F1, %", "f1_pct": "F1, %",
    "error_pct": "error, % (less is better)", "nmi_pct": "NMI, %",
    "map_at_10": "mean average precision, %",
}  # fmt: skip
_BEYOND = (
    "Real data that no table of the papers is about: stand-ins, and sets that are larger or newer. "
    "10 % of the labels are shown."
)
_SINCE = (
    "## Published since\n\nFigures of others on the same data. They show fewer labels and test "
    "other rows than we do, so read them for the order of magnitude, not for a ranking. Only "
    "figures whose protocol is known are quoted; for the other data sets none was at hand."
)
_ADVICE = (
    "## What to try on new data\n\nCan the best method for new data be told from what the data "
    "look like (rows, columns, links, classes, agreement of the views)?\n\n"
)


def _title(paper: str) -> str:
    return find_paper(paper).short if paper else "Data sets that no paper's table has"


def _table(frame: pd.DataFrame, name: str, caption: str, commands: Sequence[str] = COMMANDS) -> str:
    cells = frame_cells(frame, badges=())
    header = [str(column) for column in frame.columns]
    return table_html(Table(name, caption, header, cells, csv_text(frame), commands=commands))


def _best(value: Any, who: str = "", deviation: float | None = None) -> Cell:
    """Return a cell with a figure and whose it is."""
    if not has(value):
        return Cell("", "")
    figure = f"{value:.1f}" + (f" ± {deviation:.1f}" if deviation is not None else "")
    if not who:
        return Cell(figure, figure, float(value), "num")
    return Cell(f"{figure}<br>{html.escape(who)}", f"{figure} ({who})", float(value))


def _bests(part: pd.DataFrame, paper: str) -> str:
    """Return a paper's data sets as a table: a best figure and its method share a cell."""
    plain = [CONCATENATED, ALONE, GUESSING]
    header = ["data set", "rows", *(["data", PUBLISHED, RERUN] if paper else []), NOW, *plain]
    rows = []
    for row in part.to_dict("records"):
        cells = {
            **{key: Cell(html.escape(row[key]), row[key]) for key in ("data set", "rows", "data")},
            PUBLISHED: _best(row[PUBLISHED], row["by"]), RERUN: _best(row[RERUN], row["of"]),
            NOW: _best(row[NOW], row["method"], row["deviation"]),
            **{key: _best(row[key]) for key in plain},
        }  # fmt: skip
        rows.append([cells[name] for name in header])
    measures = "; ".join(sorted({_MEASURES[measure] for measure in part["measure"]}))
    return table_html(Table(
        f"now-{paper or 'beyond'}", f"{_title(paper)}, then and now: {measures}", header, rows,
        csv_text(part.drop(columns=["paper"])), commands=COMMANDS,
    ))  # fmt: skip


def _since(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the figures that others published since on data sets of the page."""
    here = {row["data set"]: row for row in frame.to_dict("records")}
    known = [(here.get(shown_name(one["dataset"])), one) for one in read_yaml(SINCE)]
    return pd.DataFrame([
        {"data set": row["data set"], "method": one["method"], "published": f"{one['value']:.1f}",
         **{key: one[key] for key in ("measure", "protocol", "source")},
         "today's best here": f"{row[NOW]:.1f} {_MEASURES[row['measure']]}"}
        for row, one in known if row is not None
    ])  # fmt: skip


def learnt(frame: pd.DataFrame) -> list[Experience]:
    """Return the table as experience, read as its file is; guesses and single views are none."""
    return experience_of(csv.DictReader(io.StringIO(csv_text(frame))))


def advice_text(experience: Sequence[Experience]) -> str:
    """Say what advice from these comparisons is worth."""
    lines = []
    for task, plain in PLAIN_WORDS.items():
        known = [one for one in experience if one.task == task]
        if len(known) <= NEAREST:
            lines.append(f"* To {task}: {len(known)} data sets are too few to learn from.")
            continue
        advice = recommend(known, task, known[0].diagnostics)
        verdict = "loses less than" if advice.helps else "is **no better than** always taking"
        lines.append(
            f"* To {task}: the method that did best on the {NEAREST} most similar data sets "
            f"{verdict} {plain}. Each of {advice.n_sets} data sets was left out once: the advice "
            f"is {100 * advice.regret:.1f} points below the best method on the mean, {plain} "
            f"{100 * advice.plain_regret:.1f}."
        )
    return "\n".join(lines)


def body_of(
    records: Sequence[Record], ledger: pd.DataFrame, contents: list[dict[str, Any]],
    reruns: pd.DataFrame | None = None, several: Sequence[str] = (), never: Sequence[str] = (),
) -> str:  # fmt: skip
    """Return the body of the page.

    Parameters
    ----------
    records, ledger, reruns
        What :func:`~reproduction.compare.summary.summary` reads; records that were skipped too.
    contents
        Headings are noted here.
    several, never
        Data sets with several labels a row, and those without real data.
    """
    made = [record for record in records if "skipped" not in record]
    frame, scores = summary(made, ledger, reruns), scores_frame(made)
    first = first_sentence(frame, names=True)
    opening = OPENING.read_text(encoding="utf-8").format(first=first, **vars(run))
    parts = [markdown_html(opening, contents)]
    for paper in [*paper_keys(), ""]:
        part = frame[frame["paper"] == paper]
        if not part.empty:
            said = first_sentence(part, names=True) if paper else _BEYOND
            notes = "\n".join(
                f"* {shown_name(record['view_key'])}: {record['entry']['note']}"
                for record in made if record["paper"] == paper and record["entry"]["note"]
            )  # fmt: skip
            text = f"## {_title(paper)}\n\n{said}\n\n{notes}"
            parts += [markdown_html(text, contents), _bests(part, paper)]
    since = _since(frame)
    if len(since):
        parts += [markdown_html(_SINCE, contents),
                  _table(since, "since", "Published since, by others", ())]  # fmt: skip
    advice = f"{_ADVICE}{advice_text(learnt(scores))}\n\n## All scores\n"
    parts.append(markdown_html(advice, contents))
    methods = scores[scores["kind"] == "method"]
    shown = methods[["data", "task", "title", "measure", "value", "deviation"]].assign(
        data=methods["data"].map(shown_name), measure=methods["measure"].map(_MEASURES)
    )
    caption = "Every method on every data set: mean and deviation over the draws"
    parts.append(_table(shown.rename(columns={"title": "method"}), "now-all", caption))
    return "\n".join([*parts, *_left_out(records, made, contents, several, never)])


def _left_out(
    records: Sequence[Record], made: Sequence[Record], contents: list[dict[str, Any]],
    several: Sequence[str], never: Sequence[str],
) -> list[str]:  # fmt: skip
    """List data sets that were not compared, and what was left out on single ones, with reasons."""
    lost = "the real data cannot be obtained, and a surrogate would say nothing"
    first = "a row has several labels; the deepest of them, the first by name, counts here"
    left = {r["view_key"]: r["skipped"] for r in records if "skipped" in r}
    left |= dict.fromkeys(never, lost)
    left |= dict.fromkeys((r["dataset"] for r in made if r["dataset"] in several), first)
    text = "\n".join(f"* {shown_name(key)}: {why}" for key, why in left.items())
    parts = [markdown_html(f"## Not compared, or not whole\n\n{text}", contents)] if left else []
    lines = sorted({
        f"{shown_name(r['view_key'])}: {line.removeprefix(r['dataset'] + ': ')}"
        for r in made for line in [*r["left_out"], *r["notes"]]
    })  # fmt: skip
    items = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
    folded = f"<details><summary>What was left out or sampled</summary><ul>{items}</ul></details>"
    return [*parts, folded]


def _joined(files: Sequence[Path | str]) -> pd.DataFrame:
    return pd.concat([pd.read_csv(path, dtype=str) for path in files], ignore_index=True)


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
    made = [record for record in records if "skipped" not in record]
    write_text(table, csv_text(scores_frame(made)))
    write_text(page, page_html(body, page=PAGE, contents=contents, stamp=stamp))
