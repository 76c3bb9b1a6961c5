"""A surrogate is called one wherever a page names its data set."""

import json

import pandas as pd

from reproduction.pages.data_names import DataNames, marked
from reproduction.papers import (
    coplsa_clustering,
    coplsa_multimodal,
    multiview_hier,
    mvplsa,
    twoview_pa,
)

PLAIN = {"cora": "Cora", "reuters": "Reuters (600)", "nell_mv": "NELL_mv (surrogate)"}


def write_kinds(folder, monkeypatch, paper, kinds):
    place = folder / paper / "provenance.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({key: {"kind": kind} for key, kind in kinds.items()}))
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(folder))


def test_a_name_is_marked_once():
    assert [marked(name) for name in PLAIN.values()] == [
        "Cora (surrogate)", "Reuters (600, surrogate)", "NELL_mv (surrogate)",
    ]  # fmt: skip


def test_names_follow_what_the_data_were(tmp_path, monkeypatch):
    names = DataNames("mvplsa", PLAIN)
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tmp_path))
    assert dict(names) == PLAIN  # nothing is known of the data
    write_kinds(tmp_path, monkeypatch, "mvplsa", {"cora": "original", "reuters": "differs"})
    assert dict(names) == PLAIN
    write_kinds(tmp_path / "other", monkeypatch, "mvplsa", {"cora": "surrogate"})
    assert names["cora"] == "Cora (surrogate)"
    assert names.plain["cora"] == "Cora"
    assert pd.Series(["cora", "reuters"]).map(names).tolist() == [
        "Cora (surrogate)", "Reuters (600)",
    ]  # fmt: skip


def test_every_paper_marks_its_surrogates(tmp_path, monkeypatch):
    for module in (coplsa_clustering, coplsa_multimodal, mvplsa, twoview_pa):
        names = module.NAMES
        kinds = dict.fromkeys(names, "surrogate")
        write_kinds(tmp_path, monkeypatch, module.__name__.rpartition(".")[2], kinds)
        assert all("surrogate" in name for name in names.values())
    kinds = dict.fromkeys(multiview_hier.NAMES, "surrogate")
    write_kinds(tmp_path, monkeypatch, "multiview_hier", kinds)
    assert all("surrogate" in multiview_hier.shown_name(key) for key in multiview_hier.NAMES)
