"""Printed counts against views: what rounds to print is met, and the real data says which are."""

import numpy as np
import pytest
import scipy.sparse as sp

from reproduction.data.build import build_views
from reproduction.data.fetch import fetch
from reproduction.data.format import MultiViewData
from reproduction.data.gather import Places
from reproduction.data.registry import load_registry
from reproduction.files import ROOT
from reproduction.rooms import paper_keys
from reproduction.verdicts.fingerprints import (
    COLUMNS,
    MET,
    MISSED,
    NOT_BUILT,
    CountError,
    fingerprints,
    load_counts,
    measure,
    printed_range,
)

MIRRORS = [ROOT / "data" / "mirror", ROOT.parent / "shared" / "data"]
#: Data sets whose builders are fast, and their printed counts that no released file meets.
REAL = {
    "cora": set(),
    "webkb": set(),
    "leaves": {("values", "margin"), ("values", "texture")},
    "cornell": {("in course", "")},
    "washington": set(),
    "reuters": {("documents", "")},
}


@pytest.mark.parametrize(
    ("printed", "low", "high"),
    [("2708", 2708, 2708), ("49.2K", 49150, 49250), ("2.1M", 2.05e6, 2.15e6), ("3K", 2500, 3500)],
)
def test_print_is_a_range_of_counts(printed, low, high):
    assert printed_range(printed) == (low, high)


def small(rng):
    X = sp.random(9, 5, density=0.4, random_state=rng, format="csr")
    rows = {"is_test": np.arange(9) < 2, "words_present": np.arange(9) != 4}
    labels = np.array([0, 0, 1, 1, 1, 1, 1, 1, 1])
    return MultiViewData("toy", {"words": X}, labels, ["a", "b"], list("abcdefghi"), rows=rows)


def test_counts_by_hand(rng):
    data = small(rng)
    found = {
        what: measure(data, what, "words")
        for what in ("documents", "classes", "smallest class", "training", "test", "features",
                     "values", "in b")
    }  # fmt: skip
    assert found == {
        "documents": 9, "classes": 2, "smallest class": 2, "training": 7, "test": 2, "features": 5,
        "values": 40, "in b": 7,
    }  # fmt: skip
    assert measure(data, "pairs", "words") == np.count_nonzero(data.views["words"].toarray())


@pytest.mark.parametrize("paper", paper_keys())
def test_every_list_can_be_read(paper, tmp_path):
    assert (load_counts(paper)["place"] != "").all()
    assert set(fingerprints(tmp_path, [paper])["met"]) <= {NOT_BUILT}


@pytest.mark.parametrize(
    ("line", "said"),
    [("cora,letters,,26,Table 1,", "'letters' is not counted"), ("cora,classes,,7x,,", "no count")],
)
def test_a_wrong_line_is_named(tmp_path, line, said):
    file = tmp_path / "counts.csv"
    file.write_text(f"{','.join(COLUMNS)}\n{line}\n", encoding="utf-8")
    with pytest.raises(CountError, match=f"line 2: .*{said}"):
        load_counts("toy", file)


@pytest.mark.parametrize("key", REAL)
def test_real_files_meet_print(tmp_path, key):
    registry, mirrors = load_registry(), [folder for folder in MIRRORS if folder.is_dir()]
    provenance = fetch(key, registry=registry, raw_dir=tmp_path, places=Places(mirrors))
    if provenance["source"] == "surrogate":
        pytest.skip(f"no mirror on this machine has {key}")
    built = build_views(
        key, raw_dir=tmp_path / key, registry_entry=registry[key], provenance=provenance
    )
    built.save(tmp_path / f"{key}.npz")
    found = fingerprints(tmp_path)
    found = found[found["dataset"] == key]
    missed = found[found["met"] == MISSED]
    assert set(zip(missed["what"], missed["view"], strict=True)) == REAL[key]
    assert (missed["off"] != 0).all()
    assert (found["met"] == MET).any()
