"""The data page's tables, on a small measured world."""

import json

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from reproduction.data.entry import Dataset, Statistics
from reproduction.data.format import MultiViewData
from reproduction.data.registry import Registry, load_registry
from reproduction.data.statistics import describe
from reproduction.pages import data as page
from reproduction.rooms import paper_keys

REGISTRY = load_registry()
PRINTED = {
    "cornell": {"documents": 12, "class_size": {"course": 8}, "features": {"nothing": 8},
                "sample_percent": 8},
    "washington": {"documents": 12},
    "newsgv2": {"features": {"v1": 10}},
    "newsgv4": {"features": {"v1": 6}},
}  # fmt: skip


def small(key):
    """A data set with the registry's views, six rows of each class, two of them empty."""
    filled = np.kron(np.eye(2), np.ones((6, 3)))
    filled[[0, 6]] = 0
    views = dict.fromkeys(REGISTRY[key.partition(".")[0]].views, sp.csr_matrix(filled))
    rows = [*map(str, range(12))]
    return MultiViewData(key, views, np.repeat([0, 1], 6), ["course", "non-course"], rows)


@pytest.fixture(scope="module")
def measured():
    return pd.concat([describe(small(key)) for key in REGISTRY.view_keys()])


@pytest.fixture(autouse=True)
def world(tmp_path, monkeypatch, measured):
    """Results, published statistics and provenances of every data set."""
    results = tmp_path / "results"
    (results / "data").mkdir(parents=True)
    measured.to_csv(results / "data" / "statistics.csv", index=False)
    changed = {
        key: dataset.model_copy(
            update={"statistics": {"T": Statistics(**PRINTED[key])} if key in PRINTED else {}}
        )
        for key, dataset in REGISTRY.items()
    }
    monkeypatch.setattr(page, "load_registry", lambda: Registry(changed))
    same = {"role": "paper", "comparable": "same", "where": "here", "differences": "none"}
    origins = {
        "cornell": {"source": "mirror", **same},
        "washington": {"source": "surrogate", **same},
    }
    (results / "data" / "provenance.json").write_text(json.dumps(origins))
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(results))


def test_published_and_built_are_compared():
    frame = page.comparison_frame("mvplsa").set_index(["data set", "statistic"])
    assert frame.loc[("cornell", "documents"), "note"] == "the same"
    course = frame.loc[("cornell", "class size: course")]
    assert (course["built"], course["note"]) == (6, "differs")
    assert course["difference, %"] == pytest.approx(-25)
    assert frame.loc[("cornell", "features, view “nothing”"), "note"] == "not in these views"
    assert frame.loc[("cornell", "sample percent"), "note"] == "protocol"
    # cornell: documents met, course differs; newsgv4 met, newsgv2 differs; washington is drawn,
    # and what was drawn to meet a figure does not count
    assert page.agreement("mvplsa") == (2, 4)


def test_provenance_names_the_kind():
    kinds = page.provenance_frame().set_index("data set")["kind"]
    expected = {"cornell": "same", "washington": "surrogate", "cora": "not fetched"}
    assert kinds[list(expected)].to_dict() == expected
    served = {"source": "mirror"}
    for field, value, kind in (
        ("role", "stand_in", "stand-in"),
        ("comparable", "own_draw", "same"),
        ("role", "extra", "beyond the papers"),
    ):
        found = next(d for d in REGISTRY.values() if getattr(d, field) == value)
        assert page.kind_of(found, served) == kind


@pytest.mark.parametrize("paper", paper_keys())
def test_every_view_is_measured_above_the_majority(paper):
    datasets = page.group_datasets(paper)
    standing = [dataset.role == "stand_in" for dataset in datasets]
    assert standing == sorted(standing)
    frame = page.views_frame(paper)
    sizes = frame[frame["columns"].notna()]
    assert len(sizes) == sum(len(d.views) * len(d.view_keys) for d in datasets)
    assert sizes["columns"].eq(6).all()
    assert sizes["filled, %"].to_numpy() == pytest.approx(100 * 30 / 72)
    assert sizes["empty rows"].eq(2).all()
    gained = frame["accuracy, %"] - frame["above majority, points"]
    majority = frame["view"] == "majority"
    assert frame.loc[majority, "above majority, points"].isna().all()
    assert gained[~majority].to_numpy() == pytest.approx(50)


def test_own_data_have_a_section_of_their_own(monkeypatch, measured):
    files = [{"path": "a.csv", "view": view} for view in REGISTRY["cora"].views]
    entry = {"key": "mine", "name": "Mine", "role": "own", "files": files}
    own = Registry({**REGISTRY, "mine": Dataset.model_validate(entry)})
    monkeypatch.setattr(page, "load_registry", lambda: own)
    assert page.group_datasets("own") == []  # nothing of it is built yet
    mine = measured[measured["data_set"] == "cora"].assign(data_set="mine")
    monkeypatch.setattr(page, "load_statistics", lambda: mine)
    assert page.group_datasets("own") == [own["mine"]]
    assert page.kind_of(own["mine"], {"source": "own"}) == "your own data"
    assert set(page.views_frame("own")["data set"]) == {"mine"}


def test_every_address_is_listed_and_editions_say_how_they_differ(monkeypatch):
    monkeypatch.setattr(page, "load_registry", lambda: REGISTRY)
    frame = page.addresses_frame()
    assert set(frame["data set"]) == {d.key for d in REGISTRY.values() if d.files or d.editions} - {
        "nus_wide"
    }
    cora = frame[frame["data set"] == "cora"]
    assert "github.com/tkipf/pygcn at 1600b5b748" in set(cora["address"])
    assert cora["what it gives"].str.startswith("other files: ").sum() == 1
