"""The ledger for machines: one JSON record per published cell, with a schema beside it.

``json.load(open("reports/tables/ledger.json"))["cells"]`` reads it. The id of a cell never changes
as long as the paper prints it; the schema is made from the classes below.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar, Literal, get_origin

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field

from reproduction.verdicts.cells import records
from reproduction.verdicts.ledger import LEDGER_COLUMNS

#: Raised when a field changes its meaning or goes; new fields may come without.
FORMAT: Literal[3] = 3
SCHEMA_FILE = "ledger.schema.json"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    #: Field -> column of the ledger, where they differ.
    columns: ClassVar[dict[str, str]] = {}


Agreement = Literal["equivalent", "compatible", "near", "different", "not comparable", "not run"]
Data = Literal["", "same", "subset", "other features", "stand-in", "surrogate"]
Protocol = Literal["", "text", "convention", "inferred"]


class Published(_Record):
    """What the paper prints."""

    columns: ClassVar = {"mean": "published", "std": "published_std", "runs": "published_runs"}
    mean: float
    std: float | None = Field(description="printed deviation, if any")
    runs: int | None = Field(description="runs behind it: as the text says, else ours")
    seen: str = Field(description="read in the paper, confirmed by others, or quoted unseen")


class Ours(_Record):
    """What this run measured, under one reading of the paper."""

    mean: float | None = Field(description="null where this reading was not run")
    std: float | None = Field(description="deviation over the runs (n - 1); null for one run")
    runs: int = Field(ge=0)
    stable: float | None = Field(description="share of bootstrap samples that give the same word")
    protocol: Protocol = Field(description="the worst of the choices that bear on the cell")
    agreement: Agreement


class Difference(_Record):
    """Ours (inferred reading) minus published, on the unit's scale, and what it rests on."""

    columns: ClassVar = {"value": "difference"}
    value: float | None
    se: float | None = Field(description="standard error, both sides together")
    low: float | None = Field(description="95 % interval of the difference")
    high: float | None
    margin: float = Field(description="within this two means are the same")
    prediction_low: float | None = Field(description="95 % interval of our mean if print is right")
    prediction_high: float | None
    stable: float | None = Field(description="share of bootstrap samples that give the same word")


class Readings(_Record):
    """Means over all readings of the paper that were run."""

    columns: ClassVar = {
        "low": "readings_low", "high": "readings_high", "number": "n_readings"
    }  # fmt: skip
    low: float | None
    high: float | None
    number: int = Field(ge=0)


class Provenance(_Record):
    """Where the measured value comes from."""

    columns: ClassVar = {"data": "data_key", "source": "data_source", "results": "source"}
    data: str = Field(description="key of the data set in data/registry")
    source: str = Field(description="what served the data: mirror, publisher, wheel, user, ...")
    seed: str = Field(description="job and runs that key the seeds")
    code: str = Field(description="hash of the sources the result depends on")
    results: str = Field(description="file with the single runs")
    target: str = Field(description="what to ask Snakemake for to make that file")


class CellRecord(_Record):
    """One published number and what this run has to say about it."""

    columns: ClassVar = {"id": "cell", "rule": "rule_digest"}
    id: str = Field(pattern=r"^[A-Za-z0-9=.%+_/-]+$")
    paper: str
    table: str
    dataset: str = Field(description="as the paper's table names it")
    setting: str = Field(description="the settings as text, for people")
    settings: dict[str, str | float] = Field(description="the settings as columns and values")
    method: str
    metric: str
    unit: str
    published: Published
    inferred: Ours = Field(description="as the evidence says the authors worked")
    text: Ours = Field(description="as the paper's words say, or the field's default")
    difference: Difference
    readings: Readings
    data: Data = Field(description="what the data is against the paper's; empty if not run")
    reason: str = Field(description="how the data differs, or why the cell was not run")
    repeats: str = Field(description="id of the cell that prints this number first, if any")
    rule: str = Field(description="digest of the rule that gave the words")
    provenance: Provenance


class LedgerDocument(_Record):
    """All published cells in the order the papers print them."""

    schema_file: str = Field(default=SCHEMA_FILE, alias="$schema")
    format: Literal[3] = FORMAT
    cells: list[CellRecord]


#: Columns of the two readings.
_READING = {
    "inferred": {"mean": "ours", "std": "ours_std"},
    "text": {n: f"text_{n}" for n in ("std", "runs", "stable", "protocol", "agreement")}
    | {"mean": "text_ours"},
}


def _value(value: Any, kind: Any) -> Any:
    """A number with the digits of the CSV, or what stands for nothing of its kind."""
    if pd.isna(value):
        return "" if kind is str or get_origin(kind) is Literal else None
    return float(f"{value:.12g}") if isinstance(value, float) else value


def _filled(record: type[_Record], row: dict[str, Any], columns: dict[str, str]) -> dict[str, Any]:
    """Return the fields of a record from a row of the ledger."""
    made: dict[str, Any] = {}
    for name, field in record.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, _Record):
            made[name] = _filled(kind, row, _READING.get(name, kind.columns))
        elif name != "settings":
            made[name] = _value(row[columns.get(name, name)], kind)
    return made


def _settings(row: dict[str, Any]) -> dict[str, str | float]:
    own = {name: _value(value, str) for name, value in row.items() if name not in LEDGER_COLUMNS}
    return {n: v if isinstance(v, str) else float(v) for n, v in own.items() if v != ""}


def _record(row: dict[str, Any]) -> CellRecord:
    return CellRecord(**_filled(CellRecord, row, CellRecord.columns), settings=_settings(row))


def ledger_json(ledger: pd.DataFrame) -> str:
    """Return the ledger of one or all papers as JSON text; two cells with one id are refused."""
    repeated = ledger.loc[ledger["cell"].duplicated(), "cell"]
    if len(repeated):
        raise ValueError(f"two published cells have the id {repeated.iloc[0]}; ids must be unique")
    document = LedgerDocument(cells=[_record(row) for row in records(ledger)])
    value = document.model_dump(mode="json", by_alias=True)
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def schema_json() -> str:
    """Return the schema of :func:`ledger_json` as JSON text."""
    schema = {"$schema": _DIALECT, **LedgerDocument.model_json_schema(by_alias=True)}
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
