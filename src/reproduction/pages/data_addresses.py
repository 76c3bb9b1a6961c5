"""The data page's table of public addresses: who has which files, and what differs."""

from __future__ import annotations

import pandas as pd

from reproduction.data.addresses import HERITAGE, addresses, independent_addresses
from reproduction.data.entry import Dataset
from reproduction.data.origin import Edition
from reproduction.data.registry import load_registry
from reproduction.pages.data_names import data_name
from reproduction.pages.tables import show_table

COLUMNS = ["data set", "independent addresses", "address", "files", "what it gives"]


def _rows(dataset: Dataset, part: Dataset | Edition, gives: str) -> list[tuple[object, ...]]:
    count = independent_addresses(dataset)
    rows: list[tuple[object, ...]] = []
    for where, names in addresses(part):
        shown = "all" if set(names) == set(part.files) else ", ".join(names)
        text = gives if where != HERITAGE else f"{gives.rstrip('.')}, if it has them (not checked)"
        rows.append((dataset.key, count, where, shown, text))
    return rows


def addresses_frame() -> pd.DataFrame:
    """One row per data set and address; editions say how they differ."""
    records: list[tuple[object, ...]] = []
    for dataset in load_registry().values():
        records += _rows(dataset, dataset, "the pinned bytes")
        for edition in dataset.editions:
            records += _rows(dataset, edition, f"other files: {edition.differences}")
    return pd.DataFrame.from_records(records, columns=COLUMNS)


def show_addresses() -> None:
    """Show where everybody can get the files."""
    frame = addresses_frame()
    show_table(
        frame.assign(**{"data set": frame["data set"].map(data_name)}),
        "addresses",
        "Public addresses of every file; what comes from one is checked by its content",
        badges=(),
        targets=["data"],
    )
