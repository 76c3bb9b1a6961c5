"""A claim is decided by real data alone, whatever its check looks at."""

import types

import pandas as pd
import pytest

from reproduction.verdicts.claims import ClaimResult, real_rows
from reproduction.verdicts.score import ClaimError, score_claims


def mean_above_zero(rows, params):
    mean = float(rows["value"].mean())
    verdict = "holds" if mean > 0 else "fails"
    return ClaimResult(verdict, mean, 0.01, len(rows), f"mean {mean:g}")


def mean_of_real(rows, params):
    result = mean_above_zero(real_rows(rows), params)
    return ClaimResult("holds", result.effect, 0.01, result.n, f"{len(rows)} rows, some real")


def needs_cora(rows, params):
    value = rows.set_index("dataset")["value"].loc["cora"]
    return ClaimResult("holds", float(value), 0.01, 1, "Cora")


def counts_nothing(rows, params):
    return ClaimResult("holds", 0.0, 1.0, int((rows["dataset"] == "cora").sum()), "a count")


CHECKS = types.SimpleNamespace(
    mean_above_zero=mean_above_zero,
    mean_of_real=mean_of_real,
    needs_cora=needs_cora,
    counts_nothing=counts_nothing,
)


def decided(check, **values):
    """Score one claim; ``cora=(5.0, "original")`` is a row of Cora."""
    rows = pd.DataFrame(
        [{"dataset": name, "value": v, "provenance": kind} for name, (v, kind) in values.items()]
    )
    claim = {"id": "a.claim", "paper": "mvplsa", "where": "here", "statement": "So.",
             "check": check, "params": {}}  # fmt: skip
    return score_claims("mvplsa", rows, [claim], CHECKS).iloc[0]


def test_real_data_decide_as_before():
    found = decided("mean_above_zero", cora=(5.0, "original"), leaves=(1.0, "stand-in"))
    assert (found["verdict"], found["effect"], found["detail"]) == ("holds", 3.0, "mean 3")


def test_a_surrogate_is_outvoted_and_named():
    found = decided("mean_above_zero", cora=(-1.0, "original"), nell_mv=(9.0, "surrogate"))
    assert (found["verdict"], found["effect"], found["n"]) == ("fails", -1.0, 1)
    assert found["detail"] == "surrogates (nell_mv) have no vote; mean -1"


def test_surrogates_alone_decide_nothing():
    found = decided("mean_above_zero", cora=(5.0, "surrogate"), nell_mv=(9.0, "surrogate"))
    assert found["verdict"] == "untestable"
    assert "surrogates" in found["detail"]
    assert found["n"] == 0


def test_a_check_that_leaves_them_out_itself_may_mention_them():
    found = decided("mean_of_real", cora=(5.0, "original"), nell_mv=(9.0, "surrogate"))
    assert found["detail"] == "2 rows, some real"


@pytest.mark.parametrize("check", ["needs_cora", "counts_nothing"])
def test_a_check_without_its_rows_cannot_answer(check):
    found = decided(check, cora=(5.0, "surrogate"), leaves=(1.0, "original"))
    assert found["verdict"] == "untestable"
    assert found["detail"] == "surrogates (cora) have no vote; no real data to test it on"


def test_a_check_that_never_answers_is_an_error():
    with pytest.raises(ClaimError, match="needs_cora failed: KeyError"):
        decided("needs_cora", leaves=(1.0, "original"), nell_mv=(9.0, "surrogate"))
