"""A run without the data never touches what a run with it wrote; the data back, it is used."""

import json
import shutil

import pytest
import yaml

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-surrogate-runs")]

VIEW = "data/views/cornell.npz"


def run(project, *targets, **data):
    """Run the full configuration with other places for data."""
    settings = {"mirrors": ["mirror"], "network": False, "cache": "cache", "surrogate_scale": 0.2}
    text = yaml.safe_dump({"name": "full", "data": {**settings, **data}})
    (project.root / "config" / "config.yaml").write_text(text, encoding="utf-8")
    done = project.snakemake("--cores", "1", "--", *targets)
    return done, done.stdout + done.stderr


def source(project):
    path = project.root / "data" / "raw" / "cornell" / "PROVENANCE.json"
    return json.loads(path.read_text())["source"]


def test_a_lost_source_is_said_and_keeps_away_from_real_results(project):
    real = project.root / VIEW
    real.parent.mkdir(parents=True)
    real.write_bytes(b"views of real data")
    real.touch()
    done, said = run(project, "data/views/washington.npz")
    assert done.returncode != 0
    assert "washington: SURROGATE, synthetic data in place of real data" in said
    assert "Run the same command again" in said
    assert not (project.root / "data" / "views" / "washington.npz").exists()

    done, said = run(
        project, f"build/surrogate/{VIEW}", "build/surrogate/data/views/washington.npz"
    )
    assert done.returncode == 0, said
    assert real.read_bytes() == b"views of real data"
    assert source(project) == "surrogate"

    refused, said = run(project, "data/raw/cornell", source="real")
    assert refused.returncode != 0
    assert "data set 'cornell' is not available" in said


def test_a_mirror_that_appears_is_used_by_the_next_run(project, monkeypatch):
    done, said = run(project, "data/raw/cornell")
    assert done.returncode == 0, said
    assert source(project) == "surrogate"
    _, said = run(project, "data/raw/cornell")
    assert "Nothing to be done" in said
    found = [
        folder
        for folder in (project.root.parent / "none", *_mirrors())
        if (folder / "webkb" / "webkb.tgz").is_file()
    ]
    if not found:
        pytest.skip("no mirror on this machine has cornell")
    shutil.copytree(found[0] / "webkb", project.root / "mirror" / "webkb")
    back, said = run(project, "data/raw/cornell")
    assert back.returncode == 0, said
    assert source(project) == "mirror"
    done, said = run(project, VIEW)
    assert done.returncode == 0, said


def _mirrors():
    from reproduction.files import ROOT

    return [ROOT / "data" / "mirror", ROOT.parent / "shared" / "data"]
