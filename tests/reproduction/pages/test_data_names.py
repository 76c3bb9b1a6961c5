"""A surrogate is called one wherever a page names its data set."""

import json

import pytest

from reproduction.pages import data_names
from reproduction.pages.data_names import DataNames, marked

PLAIN = {"cora": "Cora", "reuters": "Reuters (600)", "nell_mv": "NELL_mv (surrogate)"}


@pytest.mark.parametrize(
    ("name", "kind", "shown"),
    [
        ("Cora", "surrogate", "Cora (surrogate)"),
        ("Reuters (600)", "surrogate", "Reuters (600, surrogate)"),
        ("NELL_mv (surrogate)", "surrogate", "NELL_mv (surrogate)"),
        ("Digits", "stand-in", "Digits (stand-in)"),
        ("Cora", "same", "Cora"),
    ],
)
def test_a_name_is_marked_once(name, kind, shown):
    assert marked(name, kind) == shown


def test_names_follow_what_the_data_were(tmp_path, monkeypatch):
    entries = {key: {"name": name} for key, name in PLAIN.items()}
    monkeypatch.setattr(data_names, "load_registry", lambda: entries)
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tmp_path))
    names = DataNames("mvplsa", list(PLAIN))
    assert dict(names) == PLAIN  # nothing is known of the data
    (tmp_path / "mvplsa").mkdir()
    kinds = {"cora": {"kind": "surrogate"}, "reuters": {"kind": "subset"}}
    (tmp_path / "mvplsa" / "provenance.json").write_text(json.dumps(kinds))
    assert dict(names) == PLAIN | {"cora": "Cora (surrogate)"}
    assert names.plain == PLAIN
