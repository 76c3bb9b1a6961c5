"""Every station is stale when something it depends on changes, and only then."""

import contextlib
import os
import re
import time

import pytest

pytestmark = pytest.mark.workflow

OUT = "build/quick"
TARGETS = [f"{OUT}/reports/cotraining.html", f"{OUT}/results/cotraining/ledger.csv"]
TABLE = f"{OUT}/results/cotraining/webkb_course/table2.csv"
ROOM = "src/reproduction/papers/cotraining"
#: What a station says when it is planned, in the order of the stations.
SAYS = {
    "fetch": r"Fetching webkb_course",
    "views": r"Building the views of webkb_course",
    "fit": r"Fitting cotraining",
    "score": r"Scoring cotraining",
    "write": r"Writing cotraining\.html",
}
CODE = "\n_CHANGED = True\n"
#: File, what is put at its end, the first station that must run again.
CHANGES = [
    ("src/reproduction/data/fetch.py", CODE, "fetch"),
    ("src/reproduction/data/surrogates.py", CODE, "views"),
    ("src/manyviews/parts/naive_bayes.py", CODE, "fit"),  # imported at some remove
    ("workflow/scripts/fit.py", CODE, "fit"),
    (f"{ROOM}/published.csv", "\n", "score"),
    (f"{ROOM}/claims.py", CODE, "score"),
    ("notebooks/cotraining.ipynb", "\n", "write"),
    ("src/reproduction/pages/assets/page.css", "\np{}\n", "write"),
    (f"{ROOM}/front.py", CODE, "write"),
    ("config/quick.yaml", "\npapers: {cotraining: {rounds: 4}}\n", "fit"),
]
#: What nothing here depends on.
HARMLESS = [
    ("src/reproduction/data/fetch.py", "\n# a comment\n"),
    (f"{ROOM}/paper.py", "\n# a comment\n"),
    ("workflow/scripts/fit.py", "\n# a comment\n"),
    ("src/reproduction/papers/mvplsa/protocol.py", CODE),
    ("src/reproduction/papers/mvplsa/published.csv", "\n"),
    ("src/manyviews/models/plsa.py", CODE),
    ("notebooks/mvplsa.ipynb", "\n"),
    ("data/registry/cora.yaml", "\n# more\n"),
    ("src/reproduction/workflow/site.py", CODE),
    ("config/quick.yaml", "\npapers: {mvplsa: {runs: {webkb: 3}}}\n"),
]


@contextlib.contextmanager
def changed(path, text):
    """Let a file end otherwise for a while; its time comes back with its content."""
    content, when = path.read_bytes(), path.stat()
    path.write_bytes(content + text.encode())
    try:
        yield
    finally:
        path.write_bytes(content)
        os.utime(path, ns=(when.st_atime_ns, when.st_mtime_ns))


def first_stale(project):
    """Name of the first station that would run again; None when nothing is to be done."""
    plan = project.planned(*TARGETS)
    return next((station for station, says in SAYS.items() if re.search(says, plan)), None)


@pytest.mark.parametrize(("file", "text", "station"), CHANGES)
def test_a_change_reaches_the_stations_behind_it(shared_built_project, file, text, station):
    with changed(shared_built_project.root / file, text):
        assert first_stale(shared_built_project) == station


def test_equal_views_that_other_code_built_make_no_fit_stale(built_project):
    project, view = built_project, f"{OUT}/views/webkb_course.npz"
    before = (project.root / view).read_bytes()
    with (project.root / "src/reproduction/data/surrogates.py").open("a") as source:
        source.write(CODE)
    project.build(view)
    assert (project.root / view).read_bytes() != before
    assert first_stale(project) == "score"
    project.build(*TARGETS)
    with (project.root / "src/reproduction/data/surrogates.py").open("a") as source:
        source.write("\nSIGNAL /= 2\n")
    project.build(view)
    assert first_stale(project) == "fit"


def test_what_nothing_depends_on_makes_nothing_stale(shared_built_project):
    project = shared_built_project
    with contextlib.ExitStack() as stack:
        for file, text in HARMLESS:
            stack.enter_context(changed(project.root / file, text))
        assert first_stale(project) is None


def test_a_fresh_checkout_and_other_places_make_nothing_stale(built_project):
    """Only what files say counts, not their times; fetched files are shared with full runs."""
    project = built_project
    made = {project.root / part for part in ("build", "data", ".snakemake")}
    later = time.time() + 60
    for path in project.root.rglob("*"):
        if path.is_file() and not made & set(path.parents):
            os.utime(path, (later, later))
    elsewhere = {**project.offline, "mirrors": ["data/another"], "user": "data/mine"}
    assert "Nothing to be done" in project.planned(TABLE, data=elsewhere)
    full = TABLE.replace("quick", "surrogate")
    said = project.snakemake("-n", "--configfile", "data.yaml", "--", full, good=True).stdout
    assert "Fitting cotraining" in said
    assert "Fetching" not in said


def test_the_number_of_cores_does_not_change_a_byte(built_project):
    views = [f"{OUT}/views/{name}.npz" for name in ("cornell", "webkb_course")]
    targets = [built_project.root / path for path in (*views, TABLE, TABLE.replace("csv", "json"))]
    on_one = [path.read_bytes() for path in targets]
    for path in targets:
        path.unlink()
    built_project.build(*views, TABLE, cores=2)
    assert on_one == [path.read_bytes() for path in targets]
