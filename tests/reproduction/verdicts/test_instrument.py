"""What the verdicts say where the answer is known: never better when print is wrong."""

import numpy as np
import pandas as pd

from asprinted.agreement import EQUIVALENCE, WORDS, Figure, compare, judge
from asprinted.margins import load_margins
from asprinted.simulate import ANY, SAID, SAME_CODE, _add, _drawn, _sources, simulate
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


def test_words_of_cells_and_sentences_one_by_one(rng):
    """What is counted for arrays, cell by cell and pair by pair with the rules as written."""
    source = _sources(invented(rng, papers=("one",)))[0][0]
    behind = source.ours.mean + rng.normal(0, 3, source.ours.mean.size)
    behind[::7] = np.nan  # no truth behind print there
    printed = _drawn(behind, source.ours.std, source.ours.runs, rng)
    ours = _drawn(*source.ours, rng)
    counts = np.zeros((2, 4, 4), dtype=int)
    _add(counts, source, printed, ours, behind)

    def size(distance):
        edges = (1e-12, UNIT.margin, 2.5 * UNIT.margin)
        return sum(distance > edge for edge in edges)

    expected = np.zeros_like(counts)
    for k in np.flatnonzero(~np.isnan(behind)):
        one, two = (Figure(*(part[k] for part in each)) for each in (printed, ours))
        word = WORDS.index(judge(one, two, UNIT).word)
        expected[0, size(abs(behind[k] - source.ours.mean[k])), word] += 1
    for one, two in source.pairs:
        if np.isnan(behind[[one, two]]).any():
            continue
        sign = np.sign(printed.mean[one] - printed.mean[two])
        ahead = sign * (ours.mean[one] - ours.mean[two])
        first, second = (Figure(*(part[k] for part in ours)) for k in (one, two))
        half = float(compare(second, first, UNIT).half(EQUIVALENCE))
        if ahead > 0 and ahead >= half:
            word = "holds"
        elif abs(ahead) + half < UNIT.margin:
            word = "no practical difference"
        else:
            word = "open" if ahead > -half else "refuted"
        wrong_by = sign * (source.ours.mean[two] - source.ours.mean[one])
        expected[1, size(wrong_by), SAID.index(word)] += 1
    np.testing.assert_array_equal(counts, expected)
