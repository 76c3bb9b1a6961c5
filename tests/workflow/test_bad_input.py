"""Wrong input ends in a text that says what to do, and leaves nothing behind."""

import pytest

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-bad-input")]

REAL_ONLY = {"source": "real", "mirrors": [], "network": False}


def test_real_data_only_and_no_source_has_it(project):
    done = project.quick("--cores", "1", "--", "build/quick/views/cora.npz", data=REAL_ONLY)
    assert done.returncode != 0
    for text in ("cora", "mirror", "tried, in order"):
        assert text in (done.stdout + done.stderr).lower()
    assert not list((project.root / "data" / "raw").glob("cora*"))


def test_an_unknown_data_set_is_named_with_the_nearest_known_one(project):
    done = project.quick("--cores", "1", "--", "data/raw/corra/PROVENANCE.json")
    assert done.returncode != 0
    assert "corra" in done.stdout + done.stderr
    assert "cora" in (done.stdout + done.stderr).replace("corra", "")
    assert not (project.root / "data" / "raw" / "corra").exists()


def test_the_number_of_cores_does_not_change_a_byte(project):
    targets = [
        "build/quick/views/cornell.npz",
        "build/quick/views/product_review.npz",
        "build/quick/results/twoview_pa/product_review/published.csv",
        "build/quick/results/twoview_pa/product_review/published.json",
    ]
    project.build(*targets, cores=2)
    first = {target: (project.root / target).read_bytes() for target in targets}
    for target in targets:
        (project.root / target).unlink()
    project.build(*targets, cores=1)
    assert first == {target: (project.root / target).read_bytes() for target in targets}
