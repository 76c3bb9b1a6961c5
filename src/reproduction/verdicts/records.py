"""The ledger for machines: one JSON record per published cell, with a schema beside it.

``json.load(open("reports/tables/ledger.json"))["cells"]`` reads it. The id of a cell never changes
as long as the paper prints it.
"""

import json
import re
from typing import Any

import pandas as pd

from reproduction.verdicts.cells import given, records
from reproduction.verdicts.ledger import LEDGER_COLUMNS
from reproduction.verdicts.words import AGREEMENT, DATA, PROTOCOL

#: Raised when a field changes its meaning or goes; new fields may come without.
FORMAT = 3
SCHEMA_FILE = "ledger.schema.json"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"

#: Kind of a value -> its schema; with null where the ledger may have nothing.
_KINDS: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "number": {"type": "number"},
    "number?": {"type": ["number", "null"]},
    "count": {"type": "integer", "minimum": 0},
    "count?": {"type": ["integer", "null"]},
    "id": {"type": "string", "pattern": "^[A-Za-z0-9=.%+_/-]+$"},
    "settings": {"type": "object", "additionalProperties": {"type": ["string", "number"]}},
    "agreement": {"enum": list(AGREEMENT)},
    "data": {"enum": ["", *DATA]},
    "protocol": {"enum": ["", *PROTOCOL]},
}

#: Field of a record, column of the ledger, kind, meaning; or a group of fields and its meaning.
_FIELDS = """
id                          cell             id
paper                       paper            text
table                       table            text
dataset                     dataset          text       as the paper's table names it
setting                     setting          text       the settings as text, for people
settings                    all others       settings   the settings as columns and values
method                      method           text
metric                      metric           text
unit                        unit             text
published                   what the paper prints
published.mean              published        number
published.std               published_std    number?    printed deviation, if any
published.runs              published_runs   count?     runs behind it: as the text says, else ours
published.seen              seen             text       read in print, confirmed, or quoted unseen
inferred                    ours, as the evidence says the authors worked
inferred.mean               ours             number?    null where this reading was not run
inferred.std                ours_std         number?    deviation over the runs; null for one run
inferred.runs               runs             count
inferred.stable             stable           number?    share of bootstrap samples with this word
inferred.protocol           protocol         protocol   worst of the choices that bear on the cell
inferred.agreement          agreement        agreement
text                        ours, as the paper's words say, or the field's default
text.mean                   text_ours        number?    null where this reading was not run
text.std                    text_std         number?    deviation over the runs; null for one run
text.runs                   text_runs        count
text.stable                 text_stable      number?    share of bootstrap samples with this word
text.protocol               text_protocol    protocol   worst of the choices that bear on the cell
text.agreement              text_agreement   agreement
difference                  ours (inferred) minus published, on the unit's scale
difference.value            difference       number?
difference.se               se               number?    standard error, both sides together
difference.low              low              number?    95 % interval of the difference
difference.high             high             number?
difference.margin           margin           number     within this two means are the same
difference.prediction_low   prediction_low   number?    95 % interval of our mean if print is right
difference.prediction_high  prediction_high  number?
difference.stable           stable           number?    share of bootstrap samples with this word
readings                    means over all readings of the paper that were run
readings.low                readings_low     number?
readings.high               readings_high    number?
readings.number             n_readings       count
data                        data             data       against the paper's; empty if not run
reason                      reason           text       how the data differs, or why it was not run
repeats                     repeats          text       id of the cell that prints it first, if any
rule                        rule_digest      text       digest of the rule that gave the words
provenance                  where the measured value comes from
provenance.data             data_key         text       key of the data set in data/registry
provenance.source           data_source      text       what served the data: mirror, publisher, ...
provenance.seed             seed             text       job and runs that key the seeds
provenance.code             code             text       hash of the sources the result depends on
provenance.results          source           text       file with the single runs
provenance.target           target           text       what to ask Snakemake for to make that file
"""


def _fields() -> list[tuple[str, str, list[str]]]:
    """Group (empty for none), name, and the rest of every line above."""
    lines = (re.split(r"\s{2,}", line) for line in _FIELDS.strip().splitlines())
    parted = ((path.rpartition("."), rest) for path, *rest in lines)
    return [(group, name, rest) for (group, _, name), rest in parted]


def _value(value: Any, kind: str) -> Any:
    """A number with the digits of the CSV, or what stands for nothing of its kind."""
    if kind.startswith(("number", "count")):
        digits = int if kind.startswith("count") else float
        return None if pd.isna(value) else digits(float(f"{value:.12g}"))
    return "" if pd.isna(value) else value


def _record(row: dict[str, Any], fields: list[tuple[str, str, list[str]]]) -> dict[str, Any]:
    """Return the record of a row of the ledger."""
    record: dict[str, Any] = {}
    own = {k: v for k, v in row.items() if k not in LEDGER_COLUMNS and given(v)}
    for group, name, (column, *kind) in fields:
        place = record[group] if group else record
        if not kind:
            place[name] = {}
        elif kind[0] == "settings":
            place[name] = {k: v if isinstance(v, str) else float(v) for k, v in own.items()}
        else:
            place[name] = _value(row[column], kind[0])
    return record


def ledger_json(ledger: pd.DataFrame) -> str:
    """Return the ledger of one or all papers as JSON text; two cells with one id are refused."""
    repeated = ledger.loc[ledger["cell"].duplicated(), "cell"]
    if len(repeated):
        raise ValueError(f"two published cells have the id {repeated.iloc[0]}; ids must be unique")
    fields = _fields()
    cells = [_record(row, fields) for row in records(ledger)]
    document = {"$schema": SCHEMA_FILE, "format": FORMAT, "cells": cells}
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _object(described: str, **fields: Any) -> dict[str, Any]:
    """Schema of an object with these fields and no other."""
    head = {"type": "object", "description": described, "additionalProperties": False}
    return {**head, "required": list(fields), "properties": fields}


def schema_json() -> str:
    """Return the schema of :func:`ledger_json` as JSON text."""
    cell = _object("One published number and what this run has to say about it.")
    for group, name, (column, *kind) in _fields():
        place = cell["properties"][group] if group else cell
        described = {"description": kind[1]} if len(kind) > 1 else {}
        place["required"].append(name)
        place["properties"][name] = _KINDS[kind[0]] | described if kind else _object(column)
    whole = _object(
        "All published cells in the order the papers print them.",
        **{"$schema": _KINDS["text"], "format": {"const": FORMAT}},
        cells={"type": "array", "items": cell},
    )
    return json.dumps({"$schema": _DIALECT, **whole}, indent=1, ensure_ascii=False) + "\n"
