"""The configuration is checked whole, before anything runs."""

from pathlib import Path

import pytest

from reproduction.files import ROOT
from reproduction.results.settings import documented
from reproduction.workflow.config import (
    CONFIG_README,
    DEFAULT_CONFIG,
    KEPT,
    Config,
    ConfigError,
    config_file,
    load_config,
    mirror_folders,
    read_config,
    settings_text,
    source_file,
    with_types,
)

QUICK = ROOT / "config" / "quick.yaml"


def test_both_configurations_are_valid_and_write_to_different_folders():
    full, quick = load_config(), load_config(QUICK)
    assert full.name != quick.name
    assert full.size == "full"
    assert quick.size == "quick"
    for folder in ("views", "results", "reports"):
        assert getattr(full.output, folder) != getattr(quick.output, folder)


def test_an_empty_configuration_is_the_papers_own():
    assert read_config({"name": "full"}) == load_config()


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"data": {"network": "no"}}, "data.network: 'no'"),
        ({"data": {"surrogate_scale": 1.5}}, "less than or equal to 1"),
        ({"data": None}, "data: None"),
        ({"papers": {"mvpsla": {}}}, "papers.mvpsla: unknown paper; known: "),
        ({"papers": {"mvplsa": 3}}, "papers.mvplsa: 3: input should be a valid dictionary"),
        ({"papers": []}, "papers: []"),
        (
            {"papers": {"twoview_pa": {"choices": {"C": [0.1, 1, 0.1]}}}},
            "papers.twoview_pa.choices.C: 0.1 is listed twice; list it once",
        ),
        ({"data": {"miror": [], "network": 3}, "size": "huge"}, "size: 'huge'"),
    ],
)
def test_wrong_values_are_named_with_what_is_allowed(given, text):
    with pytest.raises(ConfigError) as error:
        read_config(given)
    assert text in str(error.value)
    assert "config/README.md explains every key" in str(error.value)


@pytest.mark.parametrize("key", ["views", "results", "reports"])
def test_folders_that_are_not_the_workflows_are_refused(key):
    outside = ["../out", "/tmp/out", "a/../../b", "", ".", "data", "data/", "a\\b"]
    for folder in (*outside, *KEPT, "src/reproduction/out", "./src", "tests//x"):
        with pytest.raises(ConfigError, match=rf"output\.{key}: "):
            read_config({"output": {key: folder}})


def test_unreadable_files(tmp_path):
    with pytest.raises(ConfigError, match="cannot read"):
        load_config(tmp_path / "none.yaml")
    path = tmp_path / "bad.yaml"
    for text, problem in (
        ("a: [1", "not valid YAML"),
        ("- a\n", "holds no mapping"),
        ("name: a\nname: b\n", "the key 'name' is given twice"),
        ("data: {user: a, user: b}\n", "the key 'user' is given twice"),
    ):
        path.write_text(text)
        with pytest.raises(ConfigError, match=problem):
            load_config(path)


def test_every_key_is_described_and_stands_on_the_page_on_settings():
    assert all(entry.description for entry in documented(Config))
    text = CONFIG_README.read_text(encoding="utf-8")
    assert text == settings_text(), "run: python -m reproduction settings --write"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3), ("1e-3", "1e-3"), ("1.0e-3", 0.001), ("true", True), ("null", None), ("~", None),
        ("", ""), ("2026-01-02", "2026-01-02"), ("a: b", "a: b"), ("[", "["),
        (["1", "x"], [1, "x"]), ({"a": "1"}, {"a": 1}),
    ],
)  # fmt: skip
def test_a_text_of_the_command_line_is_read_as_yaml_reads_it(text, value):
    """What a file gave is left alone, and so is the input."""
    given = {"data": {"key": text, "other": "2"}, "more": "4"}
    config = {"data": {"key": text, "user": "5", "other": "7"}, "name": "7"}
    expected = {"data": {"key": value, "user": "5", "other": "7"}, "name": "7"}
    assert with_types(config, given) == expected
    assert config["data"]["key"] == text


def test_files_of_the_repository_and_of_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert source_file("notebooks", "data.ipynb") == "notebooks/data.ipynb"
    assert len(mirror_folders(["data/mirror"])) == 1
    monkeypatch.chdir(tmp_path)
    assert source_file("notebooks", "data.ipynb") == str(ROOT / "notebooks" / "data.ipynb")
    mirrors = [Path("data/mirror"), ROOT / "data" / "mirror", Path("/far")]
    assert mirror_folders(["data/mirror", "/far"]) == mirrors
    assert config_file() == str(DEFAULT_CONFIG)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.yaml").touch()
    assert config_file() == "config/config.yaml"
