"""What the data behind a number are against the paper's, by hand."""

import pandas as pd
import pytest

from asprinted.words import SAME, STAND_IN, SUBSET, SURROGATE
from reproduction.rooms import Difference
from reproduction.verdicts.chain import paper_facts
from reproduction.verdicts.data_facts import SEVERAL, data_facts

REGISTRY = {
    "own": {"comparable": "same", "published_name": "Own"},
    "part": {"comparable": "subset", "differences": "half of it"},
    "like": {"comparable": "same", "role": "stand_in"},
    "idle": {"comparable": "same"},
}
SERVED = {key: {"source": "mirror"} for key in REGISTRY}


def facts(jobs, differences=None):
    rows = pd.DataFrame({"dataset": ["own", *(job.split("/")[0] for job in jobs)]})
    read = {job: {"datasets": datasets} for job, datasets in jobs.items()}
    return paper_facts(rows, read, REGISTRY, SERVED, differences or {})


def test_a_result_over_several_is_as_good_as_the_worst_it_read():
    jobs = {"own/tables": ["own"], "part/tables": ["part"], "like/tables": ["like"]}
    found = facts(jobs | {"two/tables": ["own", "part"], "one/tables": ["own"], "all/sum": []})
    kinds = {key: each.kind for key, each in found.items()}
    expected = {"own": SAME, "part": SUBSET, "like": STAND_IN}
    # a job that reads results alone may rest on any data set that a job reads
    assert kinds == {**expected, "two": SUBSET, "one": SAME, "all": STAND_IN}
    assert {found[key].source for key in ("two", "one", "all")} == {SEVERAL}
    assert found["two"].reason.endswith(
        "of its 2 data sets these are not the paper's: part (subset)"
    )
    assert found["one"].reason == found["own"].reason == ""
    assert found["part"].reason == "part is a part of the paper's data: half of it"


def test_a_paper_says_where_a_copy_is_not_its_own_but_cannot_better_it():
    differences = {"own": Difference(data=SUBSET, text="no titles"),
                   "like": Difference(data=SUBSET, text="better than it is")}  # fmt: skip
    found = facts({"like/tables": ["like"]}, differences)
    assert (found["own"].kind, found["own"].differences) == (SUBSET, "no titles")
    assert (found["like"].kind, found["like"].differences) == (STAND_IN, "")


@pytest.mark.parametrize(
    ("entry", "served", "kind"),
    [
        ({"comparable": "subset"}, {"source": "mirror", "comparable": "own_draw"}, SAME),
        ({"comparable": "what is this"}, {"source": "mirror"}, STAND_IN),
        ({"comparable": "same"}, {"source": "surrogate", "comparable": "same"}, SURROGATE),
        ({"role": "stand_in"}, {"source": "surrogate"}, SURROGATE),
    ],
)
def test_what_served_speaks_before_the_registry(entry, served, kind):
    assert data_facts("own", entry, served).kind == kind
