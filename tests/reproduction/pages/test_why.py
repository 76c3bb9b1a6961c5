"""Every counted cell that is not equivalent has a reason, and it is the right one."""

import pandas as pd
import pytest

from reproduction.pages import choices, why
from reproduction.pages.results import load_ledger, load_results
from reproduction.rooms import paper_keys

CELLS = {  # cell -> its word, what another reading gives where print has 80 with a margin of 2
    "a": ("equivalent", 80.0), "b": ("compatible", 80.0), "c": ("near", 78.5),
    "d": ("different", 83.0), "e": ("different", None),
}  # fmt: skip


def test_chance_another_reading_or_unexplained_after_those_that_were_run():
    ledger = pd.DataFrame(
        {"cell": cell, "agreement": word, "repeats": "", "data": "same", "metric": "accuracy_pct",
         "published": 80.0, "ours": 90.0, "margin": 2.0, "n_readings": 3.0, "table": "3",
         "dataset": "Cornell", "data_key": "cornell", "setting": "r=0.01", "method": cell}
        for cell, (word, _) in CELLS.items()
    )  # fmt: skip
    other = ledger[ledger["cell"] == "d"].assign(data="subset", cell="other data")
    shifts = pd.DataFrame(
        {"cell": cell, "metric": "accuracy_pct", "mean": mean + off, "alternative": name}
        for cell, (_, mean) in CELLS.items()
        if mean is not None
        for name, off in (("far", 5.0), ("near", 0.0), ("less near", -0.4))
    ).assign(question="Which?")
    search = pd.DataFrame(
        {"table": "search:3", "role": role, "reading": f"s|{n}", "dataset": "cornell",
         "setting": "r=0.01", "method": "e", "metric": "accuracy_pct"}
        for n in (0, 0, 1, 2, 3)
        for role in ("published", "control")
    )  # fmt: skip
    found = why.reasons(pd.concat([ledger, other], ignore_index=True), shifts, search)
    kinds = [("b", why.CHANCE), ("c", why.REACHED), ("d", why.LEFT), ("e", why.LEFT)]
    assert [*zip(found["cell"], found["kind"], strict=True)] == kinds
    assert found["reason"].iloc[1].endswith("“near” (Which?)")
    assert found["tried"].tolist()[-2:] == [3, 7]
    assert why.why_said(found).numbers == {
        "cells": 4, "chance": 1, "reached": 1, "left": 2, "least": 3, "most": 7,
    }  # fmt: skip
    for _, kind in kinds:
        part = found[found["kind"] != kind]
        numbers = why.why_said(part).numbers
        assert sum(numbers[name] for name in ("chance", "reached", "left")) == len(part)
    (line,) = why.why_table("mvplsa", found).rows
    assert [cell.text for cell in line][1:-1] == ["Cornell", "1", "1", "2 after 3 to 7 readings"]


@pytest.mark.parametrize("paper", paper_keys())
def test_no_counted_cell_lacks_a_reason(results, paper):
    ledger = load_ledger(paper)
    found = why.reasons(ledger, choices.shifts_frame(paper), load_results(paper))
    words = ("compatible", "near", "different")
    own = ledger[(ledger["data"] == "same") & (ledger["repeats"] == "")]
    assert sorted(found["cell"]) == sorted(own.loc[own["agreement"].isin(words), "cell"])
    assert found["reason"].ne("").all()
    if len(found):
        assert why.largest_said(found).endswith((*(f"{why_}." for why_ in found["reason"]),))
