"""The ledger for machines: one JSON record per published cell, with a schema beside it.

``json.load(open("reports/tables/ledger.json"))["cells"]`` reads it. The id of a cell never changes
as long as the paper prints it; the schema is made from the classes below.
"""

from __future__ import annotations

import json
from typing import Any, Literal

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field

from reproduction.verdicts.ledger import LEDGER_COLUMNS

#: Raised when a field changes its meaning or goes; new fields may come without.
FORMAT: Literal[1] = 1
SCHEMA_FILE = "ledger.schema.json"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Published(_Record):
    """What the paper prints."""

    mean: float
    std: float | None = Field(description="printed deviation, if any")
    seen: str = Field(description="read in the paper, confirmed by others, or quoted unseen")


class Ours(_Record):
    """What this run measured."""

    mean: float | None = Field(description="null where a shortened configuration left the cell out")
    std: float | None = Field(description="deviation over the runs (n - 1); null for one run")
    runs: int = Field(ge=0)


class Provenance(_Record):
    """Where the measured value comes from."""

    kind: str = Field(description="original, differs, stand-in or surrogate; empty if not run")
    data: str = Field(description="key of the data set in data/registry")
    source: str = Field(description="what served the data: mirror, publisher, wheel, user, ...")
    seed: str = Field(description="job and runs that key the seeds")
    code: str = Field(description="hash of the sources the result depends on")
    results: str = Field(description="file with the single runs")
    target: str = Field(description="what to ask Snakemake for to make that file")


class CellRecord(_Record):
    """One published number and what this run has to say about it."""

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
    ours: Ours
    difference: float | None = Field(description="ours minus published, in the unit")
    tolerance: float | None
    verdict: Literal["reproduced", "close", "differs", "not comparable", "not run"]
    reason: str = Field(description="why the cell cannot be compared, if so")
    provenance: Provenance


class LedgerDocument(_Record):
    """All published cells in the order the papers print them."""

    schema_file: str = Field(default=SCHEMA_FILE, alias="$schema")
    format: Literal[1] = FORMAT
    cells: list[CellRecord]


def _number(value: Any) -> float | None:
    """A number with the digits of the CSV, or nothing."""
    return None if pd.isna(value) else float(f"{float(value):.12g}")


def _text(value: Any) -> str:
    return "" if pd.isna(value) else str(value)


def _settings(row: dict[str, Any]) -> dict[str, str | float]:
    own = {name: value for name, value in row.items() if name not in LEDGER_COLUMNS}
    return {
        name: value if isinstance(value, str) else float(f"{float(value):.12g}")
        for name, value in own.items()
        if _text(value)
    }


def _record(row: dict[str, Any]) -> CellRecord:
    def part(*names: str) -> dict[str, str]:
        return {name: _text(row[name]) for name in names}

    return CellRecord(
        id=row["cell"],
        **part("paper", "table", "dataset", "setting", "method", "metric", "unit", "reason"),
        settings=_settings(row),
        published=Published(
            mean=row["published"], std=_number(row["published_std"]), seen=_text(row["seen"])
        ),
        ours=Ours(mean=_number(row["ours"]), std=_number(row["ours_std"]), runs=int(row["runs"])),
        difference=_number(row["difference"]),
        tolerance=_number(row["tolerance"]),
        verdict=row["verdict"],
        provenance=Provenance(
            kind=_text(row["provenance"]),
            source=_text(row["data_source"]),
            results=_text(row["source"]),
            **part("data", "seed", "code", "target"),
        ),
    )


def ledger_json(ledger: pd.DataFrame) -> str:
    """Return the ledger of one or all papers as JSON text; two cells with one id are refused."""
    repeated = ledger.loc[ledger["cell"].duplicated(), "cell"]
    if len(repeated):
        raise ValueError(f"two published cells have the id {repeated.iloc[0]}; ids must be unique")
    rows = [{str(key): value for key, value in row.items()} for row in ledger.to_dict("records")]
    document = LedgerDocument(cells=[_record(row) for row in rows])
    value = document.model_dump(mode="json", by_alias=True)
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def schema_json() -> str:
    """Return the schema of :func:`ledger_json` as JSON text."""
    schema = {"$schema": _DIALECT, **LedgerDocument.model_json_schema(by_alias=True)}
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
