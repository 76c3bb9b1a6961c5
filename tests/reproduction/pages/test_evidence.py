"""The page on reliability shows what runs have measured, and nothing else."""

from reproduction.files import ROOT
from reproduction.pages import evidence
from reproduction.pages.page import write_page


def test_figures_are_those_of_the_files_and_others_are_not_measured(tmp_path):
    assert evidence.mutants_frame(tmp_path).empty
    assert evidence.shortcomings(tmp_path) == "Nothing that was measured went wrong."
    known = {"equivalent": [], "commit": "abc", "caught at first": 1}
    rooms = {
        "pages": {"made": 3, "caught": 2, "missed": ["a wrong colour"], **known},
        "kernels": {"made": 1, "caught": 1, "missed": [], **known},
    }
    evidence.record("mutants", "make mutants", {"rooms": rooms}, "abc", tmp_path)
    frame = evidence.summary_frame(tmp_path).set_index("what")
    told = frame.loc["Random mutants", ["tried", "outcome", "commit"]]
    assert (told["tried"], told["commit"]) == ("4 mutants in 2 rooms", "abc")
    assert told["outcome"].startswith("2 caught at first, 3 after")
    others = frame.drop("Random mutants")
    assert set(others["tried"]) == set(others["outcome"]) == {"not measured"}
    assert evidence.mutants_frame(tmp_path)["caught"].sum() == 3
    assert evidence.shortcomings(tmp_path) == "* Random mutants: `a wrong colour`"


def test_what_is_kept_is_told_by_a_page_that_needs_no_results(tmp_path):
    commands = {entry["name"]: entry["command"] for entry in evidence.MEASUREMENTS}
    for path in evidence.EVIDENCE.glob("*.json"):
        assert evidence.read_evidence(path.stem)["command"] == commands[path.stem]
    page = tmp_path / "reliability.html"
    write_page(ROOT / "notebooks" / "reliability.ipynb", page, results=tmp_path, stamp={})
    assert all(command in page.read_text(encoding="utf-8") for command in commands.values())
