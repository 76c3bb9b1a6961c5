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


def lower_error(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Co-training's error is below the supervised one, for every classifier named."""
    return every(
        {
            classifier: better(
                _errors(rows, classifier, "co-training"), _errors(rows, classifier, "supervised"),
                unit=PARTITION, overlap=params["overlap"], higher_is_better=False,
                names=("error of co-training", "supervised"),
            )
            for classifier in params["classifiers"]
        }
    )  # fmt: skip


def halves_error(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Co-training's error is below half of the supervised one."""
    classifier = params["classifier"]
    base = _errors(rows, classifier, "supervised")
    return better(
        _errors(rows, classifier, "co-training"), base.assign(value=base["value"] / 2),
        unit=PARTITION, overlap=params["overlap"], higher_is_better=False,
        names=("error of co-training", "half of supervised"),
    )  # fmt: skip
