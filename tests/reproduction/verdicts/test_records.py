"""The ledger as JSON says what the CSV says, and obeys its schema."""

import json

import jsonschema
import pandas as pd
import pytest

from reproduction.results.rows import table_text
from reproduction.rooms import tables_of
from reproduction.verdicts.ledger import LEDGER_COLUMNS
from reproduction.verdicts.records import SCHEMA_FILE, ledger_json, schema_json


@pytest.fixture(scope="module")
def ledger(whole):
    return pd.concat(whole[1].values(), ignore_index=True)


@pytest.fixture(scope="module")
def cells(ledger):
    return json.loads(ledger_json(ledger))["cells"]


def test_it_obeys_its_schema(ledger):
    schema = json.loads(schema_json())
    jsonschema.Draft202012Validator.check_schema(schema)
    document = json.loads(ledger_json(ledger))
    assert document["$schema"] == SCHEMA_FILE
    jsonschema.validate(document, schema)
    document["cells"][0]["text"]["agreement"] = "splendid"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema)


OF_A_READING = ("runs", "stable", "protocol", "agreement")


def flat(cell):
    """A record as the CSV's columns."""
    where = cell["provenance"]
    return {
        "cell": cell["id"], "seen": cell["published"]["seen"],
        **{key: cell[key] for key in (
            "paper", "table", "dataset", "setting", "method", "metric", "unit", "data", "reason",
            "repeats",
        )},
        "rule_digest": cell["rule"],
        "published": cell["published"]["mean"], "published_std": cell["published"]["std"],
        "published_runs": cell["published"]["runs"],
        **{key: value for key, value in cell["difference"].items() if key != "value"},
        "difference": cell["difference"]["value"],
        "ours": cell["inferred"]["mean"], "ours_std": cell["inferred"]["std"],
        **{key: cell["inferred"][key] for key in OF_A_READING},
        "text_ours": cell["text"]["mean"], "text_std": cell["text"]["std"],
        **{f"text_{key}": cell["text"][key] for key in OF_A_READING},
        "readings_low": cell["readings"]["low"], "readings_high": cell["readings"]["high"],
        "n_readings": cell["readings"]["number"],
        "data_key": where["data"], "data_source": where["source"], "source": where["results"],
        **{key: where[key] for key in ("seed", "code", "target")},
    }  # fmt: skip


def test_it_says_what_the_csv_says(ledger, cells):
    rebuilt = pd.DataFrame([flat(cell) for cell in cells], columns=list(LEDGER_COLUMNS))
    assert table_text(rebuilt) == table_text(ledger[list(LEDGER_COLUMNS)])


def test_settings_are_typed_and_only_the_papers_own(ledger, cells):
    for cell, row in zip(cells, ledger.to_dict("records"), strict=True):
        own = {name: row[name] for name in tables_of(cell["paper"]).columns if name in row}
        assert cell["settings"] == {k: v for k, v in own.items() if v == v and v != ""}
    assert any(isinstance(v, float) for cell in cells for v in cell["settings"].values())


def test_a_repeated_id_is_refused(ledger):
    with pytest.raises(ValueError, match="ids must be unique"):
        ledger_json(pd.concat([ledger, ledger.iloc[[0]]], ignore_index=True))
