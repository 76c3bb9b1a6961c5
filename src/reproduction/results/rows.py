"""The tables of this project: the five papers' keys, the columns of a row, where results lie.

pandas is imported where it is needed: the workflow reads this module in every call.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

PAPERS = ("mvplsa", "twoview_pa", "coplsa_multimodal", "coplsa_clustering", "multiview_hier")

#: Columns that name one measured value.
KEY_COLUMNS = (
    "paper", "dataset", "label", "table", "setting", "method", "metric", "reading", "run",
)  # fmt: skip

_NUMBERS = (
    "run", "value", "seconds", "iterations", "published", "published_std", "ours", "ours_std",
    "runs", "difference", "tolerance", "effect", "p_value", "n", "mean", "std",
)  # fmt: skip


def read_table(path: Path | str) -> pd.DataFrame:
    """Read a CSV of this project: names stay text ("3" is a table), empty numbers are NaN."""
    import pandas as pd

    columns = list(pd.read_csv(path, nrows=0).columns)
    text = {name: "str" for name in columns if name not in _NUMBERS}
    empty = {name: ["", "nan", "NaN"] for name in columns if name in _NUMBERS}
    return pd.read_csv(path, dtype=text, keep_default_na=False, na_values=empty)


def table_text(frame: pd.DataFrame) -> str:
    """CSV text of a table: twelve significant digits, Unix line ends."""
    return str(frame.to_csv(index=False, lineterminator="\n", float_format="%.12g"))


def check_paper(paper: str) -> str:
    """Return ``paper`` if it is one of the five keys."""
    if paper not in PAPERS:
        raise ValueError(f"unknown paper {paper!r}; known: {', '.join(PAPERS)}")
    return paper


def result_files(paper: str, results: Path, ending: str = ".csv") -> list[Path]:
    """Files ``<results>/<paper>/<dataset>/<name><ending>``, sorted; ``.csv`` leaves out timings."""
    files = sorted((results / paper).glob(f"*/*{ending}"))
    if ending == ".csv":
        files = [path for path in files if not path.name.endswith(".timing.csv")]
    return files
