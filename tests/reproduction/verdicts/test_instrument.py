"""What the verdicts say where the answer is known: recounted by hand, never better when wrong."""

import numpy as np
import pandas as pd
import pytest

from asprinted.agreement import WORDS, Figure, judge
from asprinted.claims import better
from asprinted.margins import load_margins
from asprinted.simulate import ANY, OTHER_METHOD, OTHER_PAPER, SAID, SAME_CODE, misplaced, simulate
from asprinted.words import SUMMARY
from reproduction.pages import instrument

UNIT = load_margins().unit("accuracy_pct")
SIDES = {
    "print": ("published", "published_std", "published_runs"),
    "us": ("ours", "ours_std", "runs"),
}


def invented(rng, papers=("one", "two"), spread=2.0):
    """A ledger of papers with columns of methods far enough apart to be told from one another."""
    rows = []
    for paper in papers:
        for dataset in ("a", "b", "c"):
            for place, truth in enumerate(rng.permutation([50.0, 56.0, 63.0, 71.0, 80.0])):
                for setting in ("r=1", "r=2"):
                    published, ours = truth + rng.normal(0, spread, 2)
                    rows.append([paper, dataset, setting, f"M{place}", published, ours])
    ledger = pd.DataFrame(
        rows, columns=["paper", "dataset", "setting", "method", "published", "ours"]
    )
    return ledger.assign(
        table="1", metric="accuracy_pct", unit=UNIT.name, published_std=1.0, published_runs=10,
        ours_std=rng.uniform(0.5, 4.0, len(ledger)), runs=8, repeats="", data="same",
        agreement="near", readings_low=ledger["ours"] - 9, readings_high=ledger["ours"] + 3,
        data_key=ledger["dataset"],
    )  # fmt: skip


def recounted(ledger):
    """Words of all cells, and of the sentences about neighbours, one by one."""
    cells, said = [], []
    for _, row in ledger.iterrows():
        cells.append(judge(*(Figure(*row[list(names)]) for names in SIDES.values()), UNIT).word)
    for _, column in ledger.groupby(["paper", "dataset", "setting"]):
        rows = column.assign(
            value=column["ours"], std=column["ours_std"], run=0, reading=SUMMARY, provenance="same"
        )
        for place in range(len(rows) - 1):
            pair = rows.iloc[[place, place + 1]].sort_values("published", ascending=False)
            said.append(better(pair.iloc[:1], pair.iloc[1:]).word)
    return [
        number
        for words, found in ((WORDS, cells), (SAID, said))
        for number in (len(found), *(found.count(word) / len(found) for word in words))
    ]


def test_the_shares_are_those_of_a_recount(rng):
    ledger = invented(rng, spread=3.0)
    assert misplaced(ledger, SAME_CODE) == pytest.approx(recounted(ledger))


def test_exchanged_methods_and_foreign_print_never_score_better_than_truth():
    for seed in range(20):
        ledger = invented(np.random.default_rng(seed))
        found = simulate(ledger, papers=10)
        whole = found[found["distance of the truths"] == ANY].set_index("truth behind print")
        for kind in (OTHER_METHOD, OTHER_PAPER):
            for word in ("equivalent", "compatible", "holds"):
                assert whole.loc[kind, word] < whole.loc[SAME_CODE, word]
            for word in ("different", "refuted"):
                assert whole.loc[kind, word] > whole.loc[SAME_CODE, word]
            right, wrong = (misplaced(ledger, each, ledgers=5) for each in (SAME_CODE, kind))
            assert wrong[1] < right[1]
            assert wrong[6] < right[6]


def test_a_print_without_another_paper_is_not_judged_by_one(rng):
    ledger = invented(rng, papers=("one",))
    assert misplaced(ledger, OTHER_PAPER)[0] == 0
    assert OTHER_PAPER not in set(simulate(ledger, papers=4)["truth behind print"])


def test_the_table_has_a_control_as_it_is_and_with_each_fault(rng, monkeypatch):
    """Cells and rows invented for the control: right as it is, wrong with the fault."""
    ledger = pd.concat([invented(rng), invented(rng, papers=("sgc",)).iloc[:1]])
    ledger.loc[ledger["paper"] == "sgc", "table"] = "2"
    cell = ledger.iloc[-1]
    places = {("2", "", "inferred"): 0.0, ("choice:steps", "K=1", "one step"): -20.0}
    rows = [
        {
            "table": table, "setting": setting, "reading": reading, "run": run, "role": "published",
            "dataset": cell["dataset"], "method": cell["method"], "metric": cell["metric"],
            "value": cell["published"] + off + rng.normal(0, 0.01), "steps": float(bool(off)),
            "provenance": "same",
        }
        for (table, setting, reading), off in places.items()
        for run in range(4)
    ]  # fmt: skip
    monkeypatch.setattr(instrument, "load_results", lambda paper: pd.DataFrame(rows))
    simulated = simulate(ledger, papers=6)
    found = instrument.instrument_frame(ledger, simulated)
    names = [*instrument.KNOWN, instrument.AS_IS, *instrument.LEDGERS]
    assert list(found["what is done to it"]) == [*names, instrument.AS_IS, "steps: K=1"]
    own = found[found["judged"] == "SGC"]
    assert list(own["cells"]) == [1, 1]
    assert list(own["equivalent"]) == [1, 0]
    assert list(own["different"]) == [0, 1]
    ours = found[found["judged"] == "our ledger"].iloc[0]
    assert list(ours.iloc[2:]) == pytest.approx(recounted(ledger[ledger["paper"] != "sgc"]))
    truth = found.iloc[0]
    same = simulated[simulated["truth behind print"] == SAME_CODE]
    assert truth["cells"] == same.loc[same["distance of the truths"] != ANY, "cells"].sum()
