"""Data of one's own, data that cannot be had, and data that somebody changed."""

import json
import os
import shutil

import pytest
import yaml

from reproduction.data.format import MultiViewData

pytestmark = pytest.mark.workflow

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


def test_a_failed_job_is_named_and_what_does_not_need_it_is_done(built_project):
    """An edited view file is refused, and a job that does not need it is done."""
    cornell, view = (
        built_project.root / f"build/quick/views/{name}.npz" for name in ("cornell", "webkb_course")
    )
    shutil.rmtree(built_project.root / "build/quick/results")
    cornell.unlink()
    when = view.stat()
    view.write_bytes(view.read_bytes()[:1000])
    os.utime(view, ns=(when.st_atime_ns, when.st_mtime_ns))
    table = "cotraining/webkb_course/table2"
    targets = f"build/quick/results/{table}.csv", "build/quick/views/cornell.npz"
    said = built_project.build(*targets, good=False).said
    for text in (
        "is not a readable view file",
        f"build/quick/results/logs/fit/{table}.log",
        "The run stopped; give the same command again",
    ):
        assert text in said
    assert "Traceback" not in said
    assert cornell.is_file()
