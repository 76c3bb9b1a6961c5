"""A declared study: what is read, what is fitted how often, which rows come out."""

from collections import Counter
from types import SimpleNamespace
from typing import Literal

import pytest

from manyviews.baselines.mvc import MultiViewClustering
from manyviews.seeding import generator
from reproduction.results.cases import StudyError
from reproduction.results.jobs import Context, Job
from reproduction.results.settings import Settings, section, setting
from reproduction.results.study import Study
from reproduction.results.tables import number, text


class Section(Settings):
    runs: int = setting(1, "Runs of a table.")
    weights: list[float] = setting([2.0, 3.0], "Weights tried.")


class Toy(Settings):
    runs: int = setting(2, "Runs.")
    more_runs: int = setting(3, "Runs of the choices.")
    folds: int = setting(2, "Folds.")
    steps: int = setting(3, "Steps of the recorded method.")
    weight: float = setting(1.0, "Weight of the method.")
    weights: list[float] = setting([0.5, 1.0], "Weights tried.")
    kind: Literal["plain", "odd"] = setting("plain", "Kind of the split.")
    offset: float = setting(0.0, "Added to the answer of the recorded method.")
    inner: Section = section(Section, "A section.")


def toy(job="tables"):
    """A study of two methods whose answers are computed by hand; calls are counted."""
    calls = Counter()
    study = Study("toy", ("here",), Toy)

    @study.split
    def split(data, run, seeded, folds, kind):
        calls["split"] += 1
        seeded("folds", run)
        for fold in range(folds):
            yield SimpleNamespace(run=run, fold=fold, odd=kind == "odd", size=data.size)

    @study.method("weighted")
    def weighted(part, weight):
        calls["weighted"] += 1
        return 10 * weight + part.run + part.fold / 10 + 100 * part.odd

    @study.method("recorded", role="control", along="steps")
    def recorded(part, run, seeded, offset):
        calls["recorded"] += 1
        seeded("start", run)
        for step in range(1, 4):
            calls["step"] += 1
            yield step + offset

    @study.metric("sum", text("side"))
    def sums(part, answer):
        yield {"side": "left"}, answer
        yield {"side": "right"}, -answer

    first = study.table("1", runs="runs", job=job)
    study.table("fig", ["recorded"], runs="runs", along=number("step"), job=job)
    study.choice("weight", "weights", of=first, runs="more_runs")
    study.choice("kind", of=first, runs="more_runs")
    return study, calls


def run(study, name, **changed):
    data = SimpleNamespace(size=4)
    context = Context(Job("toy", "here", name, ""), {"here": data}, Toy(**changed))
    return {
        (row.table, row.method, row.reading, row.run, *sorted(row.at.items())): row.value
        for row in study(context).rows
    }


def test_rows_by_hand():
    study, calls = toy()
    rows = run(study, "tables")
    left = ("side", "left")
    # run 1, fold 1 of 2 is the fourth part
    assert rows["1", "weighted", "inferred", 3, left] == 10 + 1 + 0.1
    assert rows["1", "weighted", "inferred", 3, ("side", "right")] == -11.1
    assert rows["1", "recorded", "inferred", 0, left] == 3
    assert rows["fig", "recorded", "inferred", 2, left, ("step", 2)] == 2
    assert len(rows) == 2 * 2 * (2 * 2 + 2 * 3)
    # a part is fitted once, and the table takes the last step of what the figure records
    assert calls == {"split": 2, "weighted": 4, "recorded": 4, "step": 12}


def test_a_choice_is_named_by_its_value_and_refits_nothing():
    study, calls = toy()
    rows = run(study, "choices")
    left = ("side", "left")
    assert rows["choice:weight", "weighted", "0.5", 0, left] == 5
    assert rows["choice:weight", "weighted", "1", 0, left] == 10
    assert rows["choice:kind", "weighted", "odd", 0, left] == 110
    # two splits; the plain one with both weights, the odd one with one: 3 runs of 2 folds
    assert calls == {"split": 6, "weighted": 18}


def test_a_job_reads_what_its_functions_ask_for():
    study, _ = toy()
    assert study.reads("tables") == ("runs", "folds", "steps", "weight", "kind", "offset")
    assert study.reads("choices") == ("more_runs", "folds", "weight", "weights", "kind")


def test_a_section_has_runs_and_values_and_parts_are_pooled():
    study, _ = toy()
    study.table(
        "pooled", ["weighted"], runs="inner.runs", vary={"weight": "inner.weights"},
        columns={"weight": number("weight")}, job="pooled", pooled=True,
    )  # fmt: skip
    assert study.reads("pooled") == ("folds", "kind", "inner")
    rows = run(study, "pooled")
    # the folds 0 and 1 of the only run give 20 and 20.1
    key = ("pooled", "weighted", "inferred", 0, ("side", "left"))
    assert rows[*key, ("weight", 2.0)] == pytest.approx(20.05)
    assert len(rows) == 2 * 2


def test_an_unknown_name_is_refused_when_the_table_is_declared():
    study, _ = toy()
    study.method("wrong")(lambda part, weigth: 0.0)
    with pytest.raises(StudyError, match=r"table '2' reads 'weigth', which is no setting; declare"):
        study.table("2", runs="runs")


@pytest.mark.parametrize(
    "seeds",
    [
        lambda part, run, seeded: seeded("start"),
        lambda part, run, seeded: seeded("start", part.run),
        lambda part, run, seeded: [seeded("view", run) for view in range(2)],
    ],
    ids=["run", "fold", "view"],
)
def test_a_seed_that_is_shared_is_refused(seeds):
    study, _ = toy()

    @study.method("careless")
    def careless(part, run, seeded):
        seeds(part, run, seeded)
        return 0.0

    study.table("2", ["careless"], runs="runs", job="seeds")
    with pytest.raises(StudyError, match="is asked for twice; put the run among its names"):
        run(study, "seeds")


def test_seeds_are_those_of_paper_data_set_and_names():
    study, _ = toy()
    study.method("drawn")(lambda part, run, seeded: seeded("pool", run).random())
    study.table("2", ["drawn"], runs="runs", job="seeds")
    drawn = [value for value in run(study, "seeds").values() if value > 0]
    assert drawn == [generator("toy", "here", "pool", number).random() for number in range(4)]


def test_a_rival_runs_beside_a_table_with_another_seed_in_every_run():
    study, _ = toy()
    study.rival(study.plans[0])(lambda part, model, weight: weight + model.random_state)
    job = Job("toy", "here", "rival_mine", "")
    assert study.reads(job.name) == ("runs", "folds", "weight", "kind")
    context = Context(job, {"here": SimpleNamespace(size=4)}, Toy(weight=7.0))
    rows = study.beside("Mine", MultiViewClustering)(context).rows
    assert {(row.table, row.method, row.role) for row in rows} == {("1", "Mine", "ours")}
    assert len({row.value for row in rows if row.at == {"side": "left"}}) == 4
