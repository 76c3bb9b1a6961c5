"""Malformed input of every kind for every estimator on several views; each must be refused.

An estimator runs in a process of its own, so that one that crashes is counted.
"""

from __future__ import annotations

import importlib.util
import multiprocessing
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone

from manyviews.testing import multiview_checks
from manyviews.testing.data import random_case
from manyviews.testing.malformed import malformed_labels, malformed_views

CONTRACT = Path(__file__).resolve().parents[1] / "library" / "test_contract.py"
KINDS = {"malformed_views": malformed_views, "malformed_labels": malformed_labels}


def estimators() -> list[tuple[Any, dict[str, int]]]:
    """Return the estimators that the contract is tested with, and the size of their problems."""
    spec = importlib.util.spec_from_file_location("test_contract", CONTRACT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return list(module.MODELS)


def check(model: Any, size: dict[str, int], seed: int) -> None:
    """Refuse every kind; the process ends with 1 where one was not refused."""
    case = random_case(np.random.default_rng(seed), **size)
    for name, judge in multiview_checks(model):
        if name in KINDS:
            judge(clone(model), case)


def run(seed: int = 0) -> dict[str, object]:
    """Try every estimator in a process of its own; return the figures."""
    case = random_case(np.random.default_rng(seed))
    kinds = {name: len(make(case)) for name, make in KINDS.items()}
    crashed, wrong, tried = [], [], 0
    fork = multiprocessing.get_context("fork")
    models = estimators()
    for model, size in models:
        tried += sum(kinds[name] for name, _ in multiview_checks(model) if name in KINDS)
        process = fork.Process(target=check, args=(model, size, seed))
        process.start()
        process.join()
        if process.exitcode:
            (crashed if process.exitcode < 0 else wrong).append(type(model).__name__)
    return {
        "kinds": sum(kinds.values()), "estimators": len(models), "inputs": tried,
        "crashes": len(crashed), "wrong": sorted({*crashed, *wrong}),
    }  # fmt: skip
