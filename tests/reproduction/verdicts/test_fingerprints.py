"""Counts that the papers print of their data, held against the views built from the real files.

A count identifies a construction without a look at any score. ``counts.csv`` in a paper's room has
one a row; ``49.2K`` is rounded.
"""

import pandas as pd
import pytest

from reproduction.data.build import build_views
from reproduction.data.fetch import fetch
from reproduction.data.places import Places
from reproduction.data.registry import load_registry
from reproduction.files import ROOT
from reproduction.rooms import paper_keys, room

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


def printed_range(printed):
    """The smallest and the largest count that print as this: 49.2K is 49150 to 49250."""
    unit = {"K": 1000, "M": 1_000_000}.get(printed[-1], 1)
    digits = printed.rstrip("KM")
    half = 0.5 * 10.0 ** -len(digits.partition(".")[2]) if unit > 1 else 0.0
    return (float(digits) - half) * unit, (float(digits) + half) * unit


def measure(data, what, view):
    if what.startswith("in "):
        return (data.labels == data.class_names.index(what.removeprefix("in "))).sum()
    test = data.rows.get("is_test", pd.Series(False, range(data.n_rows))).astype(bool)
    present = data.rows.get(f"{view}_present", pd.Series(True, range(data.n_rows))).astype(bool)
    return {
        "documents": lambda: data.n_rows,
        "classes": lambda: len(data.class_names),
        "smallest class": lambda: pd.Series(data.labels).value_counts().min(),
        "training": lambda: (~test).sum(),
        "test": lambda: test.sum(),
        "features": lambda: data.views[view].shape[1],
        "pairs": lambda: data.views[view].nnz,
        "values": lambda: present.sum() * data.views[view].shape[1],
    }[what]()


@pytest.mark.parametrize("key", REAL)
def test_real_files_meet_print(tmp_path, key):
    registry, mirrors = load_registry(), [folder for folder in MIRRORS if folder.is_dir()]
    provenance = fetch(key, registry=registry, raw_dir=tmp_path, places=Places(mirrors))
    if provenance["source"] == "surrogate":
        pytest.skip(f"no mirror on this machine has {key}")
    built = build_views(
        key, raw_dir=tmp_path / key, registry_entry=registry[key], provenance=provenance
    )
    lists = [room(paper) / "counts.csv" for paper in paper_keys()]
    counts = pd.concat(
        [pd.read_csv(path, dtype=str, keep_default_na=False) for path in lists if path.is_file()]
    )
    missed = set()
    for row in counts[counts["dataset"] == key].itertuples():
        low, high = printed_range(row.printed)
        if not low - 1e-6 <= measure(built, row.what, row.view) <= high + 1e-6:
            missed.add((row.what, row.view))
    assert missed == REAL[key]
    assert (counts["dataset"] == key).any()
