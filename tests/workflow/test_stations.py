"""Every station is stale when something it depends on changes, and only then."""

import contextlib
import re

import pytest

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-staleness")]

OUT = "build/quick"
TARGETS = [f"{OUT}/reports/cotraining.html", f"{OUT}/results/cotraining/ledger.csv"]
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
#: File, what is put at its end, the first station that must run again (none: nothing may).
CHANGES = [
    ("src/reproduction/data/fetch.py", CODE, "fetch"),
    ("src/reproduction/data/surrogates.py", CODE, "views"),
    ("src/reproduction/data/format.py", CODE, "views"),
    (f"{ROOM}/paper.py", CODE, "fit"),
    ("src/manyviews/parts/naive_bayes.py", CODE, "fit"),
    (f"{ROOM}/published.csv", "\n", "score"),
    (f"{ROOM}/claims.yaml", "\n# more\n", "score"),
    ("src/reproduction/verdicts/margins.yaml", "\n# more\n", "score"),
    ("src/reproduction/verdicts/ledger.py", CODE, "score"),
    (f"{ROOM}/claims.py", CODE, "score"),
    ("notebooks/cotraining.ipynb", "\n", "write"),
    ("src/reproduction/pages/assets/page.css", "\np{}\n", "write"),
    ("src/reproduction/pages/figures.py", CODE, "write"),
    (f"{ROOM}/front.py", CODE, "write"),
    ("src/reproduction/data/fetch.py", "\n# a comment\n", None),
    (f"{ROOM}/paper.py", "\n# a comment\n", None),
    ("src/reproduction/pages/figures.py", "\n# a comment\n", None),
    ("src/reproduction/papers/mvplsa/protocol.py", CODE, None),
    ("src/reproduction/papers/mvplsa/published.csv", "\n", None),
    ("src/manyviews/models/plsa.py", CODE, None),
    ("notebooks/mvplsa.ipynb", "\n", None),
    ("data/registry/cora.yaml", "\n# more\n", None),
    ("src/reproduction/workflow/release.py", CODE, None),
    ("workflow/measured.csv", "fit/cotraining/webkb_course/table2,3000,500\n", None),
]


def first_stale(project, *more):
    """Name of the first station that would run again; None when nothing is to be done."""
    plan = project.planned(*TARGETS, *more)
    planned = [station for station, says in SAYS.items() if re.search(says, plan)]
    return planned[0] if planned else None


@pytest.fixture(scope="module")
def built(shared_built_project):
    assert first_stale(shared_built_project) is None
    return shared_built_project


@pytest.fixture(scope="module")
def harmless_together(built, changed):
    """What is stale when all files change that nothing depends on: one plan for all of them."""
    with contextlib.ExitStack() as stack:
        for file, text, station in CHANGES:
            if station is None:
                stack.enter_context(changed(built.root / file, text))
        return first_stale(built)


@pytest.mark.parametrize(
    ("file", "text", "station"), CHANGES, ids=[f"{f} -> {s}" for f, _, s in CHANGES]
)
def test_a_change_reaches_the_stations_behind_it_alone(
    built, changed, harmless_together, file, text, station
):
    if station is None and harmless_together is None:
        return
    with changed(built.root / file, text):
        assert first_stale(built) == station


def test_a_setting_reaches_the_jobs_that_read_it_alone(built, changed):
    quick = built.root / "config" / "quick.yaml"
    for setting, jobs in (
        ("smoothing_grid: [0.5]", {"choices"}),
        ("draws: 3", {"table2"}),
        ("rounds: 4", {"table2", "choices", "trajectory"}),
    ):
        with changed(quick, f"\npapers: {{cotraining: {{{setting}}}}}\n"):
            plan = built.planned(*TARGETS)
            assert set(re.findall(r"Fitting cotraining: (\w+) on", plan)) == jobs, setting
    with changed(quick, "\npapers: {mvplsa: {runs: {webkb: 3}}}\n"):
        assert first_stale(built) is None
