"""A surrogate is called one wherever a page names its data set."""

import json

import pandas as pd
import pytest

from reproduction.pages import data_names
from reproduction.pages.data_names import DataNames, marked

PLAIN = {"cora": "Cora", "reuters": "Reuters (600)", "nell_mv": "NELL_mv (surrogate)"}


@pytest.fixture(autouse=True)
def registry(monkeypatch):
    entries = {key: {"name": name} for key, name in PLAIN.items()}
    monkeypatch.setattr(data_names, "load_registry", lambda: entries)


def write_kinds(folder, monkeypatch, paper, kinds):
    place = folder / paper / "provenance.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({key: {"kind": kind} for key, kind in kinds.items()}))
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(folder))


def test_a_name_is_marked_once():
    assert [marked(name, "surrogate") for name in PLAIN.values()] == [
        "Cora (surrogate)", "Reuters (600, surrogate)", "NELL_mv (surrogate)",
    ]  # fmt: skip
    assert marked("Digits", "stand-in") == "Digits (stand-in)"
    assert marked("Cora", "same") == "Cora"


def test_names_follow_what_the_data_were(tmp_path, monkeypatch):
    names = DataNames("mvplsa", list(PLAIN))
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tmp_path))
    assert dict(names) == PLAIN  # nothing is known of the data
    write_kinds(tmp_path, monkeypatch, "mvplsa", {"cora": "same", "reuters": "subset"})
    assert dict(names) == PLAIN
    write_kinds(tmp_path / "other", monkeypatch, "mvplsa", {"cora": "surrogate"})
    assert names["cora"] == "Cora (surrogate)"
    assert names.plain["cora"] == "Cora"
    assert pd.Series(["cora", "reuters"]).map(names).tolist() == [
        "Cora (surrogate)", "Reuters (600)",
    ]  # fmt: skip
