"""Further runs of a figure near an edge, from the first runs to the ledger, on scripted values.

Table 2 of cotraining prints an error of 12.4 for naive Bayes on links, without a deviation and over
5 draws; the margin is 2, so 17.4 is the edge between near and different.
"""

import json
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from small_run import DATASET, PAPER, SmallRun, write_inputs

from reproduction.data.build import build_views
from reproduction.data.fetch import fetch
from reproduction.papers.cotraining import tables
from reproduction.results.custody import CustodyError
from reproduction.results.further import Limits
from reproduction.results.jobs import find_job, further_job
from reproduction.results.published import load_published
from reproduction.results.rows import Result, Row
from reproduction.results.runner import run_job
from reproduction.rooms import Paper
from reproduction.verdicts.chain import gather
from reproduction.verdicts.explain import explain
from reproduction.verdicts.further import run_further
from reproduction.verdicts.ledger import LedgerError
from reproduction.verdicts.score import score_paper

FOUR = Limits(4, 60.0)
CELL = ("supervised", "links")
#: Hardly any spread: near (5.0 from print) or different (5.02), whichever runs are drawn.
AT_THE_EDGE = (17.39, 17.41, 17.40)


def printed():
    table = load_published(PAPER)
    keys = zip(table["method"], table["classifier"], strict=True)
    return dict(zip(keys, table["mean"], strict=True))


def scripted(script):
    """Rows of Table 2 in which every figure is print, but for one that follows a script."""

    def table_2(context):
        rows = []
        for run in context.runs(context.settings.draws):
            for (method, classifier), mean in printed().items():
                jitter = 0.01 * (-1) ** run
                value = script(run) if (method, classifier) == CELL else mean + jitter
                at = {"classifier": classifier}
                rows.append(Row("2", at, method, "error_pct", value, run=run))
            rows += [
                Row("2", {"classifier": name}, "majority", "error_pct", 22.0, run=run,
                    role="control")
                for name in ("page", "links", "combined")
            ]  # fmt: skip
        return Result(rows)

    return table_2


class Bench:
    """A small paper whose table follows a script."""

    def __init__(self, root, rng):
        self.run = SmallRun(root)
        write_inputs(self.run, rng)
        self.registry, folders = self.run.registry(), self.run.folders
        self.provenance = fetch(DATASET, registry=self.registry, raw_dir=folders.raw)
        data = build_views(
            DATASET,
            raw_dir=folders.raw / DATASET,
            registry_entry=self.registry[DATASET],
            provenance=self.provenance,
        )
        data.save(folders.views / f"{DATASET}.npz")
        self.settings = self.run.config().settings(PAPER).model_dump()
        self.job = find_job(PAPER, DATASET, "table2")

    @property
    def places(self):
        return {"views_dir": self.run.folders.views, "results_dir": self.run.folders.results}

    @contextmanager
    def following(self, script):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tables, "table_2", scripted(script))
            yield

    def first(self, script):
        with self.following(script):
            for name in ("table2", "choices", "trajectory"):
                run_job(find_job(PAPER, DATASET, name), self.settings, **self.places)

    def further(self, script, limits=FOUR):
        with self.following(script):
            return run_further(
                self.job,
                self.settings,
                limits,
                self.registry,
                {DATASET: self.provenance},
                **self.places,
            )

    def score(self, limits=FOUR):
        evidence = gather(PAPER, self.settings, {}, self.registry, self.run.folders, limits)
        ledger, _ = score_paper(
            PAPER,
            results=self.run.folders.results,
            jobs=evidence.jobs,
            registry=self.registry,
            provenance=evidence.provenance,
        )
        return ledger

    def cell(self, ledger):
        there = (ledger["method"] == CELL[0]) & (ledger["classifier"] == CELL[1])
        return ledger[there].iloc[0]

    @property
    def table(self):
        return self.run.result("table2.further")


@pytest.fixture
def bench(tmp_path, rng):
    return Bench(tmp_path / "run", rng)


def at_the_edge(run):
    return AT_THE_EDGE[run % 3]


def test_a_figure_near_an_edge_gets_the_runs_that_make_it_sure(bench):
    # three runs at 17.4, then 17.0: the mean of six is 17.2, and a mean of resampled runs reaches
    # 17.4 only if five or six of them are drawn from the first three (7 in 64) and lie high
    script = lambda run: at_the_edge(run) if run < 3 else 17.0  # noqa: E731
    bench.first(script)
    before = bench.run.result().read_bytes()
    taken = bench.further(script)
    assert [runs for runs, _ in taken] == [3, 6]
    assert [near.cell for near in taken[0][1]] == [bench.cell(bench.score())["cell"]]
    assert taken[0][1][0].stable < 0.9
    assert taken[1][1] == []
    assert bench.run.result().read_bytes() == before
    rows = pd.read_csv(bench.table)
    assert sorted(rows["run"].unique()) == [3, 4, 5]

    ledger = bench.score()
    row = bench.cell(ledger)
    assert (row["runs"], row["first_runs"], row["published_runs"]) == (6, 3, 5)
    assert row["ours"] == pytest.approx((17.39 + 17.41 + 17.40 + 3 * 17.0) / 6)
    assert row["agreement"] == "near"
    assert row["stable"] >= 0.9
    assert row["runs_why"] == ("its job went on from 3 to 6 runs, as a figure was near an edge")
    assert row["seed"].endswith("table2 runs 0-5")
    assert set(ledger["runs"]) == {6}  # the unit is the job
    text = explain(row["cell"], bench.run.folders.results, bench.run.root / "none.csv")
    assert "over 6 runs" in text
    assert row["runs_why"] in text
    assert "17.39 17.41 17.4 17 17 17" in text


def test_print_keeps_our_first_number_of_runs_where_the_text_gives_none(bench, monkeypatch):
    monkeypatch.setattr(Paper, "printed_runs", lambda card, table: None)
    bench.first(at_the_edge)
    bench.further(at_the_edge)
    row = bench.cell(bench.score())
    assert (row["runs"], row["published_runs"]) == (12, 3)


def test_sure_figures_get_none(bench):
    script = lambda run: 14.9 + 0.01 * (-1) ** run  # noqa: E731
    bench.first(script)
    assert [runs for runs, _ in bench.further(script)] == [3]
    assert len(pd.read_csv(bench.table)) == 0
    ledger = bench.score()
    row = bench.cell(ledger)
    assert (row["runs"], row["first_runs"], row["agreement"]) == (3, 3, "near")
    assert row["stable"] >= 0.9
    assert row["runs_why"] == ""


def test_it_ends_at_the_cap_and_the_cell_says_so(bench):
    bench.first(at_the_edge)
    taken = bench.further(at_the_edge)
    assert [runs for runs, _ in taken] == [3, 6, 12]
    assert taken[-1][1]
    row = bench.cell(bench.score())
    assert row["runs"] == 12
    assert row["runs_why"] == (
        "its job went on from 3 to 12 runs, as a figure was near an edge; this one still is: "
        "4 times the declared runs are the most"
    )


def test_it_ends_at_the_budget_and_the_cell_says_so(bench):
    # a further draw is declared to cost 0.02 core seconds
    assert bench.job.further.cost == 0.02
    bench.first(at_the_edge)
    limits = Limits(4, 0.1)  # three draws are 0.06, nine are 0.18
    assert [runs for runs, _ in bench.further(at_the_edge, limits)] == [3, 6]
    row = bench.cell(bench.score(limits))
    assert "this one still is: the next doubling would take the job to 0" in row["runs_why"]
    assert row["runs_why"].endswith("over the budget of 0.1")


def test_switched_off_it_leaves_the_first_runs_alone_and_says_so(bench):
    bench.first(at_the_edge)
    bench.further(at_the_edge)  # left behind by another configuration
    row = bench.cell(bench.score(Limits(1, 60.0)))
    assert row["runs"] == 3
    assert row["runs_why"] == ("near an edge, without further runs: this configuration makes none")
    text = explain(row["cell"], bench.run.folders.results, bench.run.root / "none.csv")
    assert "= 17.39 17.41 17.4\n" in text


def test_the_same_runs_give_the_same_files(bench):
    bench.first(at_the_edge)
    bench.further(at_the_edge)
    files = [bench.table, bench.table.with_suffix(".json")]
    once = [path.read_bytes() for path in files]
    bench.further(at_the_edge)
    assert [path.read_bytes() for path in files] == once


def test_what_cannot_be_compared_is_near_no_edge(bench):
    bench.first(at_the_edge)
    bench.provenance = {**bench.provenance, "source": "surrogate"}
    assert [(runs, near) for runs, near in bench.further(at_the_edge)] == [(3, [])]


def test_a_method_that_is_fixed_asks_for_no_runs(bench):
    from dataclasses import replace

    way = replace(bench.job.further, fixed={"supervised": "it is fixed here"})
    bench.job = replace(bench.job, further=way)
    bench.first(at_the_edge)
    assert [runs for runs, _ in bench.further(at_the_edge)] == [3]


def test_a_job_that_makes_other_runs_than_those_asked_for_is_refused(bench):
    bench.first(at_the_edge)
    with pytest.MonkeyPatch.context() as patch:

        def too_few(context):
            found = scripted(at_the_edge)(context)
            return Result([row for row in found.rows if row.run != 4])

        patch.setattr(tables, "table_2", too_few)
        with pytest.raises(CustodyError, match="other further runs than 3 to"):
            run_further(
                bench.job,
                bench.settings,
                FOUR,
                bench.registry,
                {DATASET: bench.provenance},
                **bench.places,
            )


def test_further_runs_of_another_script_are_refused(bench):
    """Values that were changed so that it ends earlier, stamp and all, do not pass."""
    bench.first(at_the_edge)
    bench.further(at_the_edge)
    path = bench.table.with_suffix(".json")
    details = json.loads(path.read_text())
    details["steps"][1]["near"] = []
    path.write_text(json.dumps(details))
    with pytest.raises(LedgerError, match=r"table2\.further\.csv"):
        bench.score()


def test_the_place_of_further_runs():
    assert further_job(find_job(PAPER, DATASET, "table2")).place == f"{DATASET}/table2.further"


def test_words_are_surer_after_further_runs(rng):
    """Simulated cells: the word after the rule is oftener that of endless runs, in both ways.

    The rule looks at the share of resampled runs that give the word, never at the word.
    """
    from reproduction.verdicts.agreement import (
        STABLE,
        Figure,
        codes,
        compare,
        figure_of,
        stable_share,
    )
    from reproduction.verdicts.margins import Unit

    unit = Unit("percentage", 2.0)
    hits, changed = {"before": 0, "after": 0}, 0
    cells = 300
    for number in range(cells):
        true = float(rng.uniform(-8, 8))
        spread = float(rng.uniform(0.5, 4.0))
        printed_figure = Figure(50.0, 2.0, 20)
        values = 50.0 + true + spread * rng.standard_normal(80)
        endless = Figure(50.0 + true, spread, 10**6)
        word = codes(compare(printed_figure, endless, unit), unit.margin)
        runs = 20
        first = codes(compare(printed_figure, figure_of(values[:20]), unit), unit.margin)
        while runs < 80 and stable_share(str(number), values[:runs], printed_figure, unit) < STABLE:
            runs *= 2
        last = codes(compare(printed_figure, figure_of(values[:runs]), unit), unit.margin)
        hits["before"] += int(first == word)
        hits["after"] += int(last == word)
        changed += int(runs > 20)
    assert changed > cells / 20
    assert hits["after"] >= hits["before"]
    assert np.isfinite(hits["after"])
