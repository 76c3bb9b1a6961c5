"""All scores of the comparisons as one table, which ``manyviews recommend`` learns from."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from manyviews.compare.recommend import NEAREST, PLAIN_WORDS, Experience, experience_of, recommend
from reproduction.pages.markup import csv_text

#: Measures of which less is better.
LOWER = ("error_pct",)
#: Methods that need no data: guesses.
CONTROLS = ("majority", "chance")
_COLUMNS = ("comparison", "paper", "data", "task", "kind", "name", "title", "measure", "value",
            "deviation", "score")  # fmt: skip


def compared_only(records: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the comparisons that were made."""
    return [record for record in records if "skipped" not in record]


def scores_frame(records: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return one row a method or diagnostic of a comparison.

    ``value`` is in the paper's measure; ``score`` is from 0 to 1, larger is better.
    """
    rows: list[dict[str, Any]] = []
    for record in compared_only(records):
        base = {
            "comparison": record["name"], "paper": record["paper"], "task": record["task"],
            "data": record["view_key"],
        }  # fmt: skip
        lower = record["metric"] in LOWER
        for key, values in sorted(record["values"].items()):
            mean = float(np.mean(values))
            rows.append({
                **base, "kind": "method", "name": key, "title": record["methods"][key],
                "measure": record["metric"], "value": mean,
                "deviation": round(float(np.std(values, ddof=1)), 6),
                "score": 1 - mean / 100 if lower else mean / 100,
            })  # fmt: skip
        for name, value in sorted(record["diagnostics"].items()):
            rows.append({**base, "kind": "diagnostic", "name": name, "value": value})
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def learnt(frame: pd.DataFrame) -> list[Experience]:
    """Return the table as experience, read as its file is; guesses and single views are none."""
    return experience_of(csv.DictReader(io.StringIO(csv_text(frame))))


def advice_text(experience: Sequence[Experience]) -> str:
    """Say what advice from these comparisons is worth."""
    lines = []
    for task, plain in PLAIN_WORDS.items():
        what = f"To {task}"
        known = [one for one in experience if one.task == task]
        if len(known) <= NEAREST:
            lines.append(f"* {what}: {len(known)} data sets are too few to learn from.")
            continue
        advice = recommend(known, task, known[0].diagnostics)
        verdict = "loses less than" if advice.helps else "is **no better than** always taking"
        lines.append(
            f"* {what}: the method that did best on the {NEAREST} most similar data "
            f"sets {verdict} {plain}. Each of {advice.n_sets} data sets was left out once: the "
            f"advice is {100 * advice.regret:.1f} points below the best method on the mean, "
            f"{plain} {100 * advice.plain_regret:.1f}."
        )
    return "\n".join(lines)
