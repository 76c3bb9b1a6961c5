"""What holds for every paper that is declared in one file."""

import contextlib
import re
from functools import reduce

import pytest

from manyviews.baselines.mvc import MultiViewClustering
from manyviews.baselines.naive_bayes import NaiveBayesEnsemble
from reproduction.data.registry import load_registry
from reproduction.data.surrogates.draw import build_surrogate
from reproduction.results.jobs import RIVAL, Context, Job
from reproduction.results.published import printed_methods
from reproduction.results.rows import result_frames, table_text
from reproduction.results.settings import PerKind, Settings, SettingsError, complete
from reproduction.rooms import paper_keys, room, study_of, tables_of

STUDIES = {key: study_of(key) for key in paper_keys() if study_of(key)}
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
    pytest.param(key, path, kind, id=f"{key} {'.'.join(path)}")
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
    views = dict.fromkeys(job.view_keys, data[job.dataset])
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


@pytest.mark.parametrize("job", JOBS.values(), ids=lambda job: f"{job.paper}/{job.place}")
def test_the_same_settings_give_the_same_rows(job, data):
    first, second = (written(job, job.load()(context(job, data))) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("job", JOBS.values(), ids=lambda job: f"{job.paper}/{job.place}")
def test_what_is_remembered_changes_no_row(job, data):
    """Every table of a job alone, so that nothing is shared, gives the rows of all together."""
    study = STUDIES[job.paper]
    plans, *share = study.work[job.dataset, job.name]
    plans = [plan for plan in plans if not plan.timed]
    given = context(job, data)
    alone = [row for plan in plans for row in study.run(given, [plan], *share).rows]
    together = study.run(given, plans, *share).rows
    assert sorted(map(repr, alone)) == sorted(map(repr, together))


def other_values(value, words):
    """Values that a setting may take besides its own."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, PerKind):
        for kind, one in value:
            yield from ({kind: other} for other in other_values(one, ()))
    elif isinstance(value, int | float):
        yield from (type(value)(value / 2), value + 1, value - 1)
    elif isinstance(value, list):
        yield from (value[:-1], value[1:], value * 2)
        if not any(isinstance(each, str) for each in value):
            yield from ([each + 1 for each in value], [type(each)(each / 2) for each in value])
    else:
        yield from (word for word in words if word != value)


@pytest.mark.parametrize("paper", STUDIES)
def test_every_setting_of_a_section_is_named_where_it_is_read(paper):
    """A job reads a section as a whole, so its settings are looked for in the sources."""
    sources = [p.read_text() for p in room(paper).glob("*.py") if p.name != "settings.py"]
    for path, _ in leaves(STUDIES[paper].settings):
        name = ".".join(path)
        assert len(path) == 1 or any(name in text for text in sources), f"nothing reads {name}"


@pytest.mark.parametrize(("paper", "path", "kind"), SETTINGS)
def test_every_setting_changes_something(paper, path, kind, data):
    study = STUDIES[paper]
    own = reduce(getattr, path, complete(study.settings, {}, size="quick"))
    jobs = [job for job in JOBS.values() if job.paper == paper and path[0] in study.reads(job.name)]
    assert jobs, f"no job of {paper} reads {path[0]}"
    for job in jobs:
        before = written(job, job.load()(context(job, data)))
        for value in other_values(own, getattr(kind, "__args__", ())):
            changed = reduce(lambda inner, name: {name: inner}, reversed(path), value)
            with contextlib.suppress(SettingsError):  # out of its range
                if written(job, job.load()(context(job, data, **changed))) != before:
                    return
    pytest.fail(f"no other value of {'.'.join(path)} changes a row of {paper}")


@pytest.mark.parametrize("paper", [key for key, study in STUDIES.items() if study.rivals])
def test_an_estimator_of_the_library_runs_beside_the_methods(paper, data):
    study = STUDIES[paper]
    job = Job(paper, study.datasets[0], f"{RIVAL}test", "")
    estimator = {"classifier": NaiveBayesEnsemble, "clusterer": MultiViewClustering}
    result = study.beside("rival", estimator[study.rival_kind])(context(job, data))
    assert {row.role for row in result.rows} == {"ours"}
    assert written(job, result)
