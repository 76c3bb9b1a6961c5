"""docs/extending.md, followed literally: what it promises to cost, it costs."""

import re
from pathlib import Path

import pytest

from reproduction.data.format import MultiViewData
from reproduction.files import ROOT
from reproduction.results.rows import read_table

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-extending")]

GUIDE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
WRITTEN = ("build", "results", "reports", ".snakemake", "data/raw", "data/user", "data.yaml")


def block(kind: str) -> str:
    """The text of a fenced block, by what stands after its backticks."""
    return re.search(rf"^```{re.escape(kind)}\n(.*?)^```", GUIDE, re.S | re.M)[1]


def sources(project) -> set[str]:
    """Files of the project that people write."""
    names = (path.relative_to(project.root).as_posix() for path in project.root.rglob("*"))
    return {
        name
        for name in names
        if (project.root / name).is_file()
        and not name.startswith(WRITTEN)
        and "__pycache__" not in name
    }


def follow(project, section: str) -> set[str]:
    """Run a section's commands on synthetic data; return the files that are new."""
    before = sources(project)
    for line in block(f"console {section}").strip().splitlines():
        program, *words = line.split()
        if program == "snakemake":
            split = words.index("--")
            options = [w for w in words[:split] if w not in ("--configfile", "config/quick.yaml")]
            done = project.quick(*options, "--", *words[split + 1 :])
        else:
            done = project.run(program, *words)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return sources(project) - before


def test_a_data_set_costs_one_file(project):
    for found in re.finditer(r"^```csv (\S+)\n(.*?)^```", GUIDE, re.S | re.M):
        path = project.root / found[1]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found[2])
    assert follow(project, "dataset") == {"data/registry/my_pages.yaml"}
    data = MultiViewData.load(project.root / "build/quick/views/my_pages.npz")
    assert data.class_names == ["sport", "wine"]
    assert sorted(data.views) == ["links", "words"]
    place = data.ids.index("p4")
    assert data.views["links"][place].toarray().tolist() == [[0, 2]]
    assert data.views["words"][place].toarray().tolist() == [[0, 0, 1, 4]]


def test_a_method_costs_two_files_and_changes_no_verdict(built_project):
    project, target = built_project, "build/quick/results/cotraining/ledger.csv"
    tables = [project.root / target, project.root / target.replace("ledger", "claims")]
    before = [read_table(path) for path in tables]
    assert follow(project, "method") == {
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
    done = project.quick("--cores", "2", "--", target)
    assert done.returncode == 0, done.stdout + done.stderr
    fitted = set(re.findall(r"Fitting cotraining on \w+: (.+)", done.stdout + done.stderr))
    assert fitted <= {"rival_my_method"}
    after = [read_table(path) for path in tables]
    for old, new in zip(before, after, strict=True):
        assert old.equals(new)


def test_a_paper_costs_one_folder_and_one_notebook(project):
    new = follow(project, "paper")
    room = "src/reproduction/papers/my_paper/"
    outside = {name for name in new if not name.startswith(room)}
    assert outside == {"notebooks/my_paper.ipynb"}
    ledger = read_table(project.root / "build/quick/results/my_paper/ledger.csv")
    assert set(ledger["agreement"]) == {"not comparable"}  # the data here is synthetic
    page = project.root / "build/quick/reports/my_paper.html"
    assert "Naive Bayes gets better" in page.read_text(encoding="utf-8")


def test_skeletons_never_overwrite(project):
    for words in (
        ("paper", "mvplsa"),
        ("dataset", "cora", "words.csv"),
        ("method", "cotraining", "--paper", "mvplsa"),
        ("paper", "Not a name"),
    ):
        before = sources(project)
        done = project.run("python", "-m", "reproduction", "new", *words)
        assert done.returncode == 2
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr
        assert sources(project) == before


def test_the_guide_names_files_that_are_there():
    for name in re.findall(r"`((?:data|src|tests|config|docs)/[\w./]+)`", GUIDE):
        if "my_" not in name:
            assert (ROOT / name).exists(), name
    assert Path(ROOT / "docs" / "extending.md").is_file()
