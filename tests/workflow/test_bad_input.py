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
    done = project.quick("--cores", "1", "--", "data/raw/corra")
    assert done.returncode != 0
    assert "corra" in done.stdout + done.stderr
    assert "cora" in (done.stdout + done.stderr).replace("corra", "")
    assert not (project.root / "data" / "raw" / "corra").exists()


def test_every_wrong_setting_is_named_before_anything_runs(project):
    (project.root / "wrong.yaml").write_text(
        """
output: {results: ../elsewhere, reports: src/reproduction}
data: {miror: [], source: nowhere, surrogate_scale: .nan}
paper: mvplsa
"""
    )
    done = project.snakemake("--cores", "1", "--configfile=wrong.yaml", "cotraining")
    assert done.returncode != 0
    said = done.stdout + done.stderr
    for text in (
        "output.results: '../elsewhere'", "output.reports: 'src/reproduction'", "never writes",
        "data.miror: unknown key; did you mean 'mirrors'?", "data.source: 'nowhere'",
        "data.surrogate_scale: nan", "paper: unknown key; did you mean 'papers'?",
    ):  # fmt: skip
        assert text in said, said
    assert "Traceback" not in said
    assert not (project.root / "results").exists()
    assert not list((project.root / "data").glob("raw*"))


def test_a_wrong_setting_of_a_paper_is_named_with_its_range(project):
    done = project.snakemake("-n", "--config", "papers={cotraining: {draws: 100000}}")
    assert done.returncode != 0
    assert "papers.cotraining.draws: 100000: input should be less than or equal to 1000" in (
        done.stdout + done.stderr
    )


def test_a_repeated_key_is_refused(project):
    (project.root / "twice.yaml").write_text("name: one\nname: two\n")
    done = project.snakemake("-n", "--configfile=twice.yaml")
    assert done.returncode != 0
    assert "the key 'name' is given twice" in done.stdout + done.stderr


def test_the_number_of_cores_does_not_change_a_byte(built_project):
    project = built_project  # on one core
    targets = [
        "build/quick/views/cornell.npz",
        "build/quick/views/webkb_course.npz",
        "build/quick/results/cotraining/webkb_course/table2.csv",
        "build/quick/results/cotraining/webkb_course/table2.json",
    ]
    first = {target: (project.root / target).read_bytes() for target in targets}
    for target in targets:
        (project.root / target).unlink()
    project.build(*targets, cores=2)
    assert first == {target: (project.root / target).read_bytes() for target in targets}
