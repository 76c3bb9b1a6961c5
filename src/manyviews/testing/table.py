"""The contract as a table: which estimator offers what, read off the checks that apply to it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from manyviews.testing.checks import multiview_checks

__all__ = ["contract_table"]

#: Column of the table to the check behind it.
_CHECKS = {
    "any labels": "labels_of_any_kind",
    "missing rows": "missing_views",
    "sample_weight": "sample_weight",
    "n_jobs": "n_jobs",
    "verbose": "verbose",
    "feature names": "feature_names",
    "set_output": "set_output",
}
#: Column of the table to the method behind it.
_METHODS = {
    "predict": "predict",
    "predict_proba": "predict_proba",
    "decision_function": "decision_function",
    "transform": "transform",
    "partial_fit": "partial_fit",
}


def contract_table(estimators: Iterable[Any]) -> str:
    """Return a Markdown table of estimators and what they offer; classes that come twice once.

    A feature that has a check is there if the check applies, so a table of estimators that pass
    :func:`~manyviews.testing.checks.check_multiview_estimator` holds what they do, not what they
    say.

    Examples
    --------
    >>> from manyviews.baselines import NaiveBayesEnsemble
    >>> print(contract_table([NaiveBayesEnsemble()]).splitlines()[2].split(" | ")[:4])
    ['| NaiveBayesEnsemble', 'yes', 'yes', '']
    """
    columns = [*_METHODS, *_CHECKS, "tol", "batches", "checks"]
    lines = [f"| estimator | {' | '.join(columns)} |", f"|{' --- |' * (len(columns) + 1)}"]
    rows: dict[str, list[str]] = {}
    for estimator in estimators:
        checks = {name for name, _ in multiview_checks(estimator)}
        settings = inspect.signature(type(estimator)).parameters
        flags = [hasattr(estimator, method) for method in _METHODS.values()]
        flags += [check in checks for check in _CHECKS.values()]
        flags += ["tol" in settings, "batch_size" in settings]
        cells = ["yes" if flag else "" for flag in flags]
        rows.setdefault(type(estimator).__name__, [*cells, str(len(checks))])
    return (
        "\n".join([*lines, *(f"| {name} | {' | '.join(r)} |" for name, r in rows.items())]) + "\n"
    )
