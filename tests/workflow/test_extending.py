"""docs/extending.md and AGENTS.md, followed literally: what they promise to cost, it costs."""

import re

import pytest

from reproduction.data.format import MultiViewData
from reproduction.files import ROOT
from reproduction.results.rows import read_table
from reproduction.workflow.scaffold import MARKER

pytestmark = pytest.mark.workflow

GUIDE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
WRITTEN = ("build", "results", "reports", ".snakemake", "data/raw", "data/user", "data.yaml")


def sources(project):
    """Files of the project that people write."""
    files = (path for path in project.root.rglob("*") if path.is_file())
    names = {path.relative_to(project.root).as_posix() for path in files}
    return {name for name in names if not name.startswith(WRITTEN) and "__pycache__" not in name}


def follow(project, section, good=True, files=()):
    """Write files of the page, run a section's commands; return what the last said, new files."""
    before = sources(project)
    for found in re.finditer(r"^```\w+ (\S+/\S+)\n(.*?)^```", GUIDE, re.S | re.M):
        if found[1].endswith(files):
            path = project.root / found[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(found[2])
    block = re.search(rf"^```console {section}\n(.*?)^```", GUIDE, re.S | re.M)[1]
    for line in block.strip().splitlines():
        program, *words = line.split()
        if program == "snakemake":
            words = [word for word in words if word not in ("--configfile", "config/quick.yaml")]
            done = project.quick(*words, good=good)
        else:
            done = project.run(program, *words)
            assert done.returncode == 0, done.said
    return done.said, sources(project) - before


def test_a_data_set_costs_one_file_and_is_stale_when_its_files_change(project):
    new = follow(project, "dataset", files=(".csv", ".yaml"))[1]
    assert new == {"data/registry/my_pages.yaml"}
    data = MultiViewData.load(project.root / "build/quick/views/my_pages.npz")
    assert data.class_names == ["sport", "wine"]
    place = data.ids.index("p4")
    found = {name: view[place].toarray().tolist() for name, view in data.views.items()}
    assert found == {"links": [[0, 2]], "words": [[0, 0, 1, 4]]}
    target, links = "build/quick/views/my_pages.npz", project.root / "data/user/my_pages/links.csv"
    assert "Nothing to be done" in project.planned(target)
    links.write_text(links.read_text().replace("p4,0,2", "p4,0,7"))
    project.build(target)
    data = MultiViewData.load(project.root / target)
    assert data.views["links"][place].toarray().tolist() == [[0, 7]]


def test_a_method_costs_two_files_and_changes_no_verdict(built_project):
    project, target = built_project, "build/quick/results/cotraining/ledger.csv"
    tables = [project.root / target, project.root / target.replace("ledger", "claims")]
    before = [path.read_bytes() for path in tables]
    assert follow(project, "method", files=(".py",))[1] == {
        "src/manyviews/baselines/my_method.py",
        "src/reproduction/papers/cotraining/rivals/my_method.py",
    }
    place = project.root / "build/quick/results/cotraining/webkb_course"
    rows = read_table(place / "rival_my_method.csv")
    assert set(rows["role"]) == {"ours"}
    assert set(rows["method"]) == {"MyMethod"}
    assert rows["value"].between(0, 100).all()
    check = "from manyviews.baselines import MyMethod; print(MyMethod.__name__)"
    assert project.run("python", "-c", check).stdout.strip() == "MyMethod"
    # only the new method is fitted; the ledger is judged again with it among the rows
    said = project.build(target, cores=2).said
    assert set(re.findall(r"Fitting cotraining on \w+: (.+)", said)) <= {"rival_my_method"}
    assert before == [path.read_bytes() for path in tables]


def test_a_paper_costs_a_folder_and_a_notebook_and_is_judged_once_it_is_written(project):
    _, new = follow(project, "paper")
    room = "src/reproduction/papers/my_paper/"
    assert {name for name in new if not name.startswith(room)} == {"notebooks/my_paper.ipynb"}
    said, _ = follow(project, "judged", good=False)
    assert re.search(rf"papers/my_paper/claims.yaml, line \d+: {MARKER} is left", said)
    assert "Traceback" not in said
    for path in (project.root / name for name in new):
        path.write_text(path.read_text().replace(MARKER, "Written"))
    front = project.root / room / "front.py"
    sound = front.read_text()
    front.write_text("import nothing_of_this_name\n" + sound)
    assert "front.py cannot be imported" in follow(project, "judged", good=False)[0]
    front.write_text(sound)
    follow(project, "judged")
    ledger = read_table(project.root / "build/quick/results/my_paper/ledger.csv")
    assert set(ledger["agreement"]) == {"not comparable"}  # the data here is synthetic
    page = project.root / "build/quick/reports/my_paper.html"
    assert "Naive Bayes gets better" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["mvplsa", "Not-a-name", "score"])
def test_skeletons_never_overwrite(shared_project, name):
    before = sources(shared_project)
    done = shared_project.run("python", "-m", "reproduction", "new", "paper", name)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert sources(shared_project) == before
