"""The target that compares methods on the user's own data."""

import pytest

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-own-data")]


def test_own_data_go_from_a_folder_to_a_report(shared_project, tmp_path, rng):
    rows = "".join(
        f"p{i},{rng.normal(4 * (i % 2)):.3f},{rng.random():.3f},{'uv'[i % 2]}\n" for i in range(40)
    )
    (tmp_path / "mine.csv").write_text("id,a,b,label\n" + rows)
    # clusterers are not tuned: all methods run in seconds
    (tmp_path / "data.yaml").write_text("name: mine\nviews: {mine: mine.csv}\ntask: cluster\n")
    target = ("--cores", "1", "compare", "--config")
    done = shared_project.quick(*target, f"mydata={tmp_path}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "classes are column 'label'" in done.stderr
    report = next(shared_project.root.glob("build/**/compare/mine/report.html"))
    assert "which method to use" in report.read_text()


def test_bad_data_end_in_one_line(shared_project, tmp_path):
    (tmp_path / "bad.csv").write_text("id,a\np0,1,2\np1,1\n")
    target = ("--cores", "1", "compare", "--config")
    done = shared_project.snakemake(*target, f"mydata={tmp_path / 'bad.csv'}")
    assert done.returncode != 0
    assert "bad.csv: line 2 has 3 cells, the header 2" in done.stderr
    assert "Traceback" not in done.stderr
    missing = shared_project.snakemake("--cores", "1", "compare")
    assert "no data are named" in missing.stderr


def test_a_run_asks_for_no_comparison(shared_project):
    whole = shared_project.planned("all")
    assert "Writing the overview" in whole
    assert "Today's methods" not in whole
    page = shared_project.planned("then_and_now")
    assert "Today's methods on multiview_hier.cora" in page
    assert "Writing" in page
    assert "then_and_now.html" in page
