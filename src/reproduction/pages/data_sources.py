"""What the data page reads: measured statistics, where data came from, which data a group has."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from reproduction.data.entry import Dataset
from reproduction.data.registry import load_registry
from reproduction.pages.results import results_root
from reproduction.rooms import find_paper

#: Data sets that are no paper's: role -> title of their section.
ROLES = {"extra": "Beyond the papers", "own": "Your own data"}


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


def kind_of(provenance: dict[str, Any]) -> str:
    """One word for a reader: the paper's data, part of it, a stand-in or a surrogate."""
    if provenance.get("source") == "surrogate":
        return "surrogate"
    roles = {"stand_in": "stand-in", **{role: title.lower() for role, title in ROLES.items()}}
    if provenance.get("role") in roles:
        return roles[provenance["role"]]
    names = {
        "same": "same",
        "own_draw": "same (own draw)",
        "subset": "subset",
        "other_features": "other features",
    }
    return names.get(str(provenance.get("comparable")), "not comparable")


def group_datasets(group: str) -> list[Dataset]:
    """Data sets of a paper in its order, then their stand-ins; or what was built of a role."""
    registry = load_registry()
    if group in ROLES:
        built = set(load_statistics()["data_set"])
        return [d for d in registry.values() if d.role == group and d.key in built]
    own = [registry[key] for key in find_paper(group).datasets]
    keys = {dataset.key for dataset in own}
    return own + [dataset for dataset in registry.values() if dataset.stands_in_for in keys]
