"""The ledger for machines: one JSON record per published cell, with a schema beside it.

``json.load(open("reports/tables/ledger.json"))["cells"]`` reads it. A record has the columns of the
CSV; ``format`` in the schema is raised when a field changes its meaning or goes.
"""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from reproduction.verdicts.cells import given, records
from reproduction.verdicts.ledger import LEDGER_COLUMNS

SCHEMA_FILE = "ledger.schema.json"


def schema_json() -> str:
    """Return the schema of :func:`ledger_json` as JSON text."""
    return Path(__file__).with_name(SCHEMA_FILE).read_text(encoding="utf-8")


def _value(value: Any, kinds: list[str]) -> Any:
    """A number with the digits of the CSV, or what stands for nothing of its kind."""
    if "null" in kinds:
        digits = int if "integer" in kinds else float
        return None if pd.isna(value) else digits(float(f"{value:.12g}"))
    return "" if pd.isna(value) else value


def ledger_json(ledger: pd.DataFrame) -> str:
    """Return the ledger of one or all papers as JSON text; two cells with one id are refused."""
    repeated = ledger.loc[ledger["cell"].duplicated(), "cell"]
    if len(repeated):
        raise ValueError(f"two published cells have the id {repeated.iloc[0]}; ids must be unique")
    top = json.loads(schema_json())["properties"]
    fields, cells = top["cells"]["items"]["properties"], []
    for row in records(ledger):
        own = {k: v for k, v in row.items() if k not in LEDGER_COLUMNS and given(v)}
        settings = {k: v if isinstance(v, str) else float(v) for k, v in own.items()}
        cell = {k: _value(row[k], fields[k].get("type", [])) for k in LEDGER_COLUMNS}
        cells.append(cell | {"settings": settings})
    document = {"$schema": SCHEMA_FILE, "format": top["format"]["const"], "cells": cells}
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
