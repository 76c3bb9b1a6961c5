"""Do two runs say the same? Every published value and every verdict, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from reproduction.results.rows import read_table

#: Relative difference that rounding in the files may leave.
ROUNDING = 1e-9

_VALUES = (
    "published", "published_std", "published_runs", "ours", "ours_std", "runs", "difference", "se",
    "margin", "text_ours", "text_runs", "readings_low", "readings_high",
)  # fmt: skip
_WORDS = ("agreement", "text_agreement", "data", "protocol", "repeats")
_STATISTICS = ("effect", "p_value", "n")


def _same(left: object, right: object) -> bool:
    one, two = float(str(left)), float(str(right))
    return bool(np.isclose(one, two, rtol=ROUNDING, atol=1e-12, equal_nan=True))


def _paired(old: pd.DataFrame, new: pd.DataFrame) -> Iterator[tuple[pd.Series, pd.Series]]:
    """Pair rows in their order within a paper: ids may change, the order of print does not."""
    for paper, part in old.groupby("paper", sort=False):
        other = new[new["paper"] == paper]
        yield from zip(
            (row for _, row in part.iterrows()),
            (row for _, row in other.iterrows()),
            strict=False,
        )


def compare_ledgers(old: pd.DataFrame, new: pd.DataFrame) -> list[str]:
    """Return one line per paper, value or verdict that differs; papers new to one are named."""
    lines = _counts(old, new, "cells")
    for before, after in _paired(old, new):
        identity = [name for name in ("table", "method", "metric") if before[name] != after[name]]
        if identity:
            lines.append(f"{before['cell']}: stands where {after['cell']} stands now")
            continue
        for name in _VALUES:
            if not _same(before[name], after[name]):
                lines.append(f"{before['cell']}: {name} {before[name]:.12g} -> {after[name]:.12g}")
        for name in _WORDS:
            if before[name] != after[name]:
                lines.append(f"{before['cell']}: {name} {before[name]!r} -> {after[name]!r}")
    return lines


def compare_claims(old: pd.DataFrame, new: pd.DataFrame) -> list[str]:
    """Return one line per claim whose verdict, effect, p-value or count differs."""
    lines = []
    after = new.set_index("id")
    for _, before in old.iterrows():
        name = before["id"]
        if name not in after.index:
            lines.append(f"claim {name} is gone")
            continue
        for column in _STATISTICS:
            if not _same(before[column], after.loc[name, column]):
                value = float(str(after.loc[name, column]))
                lines.append(f"claim {name}: {column} {before[column]:.12g} -> {value:.12g}")
        if before["verdict"] != after.loc[name, "verdict"]:
            lines.append(f"claim {name}: {before['verdict']} -> {after.loc[name, 'verdict']}")
    added = sorted(set(new["id"]) - set(old["id"]))
    return [*lines, *(f"claim {name} is new" for name in added)]


def _counts(old: pd.DataFrame, new: pd.DataFrame, what: str) -> list[str]:
    counts = old["paper"].value_counts(), new["paper"].value_counts()
    names = sorted({*counts[0].index, *counts[1].index})
    before = {name: int(counts[0].get(name, 0)) for name in names}
    after = {name: int(counts[1].get(name, 0)) for name in names}
    return [
        f"{name}: {before[name]} {what} -> {after[name]}"
        for name in names
        if before[name] != after[name]
    ]


def compare_folders(old: Path, new: Path) -> list[str]:
    """Compare ``ledger.csv`` and ``claims.csv`` of two folders."""
    frames = {}
    for folder in (old, new):
        for name in ("ledger.csv", "claims.csv"):
            path = folder / name
            if not path.is_file():
                raise ValueError(f"{path} is missing; give a folder with ledger.csv and claims.csv")
            frames[folder, name] = read_table(path)
    return [
        *compare_ledgers(frames[old, "ledger.csv"], frames[new, "ledger.csv"]),
        *compare_claims(frames[old, "claims.csv"], frames[new, "claims.csv"]),
    ]
