"""The data page's tables, on a small measured world."""

import json

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from reproduction.data.entry import Statistics
from reproduction.data.format import MultiViewData
from reproduction.data.registry import Registry, load_registry
from reproduction.data.statistics import describe
from reproduction.pages import data as page

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


def test_what_is_trained_on_is_not_tested_on(measured):
    sizes = pd.DataFrame({"statistic": ["documents", "test_documents"], "value": [12.0, 5.0]})
    assert page._built(sizes, "train") == 7.0


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
    standing = [dataset.role == "stand_in" for dataset in page.group_datasets("twoview_pa")]
    assert standing == sorted(standing)
    assert any(standing)
