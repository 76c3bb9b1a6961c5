import copy

import pytest

from reproduction.files import ROOT
from reproduction.workflow.config import (
    SCHEMA,
    ConfigError,
    check_config,
    load_config,
    overlay,
    read_yaml,
)
from reproduction.workflow.config_readme import readme_text


@pytest.fixture
def config():
    return load_config()


def test_both_configurations_are_valid_and_have_the_same_keys():
    full, quick = load_config(), load_config(ROOT / "config" / "quick.yaml")
    assert full.keys() == quick.keys()
    assert {k: v.keys() for k, v in full["papers"].items()} == {
        k: v.keys() for k, v in quick["papers"].items()
    }
    assert full["output"]["results"] != quick["output"]["results"]


def test_unknown_keys_are_refused_with_a_hint(config):
    config["data"]["miror"] = []
    with pytest.raises(ConfigError, match=r"data: unknown key 'miror'; did you mean 'mirrors'\?"):
        check_config(config)


def test_wrong_values_are_explained(config):
    config["data"]["source"] = "somewhere"
    with pytest.raises(ConfigError, match=r"data\.source.*surrogate"):
        check_config(config)


def test_missing_keys_are_named(config):
    del config["data"]["mirrors"]
    with pytest.raises(ConfigError, match="'mirrors' is a required property; add it"):
        check_config(config)


def test_unreadable_files(tmp_path):
    with pytest.raises(ConfigError, match="no file"):
        load_config(tmp_path / "none.yaml")
    (tmp_path / "bad.yaml").write_text("a: [1")
    with pytest.raises(ConfigError, match="not valid YAML"):
        load_config(tmp_path / "bad.yaml")


def test_overlay_merges_mappings_and_replaces_lists():
    base = {"a": {"b": [1, 2], "c": 1}}
    before = copy.deepcopy(base)
    assert overlay(base, {"a": {"b": [3]}}) == {"a": {"b": [3], "c": 1}}
    assert base == before


def _walk(schema, path=""):
    for key, value in schema.get("properties", {}).items():
        yield f"{path}.{key}", value
        yield from _walk(value, f"{path}.{key}")
    if isinstance(schema.get("items"), dict):
        yield from _walk(schema["items"], path + "[]")


def test_every_key_is_described_and_closed():
    schema = read_yaml(SCHEMA)
    for path, part in _walk(schema):
        assert part.get("description"), f"{path} has no description"
        if part.get("type") == "object" and "properties" in part:
            assert part.get("additionalProperties") is False, f"{path} admits unknown keys"


def test_the_readme_of_the_configuration_is_what_the_schema_says():
    text = (ROOT / "config" / "README.md").read_text(encoding="utf-8")
    assert text == readme_text(), (
        "run: python -m reproduction.workflow.config_readme config/README.md"
    )
