"""What holds for every paper that is declared in one file."""

import contextlib
import inspect
import math
import re
from dataclasses import replace
from functools import reduce
from itertools import product

import numpy as np
import pandas as pd
import pytest
from joblib import hash as hash_of

from asprinted.margins import load_margins
from manyviews import metrics, seeding
from manyviews.baselines.mvc import MultiViewClustering
from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from reproduction.data.registry import load_registry
from reproduction.data.surrogates import build_surrogate
from reproduction.results.cases import Case, Metric, Step
from reproduction.results.jobs import RIVAL, Context, Job
from reproduction.results.published import load_published, printed_methods
from reproduction.results.rows import INFERRED, result_frames, table_text
from reproduction.results.settings import PerKind, Settings, SettingsError, complete
from reproduction.rooms import paper_keys, room, study_of, tables_of

STUDIES = {key: study_of(key) for key in paper_keys()}
#: One job of each name, whatever its share of the runs: its data sets are treated alike. Jobs
#: without data of their own come after others.
JOBS: dict[tuple[str, str], Job] = {}
for _job in (job for study in STUDIES.values() for job in study.jobs):
    if not _job.name.startswith("text_") and _job.view_keys:  # the same under other settings
        JOBS.setdefault((_job.paper, re.sub(r"_\d+$", "", _job.name)), _job)


DONE = {}


def leaves(kind, prefix=()):
    """Yield the path of every setting, sections opened, and its declared type."""
    for name, field in kind.model_fields.items():
        inner = field.annotation if isinstance(field.annotation, type) else object
        if issubclass(inner, Settings) and not issubclass(inner, PerKind):
            yield from leaves(inner, (*prefix, name))
        else:
            yield (*prefix, name), field.annotation


SETTINGS = [
    pytest.param(key, path[0], kind, id=f"{key} {path[0]}")
    for key, study in STUDIES.items()
    for path, kind in leaves(study.settings)
    if len(path) == 1
]


@pytest.fixture(scope="module")
def data():
    """Synthetic data of every study, drawn once."""
    registry = load_registry()
    return {job.dataset: build_surrogate(registry[job.dataset], scale=0.1) for job in JOBS.values()}


def context(job, data, **changed):
    settings = complete(STUDIES[job.paper].settings, changed, size="quick")
    views = {key: replace(data[job.dataset], name=key) for key in job.view_keys}
    jobs = {other.place: other for other in STUDIES[job.paper].jobs if other.place in job.after}
    before = {place: earlier(other, data, changed) for place, other in jobs.items()}
    return Context(job, views, settings, before)


def earlier(job, data, changed):
    """Rows of a job that others come after, made once for some settings."""
    key = job.paper, job.place, repr(changed)
    if key not in DONE:
        DONE[key] = frame(job, job.load()(context(job, data, **changed)))
    return DONE[key]


def frame(job, result):
    """Rows as the job's file has them, sorted and checked; times are kept apart."""
    tables, printed = tables_of(job.paper), printed_methods(job.paper)
    return result_frames(job.paper, job.dataset, result.rows, tables, printed)[0]


def written(job, result):
    return table_text(frame(job, result))


def hide(part, rng):
    """Exchange the classes that no method may see; return which these are."""
    holder = getattr(part, "task", part)
    name = "truth" if hasattr(holder, "truth") else "y"
    y = getattr(holder, name)
    hidden = np.ones(y.size, bool)  # clusterings see none; others were split off before
    if hasattr(part, "train"):
        hidden[part.train] = False
    elif isinstance(getattr(part, "known", None), np.ndarray):
        hidden = ~part.known
    elif hasattr(part, "given") and part.given.size == y.size:
        hidden = part.given < 0
    classes = np.unique(y[hidden] if hidden.all() else y[~hidden])
    with_class = hidden & (y >= min(classes))
    assert with_class.any()
    assert set(y[with_class]) <= set(classes), "a class has no label"
    other = y.copy()
    following = np.roll(classes, 1)[np.searchsorted(classes, y[with_class])]
    other[with_class] = rng.permutation(following)
    object.__setattr__(holder, name, other)  # parts may be frozen
    return hidden


def orders(part):
    """Yield the random orders of rows in a part; an order as in the file may come again."""
    for value in vars(part).values():
        if isinstance(value, np.ndarray) and value.ndim == 2 and value.dtype.kind == "i":
            yield from value[(np.diff(value) < 0).any(axis=1)]


class Watched:
    """Tables of a job that tell what methods answer, with or without hidden classes exchanged."""

    rows = ()

    def __init__(self, rng=None):
        self.rng, self.splits, self.draws = rng, {}, {}

    def split(self, step):
        def parts(**asked):
            found, seen = step.call(**asked), set()
            several = inspect.isgeneratorfunction(step.call)
            for part in found if several else [found]:
                for order in orders(part):  # no two passes and no two folds have the same
                    assert order.tobytes() not in seen
                    seen.add(order.tobytes())
                if self.rng is not None:
                    hidden = hide(part, self.rng)
                    if "run" in asked and not hidden.all():  # clusterings draw no labels
                        place = {key: each for key, each in asked.items() if key in step.reads}
                        drawn = (repr(place), hidden.tobytes())
                        self.draws.setdefault(asked["run"], set()).add(drawn)
                yield part

        # tables that share their parts go on sharing them
        return self.splits.setdefault(step, Step(parts, step.asks))

    def plan(self, plan):
        answer = Metric("answer", (), Step(lambda part, found: fingerprint(found), ()))
        how = {"best": None, "pooled": False, "metrics": (answer,)}
        if "iterations" in plan.split.reads:  # clusters made when they are asked for
            how["metrics"] = plan.metrics
        return replace(plan, split=self.split(plan.split), **how)


def told(rows, job):
    """What rows say; random clusters are told the sizes of the classes."""
    return [
        (row.table, row.reading, row.method, repr(row.at), row.run, row.value)
        for row in rows
        if row.method != "random" or "clustering" not in job.name
    ]


def fingerprint(found):
    labels = getattr(found, "labels", found)  # beside them an answer may have seconds
    return int(hash_of(labels)[:12], 16) / 16**12


def show_clusters(monkeypatch):
    """Let scores of clusters be the clusters themselves, whatever the classes are."""
    for name in ("clustering_accuracy", "nmi"):
        monkeypatch.setattr(metrics, name, lambda _, found, *how: fingerprint(np.asarray(found)))


def has_hidden(plan):
    """Whether the parts of a table have classes that methods must not see.

    Tuned rows hold scores, checks of solvers seconds; counts of the data and streams over all rows
    hold nothing back.
    """
    names = (".nested", ".<lambda>", ".stream")
    return (
        not plan.timed
        and plan.job != "mip_check"
        and not f".{plan.split.call.__name__}".endswith(names)
    )


#: The retrieval paper's answers are functions; its own test watches what they rank.
WATCHED = [job for job in JOBS.values() if job.paper != "coplsa_multimodal"]


@pytest.mark.parametrize("job", WATCHED, ids=lambda job: f"{job.paper}/{job.place}")
def test_no_hidden_class_moves_an_answer_and_draws_differ_between_runs(job, data, rng, monkeypatch):
    study, given = STUDIES[job.paper], context(job, data)
    show_clusters(monkeypatch)
    plans, first, step, _ = study.work[job.dataset, job.name]
    clean, poisoned = Watched(), Watched(rng)
    for each in (clean, poisoned) if any(map(has_hidden, plans)) else ():
        tables = [each.plan(plan) for plan in plans if has_hidden(plan)]
        each.rows = told(study.run(given, tables, first, step).rows, job)
    assert clean.rows == poisoned.rows
    draws = poisoned.draws.values()
    assert len(set(map(frozenset, draws))) == len(draws), "two runs draw the same labels"


CELLS = ["table", "dataset", "method", "metric"]


@pytest.mark.parametrize("paper", STUDIES)
def test_every_printed_cell_is_declared_with_all_its_settings(paper):
    study, published = STUDIES[paper], load_published(paper)
    made = {}
    for plan in (plan for plan in study.plans if plan.reading == INFERRED and not plan.role):
        for dataset, method, metric in product(plan.datasets, plan.methods, plan.metrics):
            made.setdefault((plan.name, dataset, method.name, metric.name), []).append(plan)
    summed = {table for summary in study.summaries for table in summary.tables}
    settings = dict(complete(study.settings, {}))
    for cell in published.to_dict("records"):
        plans = made.get(tuple(cell[name] for name in CELLS), [])
        assert plans or cell["table"] in summed, cell
        own = {
            name: getattr(value, study.kinds.get(cell["dataset"], ""), value)
            for name, value in settings.items()
        }
        for plan in plans:
            for setting, column in plan.columns.items():
                step = plan.vary.get(setting)
                tried = step.result(own) if step and step.reads == {*step.asks} else None
                if tried is not None and not pd.isna(cell.get(column.name)):
                    assert cell[column.name] in tried, cell


def seeds_by_run(monkeypatch):
    """Keep the names of all seeds, each with the runs that ask for it."""
    found, now = {}, []
    rows, sequence = Case.rows, seeding.seed_sequence

    def rows_of(case, *how):
        now[:] = [case.run]
        yield from rows(case, *how)
        now.clear()

    def asked(*names):
        found.setdefault(names, set()).update(now)
        return sequence(*names)

    monkeypatch.setattr(Case, "rows", rows_of)
    monkeypatch.setattr(seeding, "seed_sequence", asked)
    return found


def alike(rows):
    """Methods of a table that score the same in all of several runs, and not all or nothing."""
    frame = pd.DataFrame([{**vars(row), "at": repr(row.at)} for row in rows])
    frame = frame[(frame["role"] != "control") & frame["metric"].map(load_margins().is_score)]
    for (table, method), own in frame.groupby(["table", "method"]):
        spread = own.groupby(["reading", "metric", "at"])["value"].agg(np.ptp)
        if len({*own["run"]}) > 1 and not spread.any() and not own["value"].isin([0, 100]).all():
            yield table, method


@pytest.mark.parametrize("job", JOBS.values(), ids=lambda job: f"{job.paper}/{job.place}")
def test_what_is_remembered_changes_no_row_and_no_two_runs_draw_alike(job, data, monkeypatch):
    """Every table of a job alone, so that nothing is shared, gives the rows of all together."""
    study = STUDIES[job.paper]
    plans, first, step, _ = study.work[job.dataset, job.name]
    plans = [plan for plan in plans if not plan.timed]
    given = context(job, data)
    alone = [row for plan in plans for row in study.run(given, [plan], first, step).rows]
    asked = seeds_by_run(monkeypatch)
    together = study.run(given, plans, first, step).rows
    assert sorted(map(repr, alone)) == sorted(map(repr, together))
    # quick runs take some of the documents, the same in all runs
    shared = {names[-1] for names, runs in asked.items() if len(runs) > 1}
    assert shared <= {"documents"}
    # a convex problem ends alike from any start
    assert {method for _, method in alike(together)} <= {"SGC"}


def other_values(value, words):
    """Values that a setting may take besides its own."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, PerKind):
        for kind, one in value:
            yield from ({kind: other} for other in other_values(one, ()))
    elif isinstance(value, int | float):
        # a cap may lie far above what is here
        yield from (type(value)(value / 2), value + 1, value - 1, type(value)(10))
    elif isinstance(value, list):
        yield from (value[:-1], value[1:], value * 2)
        if not any(isinstance(each, str) for each in value):
            yield from ([each + 1 for each in value], [type(each)(each / 2) for each in value])
    else:
        yield from (word for word in words if word != value)


@pytest.mark.parametrize("paper", STUDIES)
def test_every_setting_of_a_section_is_named_where_it_is_read(paper):
    """A job reads a section as a whole, so its settings are looked for in the sources."""
    sources = [path.read_text() for path in room(paper).glob("*.py")]
    for path, _ in leaves(STUDIES[paper].settings):
        # by its name, or in a loop over the section it stands in
        name, around = ".".join(path), ".".join(path[:-1])
        forms = (name, f'f"{around}.{{', f"getattr({around}, ")
        read = any(form in text for form in forms for text in sources)
        assert len(path) == 1 or read, f"nothing reads {name}"


@pytest.mark.parametrize(("paper", "name", "kind"), SETTINGS)
def test_every_setting_changes_something(paper, name, kind, data):
    study = STUDIES[paper]
    own = getattr(complete(study.settings, {}, size="quick"), name)
    jobs = [job for job in JOBS.values() if job.paper == paper and name in study.reads(job.name)]
    assert jobs, f"no job of {paper} reads {name}"
    for job in jobs:
        before = written(job, job.load()(context(job, data)))
        for value in other_values(own, getattr(kind, "__args__", ())):
            with contextlib.suppress(SettingsError):  # out of its range
                if written(job, job.load()(context(job, data, **{name: value}))) != before:
                    return
    pytest.fail(f"no other value of {name} changes a row of {paper}")


ESTIMATORS = {"classifier": NaiveBayesEnsemble, "clusterer": MultiViewClustering}


@pytest.mark.parametrize("paper", [key for key, study in STUDIES.items() if study.rivals])
def test_a_rival_sees_copies_and_no_hidden_class(paper, data, rng, monkeypatch):
    study = STUDIES[paper]
    job, estimator = Job(paper, study.datasets[0], f"{RIVAL}test", ""), ESTIMATORS[study.rival_kind]
    result = study.beside("rival", estimator)(context(job, data))
    assert {row.role for row in result.rows} == {"ours"}
    assert written(job, result)

    class Vandal(estimator):
        def fit(self, Xs, *labels):
            super().fit([X.copy() for X in Xs], *(y.copy() for y in labels))
            for each in labels or [X.data for X in Xs]:
                each[:] = 0
            return self

        def predict(self, Xs):
            found = super().predict(Xs)
            for X in Xs:
                X.data[:] = 0
            return found

    ((plan, answer),) = study.rivals
    show_clusters(monkeypatch)
    ways = ((Watched(), estimator), (Watched(rng), estimator), (Watched(), Vandal))
    found = []
    for watched, make in ways if paper != "coplsa_multimodal" else ():
        monkeypatch.setattr(study, "rivals", [(watched.plan(plan), answer)])
        rows = study.beside("rival", make)(context(job, data)).rows
        found.append([(row.run, row.value) for row in rows])
    assert all(each == found[0] for each in found)


def absurd(value):
    """A value that no setting may take in the place of another."""
    if isinstance(value, PerKind):
        return {kind: absurd(one) for kind, one in value if one is not None}
    if isinstance(value, list):
        return [] if value == [] else [absurd(value[0])]
    wrong = {bool: "perhaps", int: 10**9, float: math.nan, str: "absurd"}
    return wrong[type(value)]


@pytest.mark.parametrize("paper", STUDIES)
def test_absurd_settings_are_refused_by_name(paper):
    kind = STUDIES[paper].settings
    for path, _ in leaves(kind):
        value = reduce(getattr, path, complete(kind, {}))
        if value is not None:
            given = reduce(lambda inner, name: {name: inner}, reversed(path), absurd(value))
            with pytest.raises(SettingsError, match=re.escape(".".join(path))):
                complete(kind, given)
