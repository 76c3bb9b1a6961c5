"""Runs of a paper's jobs that go on: four at once are two and then two."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from reproduction.data.format import MultiViewData
from reproduction.papers.coplsa_clustering.protocol import VIEWS as CLUSTERED
from reproduction.papers.multiview_hier.methods import VIEWS as PAIRS
from reproduction.results.jobs import Context, find_job, further_job, jobs_of
from reproduction.results.published import load_published, printed_methods
from reproduction.results.rows import result_frames
from reproduction.results.settings import complete
from reproduction.rooms import paper_keys, settings_class, tables_of

FIRST, ALL = 2, 4
PLACE = ["table", "setting", "method", "role", "metric", "reading"]

_FEW = {"iterations": 2, "choice_runs": 1, "documents": 100}
#: Settings that make the jobs small; the number of runs is set by the tests.
SMALL = {
    "cotraining": {"rounds": 3, "pool": 20, "choice_draws": 1},
    "twoview_pa": {},
    "mvplsa": {
        "rates": [0.05, 0.2],
        "iterations": 6,
        "topics": {"webkb": 4, "news": 4},
        "topic_grid": {"webkb": [2, 5], "news": [2, 5]},
        "cotraining": {"u": [10], "p": [1, 2], "n": [1], "rounds": 3},
        "iteration_grid": [2, 6],
    },
    "multiview_hier": {"max_iter": 4},
    "coplsa_clustering": {
        "reduction": {"topics": 5, "iterations": 2},
        **dict.fromkeys(CLUSTERED, _FEW),
    },
    "coplsa_multimodal": {
        "documents": None,
        "control_runs": 1,
        "detail_runs": 1,
        **dict.fromkeys(
            ("topics", "iterations"), dict.fromkeys(("wikipedia_pairs", "tvgraz", "web_news"), 6)
        ),
    },
}
#: One job for each way in which runs go on.
JOBS = [
    ("cotraining", "webkb_course/table2"),
    ("twoview_pa", "ads/tables"),
    ("twoview_pa", "ads/choices"),
    ("mvplsa", "cornell/everything"),
    ("mvplsa", "cornell/text"),
    ("mvplsa", "newsgv2/dplsa_views"),
    ("mvplsa", "newsgv2/baselines"),
    ("mvplsa", "newsgv4/text"),
    ("mvplsa", "newsgv4/split_views"),
    ("multiview_hier", "cora/table2"),
    ("multiview_hier", "cora/text"),
    ("coplsa_clustering", "reuters/kmeans"),
    ("coplsa_clustering", "reuters/plsa"),
    ("coplsa_clustering", "reuters/baselines"),
    ("coplsa_clustering", "reuters/coplsa"),
    ("coplsa_multimodal", "wikipedia_pairs/l2"),
    ("coplsa_multimodal", "wikipedia_pairs/link"),
]


def views_of(paper, key):
    dataset = key.partition(".")[0]
    if paper == "mvplsa":
        pages = ("content", "links", "cites", "cited")
        return pages if dataset == "cornell" else [f"v{i}" for i in range(1, int(dataset[-1]) + 1)]
    named = {
        "cotraining": ("page", "link"),
        "twoview_pa": ("first", "second"),
        "multiview_hier": (*PAIRS.get(dataset, ()), "content", "cites", "links", "cited"),
        "coplsa_clustering": CLUSTERED.get(dataset, ()),
        "coplsa_multimodal": ("text", "image", "topics"),
    }
    return dict.fromkeys(named[paper])


def make_data(paper, key, rng):
    """Counts in which every class has its own words; two classes where the paper needs two."""
    n, classes = 120, 2 if paper in ("cotraining", "twoview_pa", "mvplsa") else 4
    y = np.arange(n) % classes
    views = {}
    for name in views_of(paper, key):
        words = rng.dirichlet(np.full(20, 0.3), classes)
        views[name] = sp.csr_matrix(rng.poisson(20 * words[y] + 0.2).astype(float))
    return MultiViewData(
        name=key.partition(".")[0],
        views=views,
        labels=y,
        class_names=[f"class {c}" for c in range(classes)],
        ids=[str(i) for i in range(n)],
        rows={"is_test": np.arange(n) % 3 == 0, "article": np.array([f"a{i % 70}" for i in y])},
    )


def settings_with(paper, job, runs):
    given = {**SMALL[paper], job.further.counted_by: runs}
    return complete(settings_class(paper), given, size="quick")


def frame_of(job, data, settings, results, further=None):
    context = Context(job, data, settings, results, further=further)
    tables = tables_of(job.paper)
    result = job.load()(context)
    values, _ = result_frames(
        job.paper, job.dataset, result.rows, tables, printed_methods(job.paper)
    )
    return values.assign(setting=tables.written(values)), result.details


def by_place(frame):
    return frame.set_index([*PLACE, "run"])["value"].sort_index()


@pytest.mark.parametrize(("paper", "place"), JOBS, ids=[f"{p}/{j}" for p, j in JOBS])
def test_four_runs_at_once_are_two_and_then_two(paper, place, rng):
    job = find_job(paper, *place.split("/"))
    data = {key: make_data(paper, key, rng) for key in job.view_keys}
    few, many = (settings_with(paper, job, runs) for runs in (FIRST, ALL))
    before = {}
    for name in job.after:  # what comes before is settled, whatever follows
        before[name], _ = frame_of(find_job(paper, *name.split("/")), data, few, {})
    first, told = frame_of(job, data, few, before)
    whole, other = frame_of(job, data, many, before)
    further, _ = frame_of(
        further_job(job), data, few, {**before, job.place: first}, range(FIRST, ALL)
    )
    if "choice" in told and told["choice"] != other["choice"]:
        # four runs chose another view than two: only what does not rest on the choice is the same
        first, further, whole = (
            frame[frame["table"].str.startswith("choice:")] for frame in (first, further, whole)
        )
    assert len(further)
    groups = set(further[PLACE].itertuples(index=False, name=None))
    both = pd.concat([first, further])
    kept = [key in groups for key in both[PLACE].itertuples(index=False, name=None)]
    same = [key in groups for key in whole[PLACE].itertuples(index=False, name=None)]
    pd.testing.assert_series_equal(
        by_place(both[kept]), by_place(whole[same]), check_exact=True, check_names=False
    )
    # nothing that is printed and may go on is left out
    printed = load_published(paper)
    wanted = whole[(whole["role"] == "published") & (whole["run"] >= first["run"].max() + 1)]
    wanted = wanted[wanted["method"].isin(set(printed["method"]))]
    wanted = wanted[wanted["table"].isin({*printed["table"], "choice:scaling"})]
    missing = {
        key
        for key in wanted[PLACE].drop_duplicates().itertuples(index=False, name=None)
        if key not in groups and not job.further.why_fixed(key[2])
    }
    assert not {key for key in missing if key[5] in ("inferred", "text")}


def test_every_paper_has_a_job_whose_runs_go_on_and_every_fixed_method_a_reason():
    assert {paper for paper, _ in JOBS} == set(paper_keys())
    for paper in paper_keys():
        for job in jobs_of(paper):
            if job.further is None:
                continue
            assert job.further.cost > 0
            assert callable(further_job(job).load())
            assert job.further.counted_by in settings_class(paper).model_fields
            assert all(why.strip() for why in job.further.fixed.values())
