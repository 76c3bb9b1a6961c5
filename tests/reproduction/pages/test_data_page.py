"""The data page's tables and figures, on a small measured world."""

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
from reproduction.pages.data_addresses import addresses_frame
from reproduction.rooms import find_papers, paper_keys
from reproduction.verdicts.data_facts import data_facts

REGISTRY = load_registry()


def small(key, name):
    """A data set with the registry's views and twelve documents."""
    views = REGISTRY[key].views
    filled = sp.csr_matrix(np.kron(np.eye(2), np.ones((6, 3))))
    labels = np.repeat([0, 1], 6)
    return MultiViewData(
        name, dict.fromkeys(views, filled), labels, ["course", "non-course"], [*map(str, range(12))]
    )


@pytest.fixture(scope="module")
def measured():
    keys = REGISTRY.view_keys()
    return pd.concat([describe(small(key.partition(".")[0], key)) for key in keys])


@pytest.fixture
def world(tmp_path, monkeypatch, measured):
    """Results, published statistics and provenances of every data set."""
    results = tmp_path / "results"
    (results / "data").mkdir(parents=True)
    measured.to_csv(results / "data" / "statistics.csv", index=False)
    printed = {
        "cornell": {"documents": 12, "class_size": {"course": 8}, "features": {"nothing": 8},
                    "sample_percent": 8},
        "washington": {"documents": 12},
        "newsgv2": {"features": {"v1": 10}},
        "newsgv4": {"features": {"v1": 6}},
    }  # fmt: skip
    changed = {
        key: dataset.model_copy(
            update={"statistics": {"T": Statistics(**printed[key])} if key in printed else {}}
        )
        for key, dataset in REGISTRY.datasets.items()
    }
    monkeypatch.setattr(page, "load_registry", lambda: Registry(changed))
    same = {"role": "paper", "comparable": "same", "where": "here", "differences": "none"}
    origins = {
        "cornell": {"source": "mirror", **same},
        "washington": {"source": "surrogate", **same},
    }
    (results / "data" / "provenance.json").write_text(json.dumps(origins))
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(results))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_published_and_built_are_compared(world):
    frame = page.comparison_frame("mvplsa").set_index(["data set", "statistic"])
    assert frame.loc[("cornell", "documents"), "note"] == "the same"
    course = frame.loc[("cornell", "class size: course")]
    assert (course["built"], course["note"]) == (6, "differs")
    assert course["difference, %"] == pytest.approx(-25)
    assert frame.loc[("cornell", "features, view “nothing”"), "note"] == "not in these views"
    assert frame.loc[("cornell", "sample percent"), "note"] == "protocol"


def test_surrogates_do_not_count_as_agreement(world):
    # cornell: documents met, course differs; newsgv4 met, newsgv2 differs; washington is drawn.
    assert page.agreement("mvplsa") == (2, 4)


def test_provenance_names_the_kind(world):
    frame = page.provenance_frame().set_index("data set")
    assert frame.loc["cornell", "kind"] == "same"
    assert frame.loc["washington", "kind"] == "surrogate"
    assert frame.loc["cora", "kind"] == "not fetched"
    served = {"source": "mirror"}
    stand_in = next(d for d in REGISTRY.values() if d.role == "stand_in")
    assert page.kind_of(stand_in, served) == "stand-in"
    drawn = next(d for d in REGISTRY.values() if d.comparable == "own_draw")
    assert page.kind_of(drawn, served) == data_facts(drawn.key, drawn, served).kind == "same"
    beyond = next(d for d in REGISTRY.values() if d.role == "extra")
    assert page.kind_of(beyond, {}) == page.kind_of(beyond, served) == "beyond the papers"
    assert frame.loc[beyond.key, "kind"] == "beyond the papers"


def test_sanity_is_measured_above_the_majority(world):
    frame = page.sanity_frame("mvplsa")
    cornell = frame[frame["data set"] == "Cornell"].set_index("view")
    assert cornell.loc["content", "accuracy, %"] == 100
    assert cornell.loc["content", "above majority, points"] == 50
    assert np.isnan(cornell.loc["majority", "above majority, points"])


@pytest.mark.parametrize("paper", paper_keys())
def test_every_paper_has_its_pictures(world, paper):
    datasets = page.group_datasets(paper)
    standing = [dataset.is_stand_in for dataset in datasets]
    assert standing == sorted(standing)
    (axis,) = page.sparsity_figure(paper).axes
    views = sum(len(dataset.views) for dataset in datasets)
    assert len(axis.get_yticklabels()) == views


def test_own_data_have_a_section_of_their_own(world, monkeypatch):
    files = [{"path": "a.csv", "view": view} for view in REGISTRY["cora"].views]
    entry = {"key": "cora", "name": "Mine", "role": "own", "files": files}
    mine = Dataset.model_validate({**entry, "key": "mine"})
    own = Registry({**REGISTRY.datasets, "mine": mine})
    monkeypatch.setattr(page, "load_registry", lambda: own)
    assert page.group_datasets("own") == []  # nothing of it is built yet
    statistics = page.load_statistics()
    mine = statistics[statistics["data_set"] == "cora"].assign(data_set="mine")
    monkeypatch.setattr(page, "load_statistics", lambda: pd.concat([statistics, mine]))
    assert [dataset.name for dataset in page.group_datasets("own")] == ["Mine"]
    shown = []
    monkeypatch.setattr(page, "show_group", shown.append)
    page.show_groups()
    assert shown[: len(find_papers())] == list(find_papers())
    assert shown[-1] == "own"
    assert page.kind_of(own["mine"], {"source": "own"}) == "your own data"
    assert set(page.sanity_frame("own")["data set"]) == {"mine"}


def test_every_address_is_listed_and_editions_say_how_they_differ():
    frame = addresses_frame()
    assert set(frame["data set"]) == {d.key for d in REGISTRY.values() if d.files or d.editions} - {
        "nus_wide"
    }
    cora = frame[frame["data set"] == "cora"]
    assert "github.com/tkipf/pygcn at 1600b5b748" in set(cora["address"])
    assert cora["what it gives"].str.startswith("other files: ").sum() == 1
    assert (frame["independent addresses"] >= 0).all()
    unchecked = frame[frame["what it gives"].str.contains("not checked")]
    assert len(unchecked)
    assert not unchecked["what it gives"].str.contains(".,", regex=False).any()
