"""The page on reliability shows what runs have measured, and nothing else."""

import json

import pytest

from reproduction.files import ROOT
from reproduction.pages import reliability
from reproduction.pages.evidence import EVIDENCE, read_evidence, record
from reproduction.pages.page import write_page


def test_figures_are_those_of_the_files_and_others_are_not_measured(tmp_path):
    assert reliability.mutants_frame(tmp_path).empty
    assert reliability.shortcomings(tmp_path) == "Nothing that was measured went wrong."
    rooms = {"pages": {"made": 3, "caught": 2}, "kernels": {"made": 1, "caught": 1}}
    figures = {"rooms": rooms, "missed": ["a wrong colour"]}
    record("mutants", "make mutants", figures, "abc", tmp_path)
    frame = reliability.summary_frame(tmp_path).set_index("what")
    told = frame.loc["Random mutants", ["tried", "outcome", "commit"]]
    assert list(told) == ["4 mutants in 2 rooms", "3 caught", "abc"]
    others = frame.drop("Random mutants")
    assert set(others["tried"]) == set(others["outcome"]) == {"not measured"}
    assert reliability.mutants_frame(tmp_path)["caught"].sum() == 3
    assert reliability.shortcomings(tmp_path) == "* Random mutants: a wrong colour"


@pytest.mark.parametrize("text", ["[]", "{}", "no"])
def test_a_file_that_is_no_measurement_is_named(tmp_path, text):
    (tmp_path / "kills.json").write_text(text)
    with pytest.raises(ValueError, match=r"kills\.json is no measurement"):
        read_evidence("kills", tmp_path)


@pytest.mark.parametrize("path", sorted(EVIDENCE.glob("*.json")), ids=lambda path: path.stem)
def test_what_is_kept_can_be_told(path):
    entry = next(each for each in reliability.MEASUREMENTS if each["name"] == path.stem)
    figures = json.loads(path.read_text(encoding="utf-8"))["figures"]
    assert "{" not in "".join(reliability.tell(entry, w, figures) for w in ("tried", "outcome"))
    assert read_evidence(path.stem)["command"] == entry["command"]


def test_the_page_is_written_without_results(tmp_path):
    page = tmp_path / "reliability.html"
    write_page(ROOT / "notebooks" / "reliability.ipynb", page, results=tmp_path, stamp={})
    text = page.read_text(encoding="utf-8")
    assert "Random mutants" in text
    assert "make chaos ARGS=kills" in text
