"""Hypotheses: what a paper's file must hold, and when one counts as supported."""

import numpy as np
import pandas as pd
import pytest
import yaml

from reproduction.results.published import load_published
from reproduction.rooms import paper_keys
from reproduction.verdicts import hypotheses
from reproduction.verdicts.hypotheses import Hypothesis, HypothesisError, judge, load_hypotheses

GOOD = {
    "id": "short", "what": "Training was short.", "why": "It is not told.", "tried": 20,
    "reading": "short run", "evidence": "It fits.", "found_on": ["a"],
}  # fmt: skip
PUBLISHED = pd.DataFrame(
    {
        "table": "1", "dataset": np.repeat(list("abcd"), 6), "setting": "",
        "method": [f"m{i}" for i in range(6)] * 4, "metric": "score_pct", "mean": 50.0,
    }
)  # fmt: skip


def write(tmp_path, *entries):
    path = tmp_path / "hypotheses.yaml"
    path.write_text(yaml.safe_dump(list(entries)))
    return path


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"verdict": "refuted"}, "its rows decide"),
        ({"reading": ""}, "neither a reading"),
        ({"reading": "", "verdict": "supported"}, "cannot be supported without rows"),
        ({"reading": "", "verdict": "perhaps"}, "verdict"),
        ({"cells": {"planet": ["x"]}}, "no column 'planet'"),
        ({"cells": {"dataset": ["z"]}}, "touches no published cell"),
    ],
)
def test_what_is_wrong_is_named_with_its_file(tmp_path, change, text):
    path = write(tmp_path, {**GOOD, **change})
    with pytest.raises(HypothesisError, match=text) as error:
        load_hypotheses("toy", PUBLISHED, path)
    assert str(path) in str(error.value)


def test_ids_are_unique_and_a_list_is_needed(tmp_path):
    with pytest.raises(HypothesisError, match="twice"):
        load_hypotheses("toy", PUBLISHED, write(tmp_path, GOOD, GOOD))
    (tmp_path / "hypotheses.yaml").write_text("a: 1\n")
    with pytest.raises(HypothesisError, match="no list"):
        load_hypotheses("toy", PUBLISHED, tmp_path / "hypotheses.yaml")


@pytest.mark.parametrize("paper", paper_keys())
def test_every_papers_file_is_sound(paper):
    published = load_published(paper)
    for each in load_hypotheses(paper, published):
        assert len(hypotheses.touched_cells(each, published))


def cells_of(before, after):
    frame = PUBLISHED.drop(columns="mean")
    return frame.assign(published=50.0, before=before, after=after)


def test_cells_are_those_with_rows_of_both_readings():
    records = []
    for reading, shift in (("inferred", 4.0), ("short run", 1.0)):
        for row in PUBLISHED.itertuples():
            if reading == "short run" and row.dataset == "d":
                continue  # not run there
            for run in range(3):
                records.append(
                    {
                        "table": "1", "dataset": row.dataset, "setting": "", "method": row.method,
                        "metric": "score_pct", "role": "published", "reading": reading, "run": run,
                        "value": 50.0 + shift + run - 1,
                    }
                )  # fmt: skip
    rows = pd.DataFrame(records)
    rows = pd.concat([rows, rows.assign(role="ours", value=0.0)])  # others' rows do not count
    found = hypotheses.compared_cells(
        Hypothesis.model_validate(GOOD), rows, PUBLISHED, {"score_pct": 2.0}
    )
    assert set(found["dataset"]) == {"a", "b", "c"}
    np.testing.assert_allclose(found["before"], 2.0)
    np.testing.assert_allclose(found["after"], 0.5)


def test_what_explains_all_data_sets_is_supported(rng):
    before = np.repeat(rng.choice([-3.0, 3.0], 4), 6) + rng.normal(0, 0.3, 24)
    outcome = judge(Hypothesis.model_validate(GOOD), cells_of(before, before * 0.1), "toy", 300)
    assert outcome.verdict == "supported"
    assert outcome.p_value < 0.05
    assert outcome.after < outcome.luck < outcome.before
    assert outcome.held_out == 18
    assert (outcome.nearer, outcome.groups_nearer) == (24, 4)


def test_what_moves_away_is_refuted_and_one_data_set_is_not_enough(rng):
    before = rng.normal(0, 3, 24)
    hypothesis = Hypothesis.model_validate(GOOD)
    assert judge(hypothesis, cells_of(before, before * 2), "toy", 100).verdict == "refuted"
    first = np.arange(24) < 6  # the data set it was found on
    alone = judge(hypothesis, cells_of(before, np.where(first, 0.0, before * 1.01)), "toy", 100)
    assert alone.verdict != "supported"
    assert alone.held_out_after > alone.held_out_before


def test_the_best_of_many_random_readings_is_seldom_supported(rng):
    """Try twenty readings that know nothing of print and report the best, as a searcher would."""
    tried, searches, supported = 20, 60, 0
    hypothesis = Hypothesis.model_validate({**GOOD, "tried": tried, "found_on": []})
    for _ in range(searches):
        before = rng.normal(0, 2, 24)
        block = np.repeat(np.arange(4), 6)
        candidates = [
            before + rng.choice([-1.0, 1.0], 4)[block] * np.abs(rng.normal(0, 2, 24))
            for _ in range(tried)
        ]
        best = min(candidates, key=hypotheses.rms)
        supported += judge(hypothesis, cells_of(before, best), "toy", 200).p_value < 0.05
    # about one in twenty; without the correction it would be nearly all
    assert supported / searches < 0.25


def test_a_verdict_brought_along_stays():
    given = {**GOOD, "reading": "", "verdict": "refuted", "found_on": []}
    assert judge(Hypothesis.model_validate(given), PUBLISHED, "toy").verdict == "refuted"
    assert judge(Hypothesis.model_validate(GOOD), PUBLISHED.iloc[:0], "toy").verdict == "undecided"
