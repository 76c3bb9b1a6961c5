"""A data set of the user's own: one registry file outside the project, through the workflow."""

import pytest

from reproduction.data.format import MultiViewData

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-own-data")]

ENTRY = """\
name: My pages
role: own
files:
  - {path: words.csv, view: words, id: page, label: topic}
  - {path: links.csv, view: links, id: page}
"""
TARGET = "build/quick/views/my_pages.npz"


def test_one_file_is_enough_and_a_changed_file_makes_it_stale(project, tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "my_pages.yaml").write_text(ENTRY)
    settings = {"network": False, "mirrors": [], "registries": [str(folder)]}

    missing = project.quick("--cores", "1", "--", TARGET, data=settings)
    assert missing.returncode != 0
    assert f"there is no file words.csv in {folder}" in missing.stdout + missing.stderr

    (folder / "words.csv").write_text("page,w,topic\np1,1,x\np2,0,y\n")
    (folder / "links.csv").write_text("page,l\np2,2\np1,1\n")
    done = project.quick("--cores", "1", "--", TARGET, data=settings)
    assert done.returncode == 0, done.stdout + done.stderr
    data = MultiViewData.load(project.root / TARGET)
    assert data.class_names == ["x", "y"]
    assert data.views["links"].toarray().ravel().tolist() == [1, 2]

    again = project.quick("-n", "--", TARGET, data=settings)
    assert "Nothing to be done" in again.stdout + again.stderr
    (folder / "links.csv").write_text("page,l\np2,7\np1,1\n")
    done = project.quick("--cores", "1", "--", TARGET, data=settings)
    assert done.returncode == 0, done.stdout + done.stderr
    assert MultiViewData.load(project.root / TARGET).views["links"].toarray().max() == 7
