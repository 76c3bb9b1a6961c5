"""What the verdicts say where the answer is known: never better when print is wrong."""

import numpy as np
import pandas as pd

from asprinted.margins import load_margins
from asprinted.simulate import ANY, SAME_CODE, _sources, simulate
from reproduction.pages import cells

UNIT = load_margins().unit("accuracy_pct")


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
    monkeypatch.setattr(cells, "load_results", lambda paper: pd.DataFrame(rows))
    simulated = simulate(ledger, papers=6)
    found = cells.instrument_frame(ledger, simulated)
    assert list(found["what is done to it"]) == [*cells.KNOWN, cells.AS_IS, "steps: K=1"]
    own = found[found["judged"] == "SGC"]
    assert own[["cells", "equivalent", "different"]].to_numpy().tolist() == [[1, 1, 0], [1, 0, 1]]
    same = simulated[simulated["truth behind print"] == SAME_CODE]
    assert found["cells"][0] == same.loc[same["distance of the truths"] != ANY, "cells"].sum()


def test_neighbours_stand_in_one_column(rng):
    (source,) = _sources(invented(rng, papers=("one",)))[0]
    one, two = source.column[source.pairs].T
    assert (one == two).all()
    # six columns of five cells each have four pairs
    assert sorted(np.unique(one, return_counts=True)[1]) == [4] * 6
