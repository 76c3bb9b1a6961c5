"""Every way to forge a run is refused by name, and an honest run passes."""

import shutil

import numpy as np
import pytest
from small_run import build
from tampering import FORGERIES, refusal, rooms_of

pytestmark = pytest.mark.xdist_group("tampering")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    # fixed data: the forgeries edit values they expect to find
    return build(tmp_path_factory.mktemp("small") / "run", np.random.default_rng(0))


def test_an_honest_run_passes_with_and_without_its_results(run, tmp_path):
    with rooms_of(run):
        assert run.problems() == []
    clone = run.copy(tmp_path / "clone")
    for folder in ("results", "views", "raw"):
        shutil.rmtree(clone.root / folder)
    with rooms_of(clone):
        assert clone.problems() == []


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_refused_by_name(run, tmp_path, name):
    assert refusal(run, name, tmp_path / "forged"), "nobody noticed"
