"""Claims of the co-training paper, from figures as others quote them: tests of ours, not counted.

Runs are paired, both methods see the same pages. Random draws hold out a quarter of the same pages,
so tests are corrected by a third (pages tested over pages that training sees).
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from reproduction.verdicts.claims import better, select
from reproduction.verdicts.parts import PARTITION, Part, every


def _errors(rows: pd.DataFrame, classifier: str, method: str) -> pd.DataFrame:
    return select(rows, table="2", classifier=classifier, method=method)


def _lower(left: pd.DataFrame, right: pd.DataFrame, overlap: float, name: str) -> Part:
    """Part "the error of co-training is lower"."""
    names = ("error of co-training", name)
    return better(left, right, unit=PARTITION, overlap=overlap, higher_is_better=False, names=names)


def lower_error(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Co-training's error is below the supervised one, for every classifier named."""
    parts = {}
    for classifier in params["classifiers"]:
        left, right = (_errors(rows, classifier, m) for m in ("co-training", "supervised"))
        parts[classifier] = _lower(left, right, params["overlap"], "supervised")
    return every(parts)


def halves_error(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Co-training's error is below half of the supervised one."""
    left, base = (_errors(rows, params["classifier"], m) for m in ("co-training", "supervised"))
    half = base.assign(value=base["value"] / 2)
    return _lower(left, half, params["overlap"], "half of supervised")
