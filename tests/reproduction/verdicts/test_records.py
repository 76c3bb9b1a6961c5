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


def test_it_obeys_its_schema_and_says_what_the_csv_says(ledger):
    schema, document = json.loads(schema_json()), json.loads(ledger_json(ledger))
    jsonschema.Draft202012Validator.check_schema(schema)
    assert document["$schema"] == SCHEMA_FILE
    jsonschema.validate(document, schema)
    rebuilt = pd.DataFrame(document["cells"])[list(LEDGER_COLUMNS)]
    assert table_text(rebuilt) == table_text(ledger[list(LEDGER_COLUMNS)])
    for cell, row in zip(document["cells"], ledger.to_dict("records"), strict=True):
        own = {name: row[name] for name in tables_of(cell["paper"]).columns if name in row}
        assert cell["settings"] == {k: v for k, v in own.items() if v == v and v != ""}
    assert any(isinstance(v, float) for c in document["cells"] for v in c["settings"].values())
    document["cells"][0]["text_agreement"] = "splendid"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema)


def test_a_repeated_id_is_refused(ledger):
    with pytest.raises(ValueError, match="ids must be unique"):
        ledger_json(pd.concat([ledger, ledger.iloc[[0]]], ignore_index=True))
