"""The ledger for machines: one JSON record per published cell, with a schema beside it.

``json.load(open("reports/tables/ledger.json"))["cells"]`` reads it. A record has the columns of the
CSV; the id of a cell (``cell``) never changes as long as the paper prints it.
"""

import json
from typing import Any

import pandas as pd

from asprinted.words import AGREEMENT, DATA, PROTOCOL
from reproduction.verdicts.cells import given, records
from reproduction.verdicts.ledger import LEDGER_COLUMNS

#: Raised when a field changes its meaning or goes; new fields may come without.
FORMAT = 4
SCHEMA_FILE = "ledger.schema.json"

_WORDS = {"agreement": list(AGREEMENT), "data": ["", *DATA], "protocol": ["", *PROTOCOL]}
_COUNTS = ("runs", "text_runs", "published_runs", "n_readings")
_NUMBERS = (
    "margin", "published", "published_std", "ours", "ours_std", "stable", "text_ours", "text_std",
    "text_stable", "difference", "se", "low", "high", "prediction_low", "prediction_high",
    "readings_low", "readings_high",
)  # fmt: skip

#: What a column means, where its name does not say it; names without ``text_`` are ours as the
#: evidence says the authors worked, those with it ours as the paper's words say.
_MEANINGS = {
    "dataset": "as the paper's table names it",
    "setting": "the settings as text, for people",
    "settings": "the settings as columns and values",
    "margin": "within this two means are the same",
    "published_std": "printed deviation, if any",
    "published_runs": "runs behind it: as the text says, else ours",
    "seen": "read in print, confirmed, or quoted unseen",
    "ours": "null where this reading was not run",
    "ours_std": "deviation over the runs; null for one run",
    "stable": "share of bootstrap samples with this word",
    "protocol": "worst of the choices that bear on the cell",
    "difference": "ours minus published, on the unit's scale",
    "se": "standard error, both sides together",
    "low": "95 % interval of the difference",
    "prediction_low": "95 % interval of our mean if print is right",
    "readings_low": "lowest mean over all readings of the paper that were run",
    "data": "against the paper's; empty if not run",
    "reason": "how the data differs, or why it was not run",
    "repeats": "id of the cell that prints it first, if any",
    "rule_digest": "digest of the rule that gave the words",
    "data_key": "key of the data set in data/registry",
    "data_source": "what served the data: mirror, publisher, ...",
    "seed": "job and runs that key the seeds",
    "code": "hash of the sources the result depends on",
    "source": "file with the single runs",
    "target": "what to ask Snakemake for to make that file",
}


def _value(column: str, value: Any) -> Any:
    """A number with the digits of the CSV, or what stands for nothing of its kind."""
    if column in (*_COUNTS, *_NUMBERS):
        digits = int if column in _COUNTS else float
        return None if pd.isna(value) else digits(float(f"{value:.12g}"))
    return "" if pd.isna(value) else value


def ledger_json(ledger: pd.DataFrame) -> str:
    """Return the ledger of one or all papers as JSON text; two cells with one id are refused."""
    repeated = ledger.loc[ledger["cell"].duplicated(), "cell"]
    if len(repeated):
        raise ValueError(f"two published cells have the id {repeated.iloc[0]}; ids must be unique")
    cells = []
    for row in records(ledger):
        own = {k: v for k, v in row.items() if k not in LEDGER_COLUMNS and given(v)}
        settings = {k: v if isinstance(v, str) else float(v) for k, v in own.items()}
        cells.append({k: _value(k, row[k]) for k in LEDGER_COLUMNS} | {"settings": settings})
    document = {"$schema": SCHEMA_FILE, "format": FORMAT, "cells": cells}
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def schema_json() -> str:
    """Return the schema of :func:`ledger_json` as JSON text."""
    fields: dict[str, Any] = {name: {"type": "string"} for name in LEDGER_COLUMNS}
    fields |= {name: {"type": ["number", "null"]} for name in _NUMBERS}
    fields |= {name: {"type": ["integer", "null"], "minimum": 0} for name in _COUNTS}
    fields |= {name: {"enum": _WORDS[name.removeprefix("text_")]} for name in LEDGER_COLUMNS
               if name.removeprefix("text_") in _WORDS}  # fmt: skip
    fields["settings"] = {
        "type": "object",
        "additionalProperties": {"type": ["string", "number"]},
    }
    for name, meaning in _MEANINGS.items():
        fields[name] = {**fields[name], "description": meaning}
    cell = {"type": "object", "additionalProperties": False, "properties": fields}
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": "All published cells in the order the papers print them.",
        "type": "object",
        "required": ["$schema", "format", "cells"],
        "properties": {
            "$schema": {"type": "string"},
            "format": {"const": FORMAT},
            "cells": {"type": "array", "items": {**cell, "required": list(fields)}},
        },
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
