"""The list of seeded faults fits the sources; the tests they name pass without a fault."""

import json
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from run_faults import SCORE, Fault, _words, load_faults

from reproduction.files import ROOT

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


def test_the_score_is_one_of_these_faults():
    """The committed score speaks of faults that are still in the list."""
    if not SCORE.is_file():
        pytest.skip("no score yet: run python tests/faults/run_faults.py")
    score = json.loads(SCORE.read_text(encoding="utf-8"))
    assert set(score["missed"]) <= {fault.name for fault in FAULTS}
    assert score["seeded"] - len(score["missed"]) >= 0.95 * score["seeded"]
