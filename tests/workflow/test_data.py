"""Data of one's own; a run without the data never touches what a run with it wrote."""

import json
import shutil

import pytest
import yaml

from reproduction.data.format import MultiViewData
from reproduction.files import ROOT

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-data")]

ENTRY = """\
name: My pages
role: own
files:
  - {path: words.csv, view: words, id: page, label: topic}
  - {path: links.csv, view: links, id: page}
"""
VIEW, OTHER = "data/views/cornell.npz", "data/views/washington.npz"


def test_one_registry_file_is_enough_and_a_changed_file_makes_it_stale(project, tmp_path):
    folder, target = tmp_path / "elsewhere", "build/quick/views/my_pages.npz"
    folder.mkdir()
    (folder / "my_pages.yaml").write_text(ENTRY)
    data = {"network": False, "mirrors": [], "registries": [str(folder)]}
    missing = project.build(target, data=data, good=False).said
    assert f"there is no file words.csv in {folder}" in missing
    (folder / "words.csv").write_text("page,w,topic\np1,1,x\np2,0,y\n")
    for links in ([1, 2], [1, 7]):
        (folder / "links.csv").write_text(f"page,l\np2,{links[1]}\np1,{links[0]}\n")
        project.build(target, data=data)
        found = MultiViewData.load(project.root / target)
        assert found.class_names == ["x", "y"]
        assert found.views["links"].toarray().ravel().tolist() == links
        assert "Nothing to be done" in project.planned(target, data=data)


def run(project, *targets, good=True, **data):
    """Run the full configuration with other places for data; return what it said."""
    settings = {"mirrors": ["mirror"], "network": False, "cache": "cache", "surrogate_scale": 0.2}
    text = yaml.safe_dump({"name": "full", "data": {**settings, **data}})
    (project.root / "config" / "config.yaml").write_text(text, encoding="utf-8")
    return project.snakemake("--cores", "1", "--", *targets, good=good).said


def source(project):
    path = project.root / "data" / "raw" / "cornell" / "PROVENANCE.json"
    return json.loads(path.read_text())["source"]


def test_a_lost_source_is_said_and_keeps_away_from_real_results(project):
    real = project.root / VIEW
    real.parent.mkdir(parents=True)
    real.write_bytes(b"views of real data")
    said = run(project, OTHER, good=False)
    assert "washington: SURROGATE, synthetic data in place of real data" in said
    assert "Run the same command again" in said
    assert not (project.root / OTHER).exists()
    run(project, f"build/surrogate/{VIEW}", f"build/surrogate/{OTHER}")
    assert real.read_bytes() == b"views of real data"
    assert source(project) == "surrogate"
    said = run(project, "data/raw/cornell", good=False, source="real")
    assert "data set 'cornell' is not available" in said


def test_a_mirror_that_appears_is_used_by_the_next_run(project):
    run(project, "data/raw/cornell")
    assert source(project) == "surrogate"
    assert "Nothing to be done" in run(project, "data/raw/cornell")
    mirrors = (ROOT / "data" / "mirror", ROOT.parent / "shared" / "data")
    found = [folder for folder in mirrors if (folder / "webkb" / "webkb.tgz").is_file()]
    if not found:
        pytest.skip("no mirror on this machine has cornell")
    shutil.copytree(found[0] / "webkb", project.root / "mirror" / "webkb")
    run(project, "data/raw/cornell")
    assert source(project) == "mirror"
    run(project, VIEW)
