"""What a run without a mirror counts as right: a public path, and the mirror's bytes."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import run_public


@pytest.fixture
def copies(tmp_path):
    """Two copies of a project with three data sets: a public path and a mirror."""
    for place in ("public", "mirror"):
        for key in ("cora", "news", "drawn"):
            source = "surrogate" if key == "drawn" else place
            edition = "upstream" if (place, key) == ("public", "news") else ""
            folder = tmp_path / place / "data" / "raw" / key
            folder.mkdir(parents=True)
            provenance = json.dumps({"source": source, "edition": edition})
            (folder / "PROVENANCE.json").write_text(provenance)
            for views in ("build/quick/views", "data/views"):
                (tmp_path / place / views).mkdir(parents=True, exist_ok=True)
                (tmp_path / place / views / f"{key}.counts.npz").write_text(f"{key}{edition}")
    return tmp_path / "public", tmp_path / "mirror"


def test_like_is_compared_with_like(copies):
    figures = run_public.figures(*copies, [])
    assert figures == {
        "real data sets": 2,
        "by source": {"public": 2},
        "another edition": {"news": "upstream"},
        "quick views compared": 1,
        "quick views alike": 1,
        "full views compared": 1,
        "full views alike": 1,
        "wrong": [],
    }


def test_a_file_that_differs_or_is_missing_is_named(copies):
    public, _ = copies
    (public / "data/views/cora.counts.npz").write_text("other")
    (public / "build/quick/views/cora.counts.npz").unlink()
    figures = run_public.figures(*copies, [])
    assert (figures["full views alike"], figures["quick views alike"]) == (0, 0)
    assert figures["wrong"] == [
        "quick run: cora.counts.npz differs from the mirror's",
        "full run: cora.counts.npz differs from the mirror's",
    ]


@pytest.mark.parametrize("kind", ["surrogate", "mirror", "mirror+public"])
def test_what_no_public_path_served_is_named(copies, kind):
    provenance = copies[0] / "data/raw/cora/PROVENANCE.json"
    provenance.write_text(json.dumps({"source": kind, "edition": ""}))
    wrong = run_public.figures(*copies, [])["wrong"]
    assert wrong == [f"cora: served by {kind}, not through a public path"]


def test_a_data_set_that_was_not_fetched_is_named(copies):
    (copies[0] / "data/raw/cora/PROVENANCE.json").unlink()
    wrong = run_public.figures(*copies, [])["wrong"]
    assert wrong[0] == "cora: served by nothing, not through a public path"
