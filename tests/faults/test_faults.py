"""The list of seeded faults fits the sources; the tests they name pass without a fault."""

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from run_faults import WANTED, Fault, Workshop, _words, load_faults, score, together

from reproduction.files import ROOT
from reproduction.pages.evidence import read_evidence

FAULTS = load_faults()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_can_be_seeded_and_names_tests_that_exist(fault, tmp_path):
    target = tmp_path / fault.file
    target.parent.mkdir(parents=True)
    shutil.copy(ROOT / "src" / fault.file, target)
    fault.apply(tmp_path)
    compile(target.read_text(encoding="utf-8"), fault.file, "exec")
    for word in _words(fault.tests):
        if word.startswith("tests/"):
            assert (ROOT / word.partition("::")[0]).exists(), word


def test_the_faults_are_many_and_spread():
    areas = {fault.area for fault in FAULTS}
    assert len(FAULTS) >= 60
    assert {"kernels", "metrics", "protocols", "claims", "ledger", "readers", "pages"} <= areas


def test_a_text_that_is_not_there_is_named(tmp_path):
    (tmp_path / "m.py").write_text("x = 1\n")
    with pytest.raises(ValueError, match="holds its text 0 times"):
        Fault("f", "a", "m.py", "y = 1", "y = 2", "").apply(tmp_path)


def test_a_fault_is_put_in_and_taken_out(tmp_path):
    fault = next(fault for fault in FAULTS if fault.file == "manyviews/seeding.py")
    shop = Workshop(tmp_path)
    path = tmp_path / "src" / fault.file
    before, when = path.read_text(encoding="utf-8"), path.stat().st_mtime_ns
    assert shop.noticed(fault.tests) == ""
    with shop.fault(fault):
        assert path.read_text(encoding="utf-8") != before
        assert "test_seeding.py::" in shop.noticed(fault.tests)
    assert path.read_text(encoding="utf-8") == before
    assert path.stat().st_mtime_ns == when
    assert (ROOT / "src" / fault.file).read_text(encoding="utf-8") == before
    with pytest.raises(ValueError, match="did not run"):
        shop.noticed("tests/library/test_seeding.py -k no_such_test")


def test_calls_are_put_together_without_losing_a_test():
    asked = ["a.py", "b.py c.py", "d.py -k one", "d.py -k two or three", "a.py -k four"]
    assert together(asked) == ["a.py b.py c.py", "d.py -k (one) or (two or three)"]
    assert together(["d.py -k one"]) == ["d.py -k (one)"]


def test_the_score_counts_areas_and_names_the_missed():
    faults = [Fault(n, area, "", "", "", "") for n, area in (("a", "x"), ("b", "x"), ("c", "y"))]
    figures = score(faults, {"a": "test_a", "b": "", "c": "test_c"})
    assert figures == {
        "seeded": 3, "caught": 2, "missed": ["b"],
        "areas": {"x": {"seeded": 2, "caught": 1}, "y": {"seeded": 1, "caught": 1}},
    }  # fmt: skip


def test_the_committed_score_is_one_of_these_faults():
    figures = read_evidence("faults").get("figures")
    if not figures:
        pytest.skip("no score yet: run `make faults`")
    assert set(figures["missed"]) <= {fault.name for fault in FAULTS}
    assert figures["caught"] == figures["seeded"] - len(figures["missed"])
    assert figures["caught"] >= WANTED * figures["seeded"]
