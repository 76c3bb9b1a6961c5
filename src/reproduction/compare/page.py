"""The page "Then and now": every method on every data set, and the papers' best beside today's."""

import csv
import html
import io
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from asprinted.words import SAME, STAND_IN
from manyviews.compare.advice import GUESSES
from manyviews.compare.recommend import NEAREST, PLAIN_WORDS, Experience, experience_of, recommend
from reproduction.compare import run
from reproduction.compare.plan import Entry
from reproduction.compare.standing import standings
from reproduction.files import write_text
from reproduction.pages.markup import Cell, Table, csv_text, plain, table_html
from reproduction.pages.page import check_names, page_html
from reproduction.pages.prose import Contents, markdown_html
from reproduction.rooms import find_paper, paper_keys
from reproduction.verdicts.data_facts import data_name
from reproduction.verdicts.replication import LOWER

PAGE, COMMANDS = "then_and_now", ("snakemake --cores all then_and_now",)
PROSE = Path(__file__).with_name("then_and_now.md")
PUBLISHED, RERUN, NOW = "published best", "our rerun's best", "today's best"
_PLAIN = CONCATENATED, ALONE, GUESSING = "just concatenate", "best view alone", "guessing"
FRACTIONS = ("map_at_10",)  #: measures that the ledger has as fractions
#: Columns of the table of all scores, which ``manyviews recommend`` learns from.
_COLUMNS = ("comparison", "paper", "data", "task", "asked", "kind", "name", "title", "family",
            "measure", "value", "deviation", "score")  # fmt: skip
Record = Mapping[str, Any]


def scores_frame(records: Sequence[Record]) -> pd.DataFrame:
    """Return one row a method or diagnostic of a comparison that was made.

    ``value`` is in the paper's measure; ``score`` is from 0 to 1, larger is better.
    """
    rows: list[dict[str, Any]] = []
    for record in records:
        base = {
            "comparison": record["name"], "paper": record["paper"], "task": record["task"],
            "data": record["view_key"], "asked": record["entry"]["task"],
        }  # fmt: skip
        for key, values in sorted(record["values"].items()):
            mean = float(np.mean(values))
            rows.append({
                **base, "kind": "method", "name": key, "title": record["methods"][key],
                "family": record["families"][key], "measure": record["metric"], "value": mean,
                "deviation": round(float(np.std(values, ddof=1)), 6),
                "score": 1 - mean / 100 if record["metric"] in LOWER else mean / 100,
            })  # fmt: skip
        for name, value in sorted(record["diagnostics"].items()):
            rows.append({**base, "kind": "diagnostic", "name": name, "value": value})
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def cells_of(rows: pd.DataFrame, record: Record, **columns: str) -> pd.DataFrame:
    """Return the rows of a comparison: its paper, its measure, its place."""

    def written(value: Any) -> str:
        try:
            return f"{float(value):g}"
        except (TypeError, ValueError):
            return str(value)

    wanted = {"paper": record["paper"], "metric": record["metric"], **columns}
    for column, value in (*wanted.items(), *record["entry"]["where"].items()):
        rows = rows[rows[column].map(written) == written(value)]
    return rows


def rerun_cells(reruns: pd.DataFrame, record: Record) -> pd.DataFrame:
    """Return the mean of every method of a paper where print is silent: what we ran, on its words.

    Controls and inventions of ours are no methods of the paper.
    """
    rows = cells_of(reruns, record, dataset=record["dataset"], role="published",
                    reading=record["entry"]["reading"])  # fmt: skip
    values = rows.assign(ours=pd.to_numeric(rows["value"], errors="coerce"))
    means = values.groupby("method", as_index=False)["ours"].mean()
    return means.assign(data=STAND_IN, published=None)


def best_of(values: Mapping[str, float], metric: str) -> tuple[str, float]:
    """Return the best name and its value; the first by name of equals."""
    sign = 1.0 if metric in LOWER else -1.0
    name = min(values, key=lambda key: (sign * values[key], key))
    return name, values[name]


def summary(
    records: Sequence[Record], ledger: pd.DataFrame, reruns: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Return one row a comparison: published best, our rerun's best, today's best, controls.

    The ledger has published cells and our rerun of them; ``reruns`` are results of jobs on data
    that print is silent about.
    """
    rows = []
    for record in records:
        metric, entry = record["metric"], record["entry"]
        means = {key: float(np.mean(values)) for key, values in record["values"].items()}
        plain = {key for key, family in record["families"].items() if family != "paper"}
        now, value = best_of({k: means[k] for k in plain.difference(GUESSES)}, metric)
        alone = {k: v for k, v in means.items() if k.startswith("single_view")}
        row: dict[str, Any] = {
            "paper": record["paper"], "data set": data_name(record["view_key"]), "data": "",
            "rows": "a sample" if record["sampled"] else "all", "measure": metric,
            PUBLISHED: None, "by": "", RERUN: None, "of": "", NOW: value,
            "method": record["methods"][now],
            "deviation": float(np.std(record["values"][now], ddof=1)),
            CONCATENATED: means.get("concatenation", means.get("kmeans")),
            ALONE: best_of(alone, metric)[1] if alone else None,
            GUESSING: next((means[key] for key in GUESSES if key in means), None),
        }  # fmt: skip
        if entry.get("jobs") and reruns is not None:
            cells = rerun_cells(reruns, record)
        else:
            place = {"data_key": record["dataset"]}
            cells = cells_of(ledger, record, **place) if record["paper"] else ledger[:0]
        scale = 100.0 if metric in FRACTIONS else 1.0
        # print is of the whole set, the ledger's rerun of all rows of the view file it names
        other = record["view_key"] != record["dataset"] or record["sampled"]
        columns = (("published", PUBLISHED, "by"), (entry.get("rerun", "ours"), RERUN, "of"))
        for column, name, who in columns[: 1 if other else 2]:
            numbers = scale * pd.to_numeric(cells[column], errors="coerce")
            known = dict(zip(cells["method"], numbers, strict=True))
            known = {method: number for method, number in known.items() if pd.notna(number)}
            if known:
                row[who], row[name] = best_of(known, metric)
        row["data"] = str(cells["data"].iloc[0]) if len(cells) else ""
        rows.append(row)
    return pd.DataFrame(rows)


def first_sentence(frame: pd.DataFrame) -> str:
    """Say on which data sets a standard method of today beats print, and our rerun.

    Print counts on the whole of the papers' own data alone: elsewhere the data make the difference.
    """
    parts, never = [], []
    whole = frame[(frame["data"] == SAME) & (frame["rows"] == "all")]
    for column, what, rows in (
        (PUBLISHED, "the best published figure", whole),
        (RERUN, "the best method of our rerun", frame),
    ):
        # two papers may have one data set
        known = rows[rows[column].notna()].drop_duplicates("data set", keep="last")
        more = (known[NOW] - known[column]).astype(float)
        beaten = known["data set"][np.where(known["measure"].isin(LOWER), more < 0, more > 0)]
        where = f"{len(beaten)} of {len(known)} data sets"
        where = "the one data set that has it" if len(known) == 1 else where
        if len(beaten):
            parts.append(f"{what} on {where} ({', '.join(beaten)})")
        elif len(known):
            never.append(what)
    if parts:
        rest = f", but nowhere {' or '.join(never)}" if never else ""
        return f"A standard method beats {' and '.join(parts)}{rest}."
    if never:
        return f"No standard method beats {' or '.join(never)}."
    return "No published figure on the same data stands beside today's methods."


def _best(value: Any, who: str = "", deviation: float | None = None) -> Cell:
    """Return a cell with a figure and whose it is."""
    if pd.isna(value):
        return Cell("", "")
    figure = f"{value:.1f}" + (f" ± {deviation:.1f}" if deviation is not None else "")
    if not who:
        return Cell(figure, figure, float(value), "num")
    return Cell(f"{figure}<br>{html.escape(who)}", f"{figure} ({who})", float(value))


def _bests(part: pd.DataFrame) -> str:
    """Return the papers' data sets as a table: a best figure and its method share a cell."""
    header = ["data set", "paper", "rows", "data", PUBLISHED, RERUN, NOW, *_PLAIN]
    rows = []
    for row in part.to_dict("records"):
        row["paper"] = find_paper(row["paper"]).short
        rows.append([
            *(plain(row[key]) for key in header[:4]),
            _best(row[PUBLISHED], row["by"]), _best(row[RERUN], row["of"]),
            _best(row[NOW], row["method"], row["deviation"]), *(_best(row[key]) for key in _PLAIN),
        ])  # fmt: skip
    caption = "The papers' data sets in their own task and measure, in per cent"
    return table_html(Table("now", caption, header, rows, csv_text(part), commands=COMMANDS))


def learnt(frame: pd.DataFrame) -> list[Experience]:
    """Return the table as experience, read as its file is; guesses and single views are none."""
    return experience_of(csv.DictReader(io.StringIO(csv_text(frame))))


def advice_text(experience: Sequence[Experience]) -> str:
    """Say what advice from these comparisons is worth."""
    lines = []
    for task, way in PLAIN_WORDS.items():
        known = [one for one in experience if one.task == task]
        if len(known) <= NEAREST:
            lines.append(f"* To {task}: {len(known)} data sets are too few to learn from.")
            continue
        advice = recommend(known, task, known[0].diagnostics)
        verdict = "loses less than" if advice.helps else "is **no better than** always taking"
        lines.append(
            f"* To {task}: the method that did best on the {NEAREST} most similar data sets "
            f"{verdict} {way}. Each of {advice.n_sets} data sets was left out once: the advice "
            f"is {100 * advice.regret:.1f} points below the best method on the mean, {way} "
            f"{100 * advice.plain_regret:.1f}."
        )
    return "\n".join(lines)


def body_of(
    records: Sequence[Record], ledger: pd.DataFrame, contents: Contents,
    reruns: pd.DataFrame | None = None, never: Sequence[str] = (),
) -> str:  # fmt: skip
    """Return the body of the page from all records, those that were skipped among them.

    ``never`` are data sets without real data; headings are noted in ``contents``.
    """
    made = [record for record in records if "skipped" not in record]
    frame, scores = summary(made, ledger, reruns), scores_frame(made)
    prose = PROSE.read_text(encoding="utf-8").format(
        first=first_sentence(frame), advice=advice_text(learnt(scores)), **vars(run)
    )
    opening, own, advice = re.split(r"<!-- \w+ -->\n\n", prose)
    told: dict[str, list[str]] = {}
    for record in made:
        told.setdefault(record["entry"].get("note", ""), []).append(data_name(record["view_key"]))
    notes = [f"* {', '.join(names)}: {note}" for note, names in told.items() if note]
    papers = [key for key in paper_keys() if key in set(frame["paper"])]
    part = pd.concat([frame[frame["paper"] == key] for key in papers]) if papers else frame[:0]
    parts = [
        markdown_html(opening, contents), standings(scores),
        markdown_html("\n".join([own, *notes]), contents), _bests(part),
        markdown_html(advice, contents),
    ]  # fmt: skip
    left = {r["view_key"]: r["skipped"] for r in records if "skipped" in r}
    left |= dict.fromkeys(never, "the real data cannot be had; a surrogate would say nothing")
    if left:
        text = "\n".join(f"* {data_name(key)}: {why}" for key, why in left.items())
        parts.append(markdown_html(f"## Not compared, or not whole\n\n{text}", contents))
    lines = {
        f"{data_name(r['view_key'])}: {line.removeprefix(r['dataset'] + ': ')}"
        for r in made for line in [*r["left_out"], *r["notes"]]
    }  # fmt: skip
    items = "".join(f"<li>{html.escape(line)}</li>" for line in sorted(lines))
    summed = f"<summary>What was left out or sampled</summary><ul>{items}</ul>"
    return "\n".join([*parts, f"<details>{summed}</details>"])


def write_then_and_now(
    files: Sequence[Path | str], ledgers: Sequence[Path | str], reruns: Sequence[Path | str],
    page: Path | str, table: Path | str, stamp: Mapping[str, str], entries: Sequence[Entry],
    never: Sequence[str] = (),
) -> None:  # fmt: skip
    """Write the page and all scores as a table."""
    known = {entry.name: entry.model_dump() for entry in entries}
    records = [json.loads(Path(path).read_text(encoding="utf-8")) for path in files]
    records = [{**record, "entry": known[record["name"]]} for record in records]
    records.sort(key=lambda record: record["name"])
    contents = Contents()
    ledger = pd.concat([pd.read_csv(path, dtype=str) for path in ledgers])
    found = pd.concat([pd.read_csv(path, dtype=str) for path in reruns]) if reruns else None
    body = body_of(records, ledger, contents, found, never)
    check_names(body)
    made = [record for record in records if "skipped" not in record]
    write_text(table, csv_text(scores_frame(made)))
    write_text(page, page_html(body, page=PAGE, contents=contents, stamp=stamp))
