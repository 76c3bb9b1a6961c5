"""A declared study: what is read, what is fitted how often, which rows come out."""

import math
from collections import Counter
from types import SimpleNamespace
from typing import Generic, Literal, TypeVar

import numpy as np
import pandas as pd
import pytest

from manyviews.baselines.mvc import MultiViewClustering
from manyviews.seeding import generator
from reproduction.results import settings
from reproduction.results import study as study_module
from reproduction.results.cases import StudyError
from reproduction.results.draws import draw_per_class
from reproduction.results.jobs import Context, Job
from reproduction.results.rows import Row
from reproduction.results.settings import PerKind, Settings, setting
from reproduction.results.study import Study
from reproduction.results.tables import number, text

T = TypeVar("T")


class BySize(PerKind, Generic[T]):
    small: T
    large: T


class Section(Settings):
    runs: int = setting(1, "Runs of a table.")
    bonuses: list[int] = setting([2, 3], "Tried.")


class Toy(Settings):
    runs: BySize[int] = setting({"small": 5, "large": 3}, "Runs.", quick={"small": 2, "large": 1})
    steps: int = setting(4, "Steps.")
    short: int = setting(2, "Tried.")
    bonus: int = setting(0, "Added to the answer.")
    bonuses: list[int] = setting([1, 3, 2], "Tried.")
    folds: int = setting(1, "Folds.")
    kind: Literal["plain", "odd"] = setting("plain", "Kind of the split.")
    more_runs: int = setting(3, "Runs of the choices.")
    inner: Section = settings.section(Section, "A section.")


def toy():
    """Answers are computed by hand; calls are counted. The recorded fit ends after three steps."""
    calls = Counter()
    study = Study("toy", ("one", "two"), Toy, kinds={"one": "small", "two": "large"})

    @study.views
    def views(files, dataset_kind):
        calls["views"] += 1
        return sum(file.size for file in files.values())

    @study.split
    def split(views, run, seeded, folds, kind):
        calls["split"] += 1
        seeded("folds", run)
        for fold in range(folds):
            yield SimpleNamespace(run=run, fold=fold, odd=kind == "odd", size=views)

    @study.several(["left", "right"])
    def both(part, bonus):
        calls["both"] += 1
        value = part.run + bonus + part.fold / 10 + 100 * part.odd
        return {"left": value, "right": -value}

    @study.several({"long": "own"}, along="steps")
    def long(part, run, seeded):
        calls["long"] += 1
        seeded("start", run)
        yield from ({"own": step} for step in range(1, 4))

    study.method("sized", role="ours")(lambda part: part.size)
    study.metric("value")(lambda part, answer: answer)
    return study, calls


def run(study, name, dataset="one", files=(), **changed):
    data = {key: SimpleNamespace(size=7) for key in (dataset, *(f"{dataset}.{f}" for f in files))}
    context = Context(Job("toy", dataset, name, "", views=tuple(data)), data, Toy(**changed))
    result = study(context)
    return {
        (row.table, row.method, row.reading, row.run, *row.at.values()): row.value
        for row in result.rows
    }, result.details


@pytest.fixture(autouse=True)
def _toys_have_no_room(monkeypatch):
    monkeypatch.setattr(study_module, "module_name", lambda key, part: f"{key}.{part}")


def test_rows_by_hand():
    study, calls = toy()

    @study.metric("signed", text("side"))
    def signed(part, answer):
        yield {"side": "plus"}, answer
        yield {"side": "minus"}, -answer

    study.table("1", ["left", "long"], runs="runs")
    study.table("fig", ["long"], runs="runs", along=number("step"))
    rows, _ = run(study, "tables", "two", folds=2)
    # run 1, fold 1 of 2 is the fourth part
    assert rows["1", "left", "inferred", 3] == rows["1", "left", "inferred", 3, "plus"] == 1.1
    assert rows["1", "left", "inferred", 3, "minus"] == -1.1
    assert rows["1", "long", "inferred", 0] == 3
    # the fit ends after three steps, its last answer stands for the fourth
    assert [rows["fig", "long", "inferred", 2, step] for step in (2, 3, 4)] == [2, 3, 3]
    assert len(rows) == 3 * 2 * 3 * (2 + 4)
    # a part is fitted once, and the table takes the last step of what the figure records
    assert calls == {"views": 1, "split": 3, "both": 6, "long": 6}
    assert study.reads("tables") == ("runs", "steps", "bonus", "folds", "kind")


def test_a_choice_is_named_by_its_value_and_refits_nothing():
    study, calls = toy()
    first = study.table("1", ["left", "sized"], runs="runs")
    study.choice("bonus", "bonuses", of=first, runs="more_runs")
    study.choice("kind", of=first, runs="more_runs")
    rows, _ = run(study, "choices", folds=2, bonuses=[0, 3])
    assert rows["choice:bonus", "left", "3", 0] == 3
    assert rows["choice:bonus", "left", "0", 0] == rows["choice:kind", "left", "plain", 0] == 0
    assert rows["choice:kind", "left", "odd", 0] == 100
    # two splits; the plain one with both values, the odd one with one: 3 runs of 2 folds
    assert calls == {"views": 1, "split": 6, "both": 18}
    assert study.reads("choices") == ("bonus", "bonuses", "folds", "kind", "more_runs")


def test_a_section_has_runs_and_values_and_parts_are_pooled():
    study, _ = toy()
    study.table(
        "1", ["left"], runs="inner.runs", vary={"bonus": "inner.bonuses"},
        columns={"bonus": number("bonus")}, pooled=True,
    )  # fmt: skip
    assert study.reads("tables") == ("folds", "kind", "inner")
    rows, _ = run(study, "tables", folds=2)
    # the folds 0 and 1 of the only run give 2 and 2.1
    assert rows["1", "left", "inferred", 0, 2] == pytest.approx(2.05)
    assert len(rows) == 2


def test_an_unknown_name_is_refused_when_the_table_is_declared():
    study, _ = toy()
    study.method("wrong")(lambda part, bonnus: 0.0)
    with pytest.raises(StudyError, match=r"table '2' reads 'bonnus', which is no setting; declare"):
        study.table("2", runs="runs")


@pytest.mark.parametrize(
    "seeds",
    [
        lambda part, run, seeded: seeded("once"),
        lambda part, run, seeded: seeded("once", part.run),
        lambda part, run, seeded: [seeded("view", run) for view in range(2)],
    ],
    ids=["run", "fold", "view"],
)
def test_a_seed_that_is_shared_is_refused(seeds):
    study, _ = toy()
    study.method("careless")(lambda part, run, seeded: seeds(part, run, seeded) and 0.0)
    study.table("2", ["careless"], runs="runs")
    with pytest.raises(StudyError, match="is asked for twice; put the run among its names"):
        run(study, "tables", folds=2)


def test_seeds_are_those_of_paper_data_set_and_names():
    study, _ = toy()
    study.method("drawn")(lambda part, run, seeded: seeded("pool", run).random())
    study.table("2", ["drawn"], runs="runs")
    rows, _ = run(study, "tables", "two", folds=2)
    assert [*rows.values()] == [generator("toy", "two", "pool", n).random() for n in range(6)]


def test_a_rival_runs_beside_a_table_with_another_seed_in_every_run():
    study, _ = toy()
    plan = study.table("1", ["left"], runs="runs")
    study.rival(plan)(lambda part, model, bonus: bonus + model.random_state)
    job = Job("toy", "one", "rival_mine", "")
    assert study.reads(job.name) == ("runs", "bonus", "folds", "kind")
    context = Context(job, {"one": SimpleNamespace(size=4)}, Toy(bonus=7))
    rows = study.beside("Mine", MultiViewClustering)(context).rows
    assert {(row.table, row.method, row.role) for row in rows} == {("1", "Mine", "ours")}
    assert len({row.value for row in rows}) == 5


def test_a_setting_of_kinds_is_that_of_the_data_set_and_views_are_prepared_once():
    study, calls = toy()
    study.table("1", ["sized"], runs="runs", files=["more"])
    for dataset, runs in (("one", 5), ("two", 3)):
        rows, _ = run(study, "tables", dataset, files=["more"])
        assert rows == {("1", "sized", "inferred", n): 14 for n in range(runs)}
    assert calls["views"] == 2
    assert {job.views for job in study.jobs} == {("one", "one.more"), ("two", "two.more")}


def test_values_and_details_ask_for_what_is_prepared_and_a_value_may_name_the_reading():
    study, calls = toy()
    tried = {"bonus": lambda views, short: [views, short]}
    study.table("1", ["left"], runs=2, vary=tried, named="bonus")
    study.details("tables")(lambda views, steps: {"prepared": views, "steps": steps})
    rows, details = run(study, "tables")
    readings = {"7": 7, "2": 2}
    assert rows == {("1", "left", r, n): n + b for r, b in readings.items() for n in range(2)}
    assert details == {"prepared": 7, "steps": 4}
    assert calls["views"] == 1
    assert study.reads("tables") == ("steps", "short", "folds", "kind")


def test_kinds_have_defaults_limits_and_words():
    assert settings.defaults(Toy, "quick")["runs"] == {"small": 2, "large": 1}
    assert settings.complete(Toy, {"runs": {"large": 9}}).runs == BySize[int](small=5, large=9)
    keys = {
        entry.key: (entry.description, entry.full, entry.quick)
        for entry in settings.documented(Toy)
    }
    assert keys["runs.large"] == ("Runs.", 3, 1)


def test_several_methods_share_a_fit():
    study, calls = toy()
    study.table("1", {"shown": "left", "right": "right"}, runs="runs")
    study.table("2", ["left"], runs="runs", given={"bonus": 10}, reading="other")
    rows, _ = run(study, "tables")
    assert rows["1", "shown", "inferred", 3] == 3
    assert rows["1", "right", "inferred", 3] == -3
    assert rows["2", "left", "other", 3] == 13
    assert calls["both"] == 10


def test_a_search_keeps_the_best_mean_over_runs_and_tells_all():
    study, _ = toy()
    scores = {1: [9, 0, 0], 3: [0, 6, 0], 2: [4, 4, 4]}  # by run; in each another is best
    study.table(
        "1", ["left"], runs="runs", vary={"bonus": "bonuses"},
        best=("bonus", lambda part, answer: scores[answer["left"] - part.run][part.run]),
    )  # fmt: skip
    rows, details = run(study, "tables", "two")
    assert rows == {("1", "left", "inferred", n): n + 2 for n in range(3)}
    assert details["searches"]["inferred"] == [{"tried": [[1, 3.0], [3, 2.0], [2, 4.0]]}]
    scores[3] = [4, 4, 4]  # as good as 2, and before it
    rows, _ = run(study, "tables", "two")
    assert rows["1", "left", "inferred", 0] == 3
    scores[1] = [9, math.nan, math.nan]  # only the first run has a score
    rows, _ = run(study, "tables", "two")
    assert rows["1", "left", "inferred", 2] == 3


def test_jobs_that_ask_for_earlier_rows_come_after_those_and_times_are_kept_apart():
    study, _ = toy()
    study.first = "before"
    study.method("late")(lambda part, earlier: 0 if earlier is None else len(earlier))
    study.table("1", ["late"], runs=1, job="before")
    study.table("2", ["late"], runs=1, datasets=["one"])
    study.table("time", ["sized"], runs=1, datasets=["one"], job="alone", timed=True)
    after = {job.place: job.after for job in study.jobs}
    assert after == {
        "one/before": (), "two/before": (), "one/tables": ("one/before",), "one/alone": (),
    }  # fmt: skip
    data = SimpleNamespace(size=7)
    for found, value in (({}, 0), ({"one/before": [1, 2, 3]}, 3)):
        context = Context(Job("toy", "one", "tables", ""), {"one": data}, Toy(), found)
        assert [row.value for row in study(context).rows] == [value]
    assert [name for name, table in study.tables.items() if table.timed] == ["time"]


def test_shares_of_a_divided_job_make_every_row_once():
    study, _ = toy()
    study.table("1", ["left", "right", "sized"], runs="runs")
    whole, _ = run(study, "tables")
    study.divide("one", "tables", {"pair": (["left", "right"], 2), "rest": (["sized"], 1)})
    names = [job.name for job in study.jobs if job.dataset == "one"]
    assert names == ["pair_1", "pair_2", "rest"]
    parts = [run(study, name)[0] for name in names]
    assert sum(map(len, parts)) == len(whole)
    assert {key: value for part in parts for key, value in part.items()} == whole


def test_rows_are_made_of_rows_of_the_job_itself_or_of_jobs_before():
    study, _ = toy()
    at = number("size", optional=True)
    study.table("1", ["left", "right"], runs=2, vary={"bonus": [5]}, columns={"bonus": at})

    def largest(rows):
        left = rows[rows["method"] == "left"]
        yield Row("1", {}, "left", "largest", float(left["value"].max()))
        yield Row("2", {"size": float(len(rows))}, "right", "value", 0.0, role="ours")

    study.summary("tables", {"1": (), "2": (at,)})(largest)
    study.summary("later", {"2": (at,)}, after=["tables"])(largest)
    places = ("one/tables", "two/tables")
    (later,) = (job for job in study.jobs if job.after)
    assert (later.place, later.after, later.view_keys) == ("all/later", places, ())
    own = study(Context(study.jobs[0], {"one": SimpleNamespace(size=7)}, Toy())).rows
    assert [(row.method, row.value) for row in own if row.metric == "largest"] == [("left", 6.0)]
    assert [row.at for row in own if row.table == "2"] == [{"size": 4.0}]
    frame = pd.DataFrame([{**vars(row), **row.at} for row in own if row.metric == "value"])
    results = dict.fromkeys(places, frame[frame["table"] == "1"])
    rows = study(Context(later, {}, Toy(), results)).rows
    assert [row.at for row in rows] == [{}, {"size": 8.0}]
    assert study.tables["1"].columns[0].optional


def test_draws_take_the_share_of_every_class(rng):
    y = np.repeat([0, 1, 2, -1], [100, 41, 3, 20])
    mask = draw_per_class(y, 0.05, rng)
    assert [mask[y == c].sum() for c in (0, 1, 2, -1)] == [5, 3, 1, 0]
    rounded = draw_per_class(y, 0.05, rng, rounding="round")
    assert [rounded[y == c].sum() for c in (0, 1, 2)] == [5, 2, 1]
    assert draw_per_class(y, 1.0, rng).sum() == 144
    with pytest.raises(ValueError, match=r"rate must be .*1\.5"):
        draw_per_class(y, 1.5, rng)


def test_a_share_that_floating_point_makes_too_large_is_no_document_more(rng):
    y = np.zeros(100, dtype=int)
    assert 0.07 * y.size > 7  # what this is about
    for hundredths in range(1, 101):
        assert draw_per_class(y, hundredths / 100, rng).sum() == hundredths
