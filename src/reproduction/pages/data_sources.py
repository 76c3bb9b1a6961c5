"""What the data page reads: measured statistics, where data came from, which data a group has."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pandas as pd

from reproduction.data.entry import Dataset
from reproduction.data.registry import load_registry
from reproduction.pages.results import results_root
from reproduction.rooms import find_paper
from reproduction.verdicts.data_facts import data_facts

#: Data sets that are no paper's: role -> title of their section.
ROLES = {"extra": "Beyond the papers", "own": "Your own data"}
NOT_FETCHED = "not fetched"


def load_statistics() -> pd.DataFrame:
    """Measured statistics of every view file."""
    path = results_root() / "data" / "statistics.csv"
    if not path.is_file():
        raise ValueError(f"{path} is not there; make it with `snakemake --cores all {path}`")
    return pd.read_csv(path, keep_default_na=False)


def load_provenances() -> dict[str, dict[str, Any]]:
    """Where each data set came from, as the fetch step wrote it; nothing before a run."""
    path = results_root() / "data" / "provenance.json"
    found: dict[str, dict[str, Any]] = {}
    if path.is_file():
        found = json.loads(path.read_text(encoding="utf-8"))
    return found


def kind_of(dataset: Dataset, provenance: Mapping[str, Any]) -> str:
    """One word for a reader, on every page the same; data not fetched has no ``provenance``."""
    if dataset.role in ROLES:
        return ROLES[dataset.role].lower()
    return data_facts(dataset.key, dataset, provenance).kind if provenance else NOT_FETCHED


def group_datasets(group: str) -> list[Dataset]:
    """Data sets of a paper in its order, then their stand-ins; or what was built of a role."""
    registry = load_registry()
    if group in ROLES:
        built = set(load_statistics()["data_set"])
        return [d for d in registry.values() if d.role == group and d.key in built]
    own = [registry[key] for key in find_paper(group).datasets]
    keys = {dataset.key for dataset in own}
    return own + [dataset for dataset in registry.values() if dataset.stands_in_for in keys]
