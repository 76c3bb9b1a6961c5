"""Values of Snakemake's command line have the types of a file."""

import pytest

from reproduction.workflow.command_line import with_types


def test_texts_of_the_command_line_get_their_types():
    given = {"data": {"network": "false", "surrogate_scale": "0.5", "source": "real"}}
    config = {"data": {**given["data"], "user": "5"}, "name": "7"}
    assert with_types(config, given) == {
        "data": {"network": False, "surrogate_scale": 0.5, "source": "real", "user": "5"},
        "name": "7",
    }
    assert config["data"]["network"] == "false", "the input is left alone"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3), ("1e-3", "1e-3"), ("1.0e-3", 0.001), ("true", True), ("null", None), ("~", None),
        ("", ""), ("2026-01-02", "2026-01-02"), ("a: b", "a: b"), ("[", "["),
        (["1", "x"], [1, "x"]), ({"a": "1"}, {"a": 1}),
    ],
)  # fmt: skip
def test_a_text_is_read_as_yaml_reads_it(text, value):
    assert with_types({"key": text}, {"key": text}) == {"key": value}


def test_what_the_command_line_did_not_give_is_left_alone():
    assert with_types({"a": "1", "b": {"c": "2"}}, {"b": {"c": "3"}, "d": "4"}) == {
        "a": "1",
        "b": {"c": "2"},
    }
