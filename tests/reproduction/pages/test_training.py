"""Trajectories held against print: filling, RMS by length, hypotheses as tables."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from reproduction.closure import import_closure, module_path
from reproduction.pages import training, training_section
from reproduction.pages.training import Trajectory
from reproduction.papers.coplsa_multimodal import training as multimodal
from reproduction.papers.coplsa_multimodal.names import LINK, TOPIC_MODELS
from reproduction.rooms import open_module, paper_keys
from reproduction.verdicts.hypotheses import Hypothesis, Outcome


def made_up(rng, stops=True, runs=8, top=12):
    """Two cells that come nearest to print after five steps; some fits stop early."""
    records = []
    for panel in ("one", "two"):
        for run in range(runs):
            end = int(rng.integers(6, top + 1)) if stops else top
            for length in range(1, end + 1):
                value = 50 + abs(length - 5) + rng.normal(0, 0.05)
                records.append((panel, "m", length, run, value))
    rows = pd.DataFrame(records, columns=["panel", "series", "length", "run", "value"])
    printed = pd.DataFrame(
        {"panel": ["one", "two"], "series": "m", "published": 50.0, "deviation": [math.nan, 1.0]}
    )
    return Trajectory("steps", "score", "Nothing is said.", rows, printed, stops, 5.0)


def test_a_fit_that_stopped_keeps_its_last_value(rng):
    found = made_up(rng)
    filled = found.filled()
    last = found.rows.sort_values("length").groupby(["panel", "series", "run"]).last()
    top = found.rows["length"].max()
    end = filled[filled["length"] == top].set_index(["panel", "series", "run"])["value"]
    assert end.to_dict() == last["value"].to_dict()
    assert len(filled) == 2 * 8 * top
    same = found.rows.merge(filled, on=["panel", "series", "length", "run"], suffixes=("", "_2"))
    np.testing.assert_array_equal(same["value"], same["value_2"])


@pytest.mark.parametrize("stops", [True, False])
def test_distance_by_length_is_that_of_the_means(rng, stops):
    found = made_up(rng, stops)
    frame = training.distance_by_length(found, "toy")
    filled = found.filled()
    for row in frame.itertuples():
        here = filled[filled["length"] == row.length].groupby("panel")["value"].mean()
        assert row.rms == pytest.approx(float(np.sqrt(np.mean((here - 50.0) ** 2))))
        # drawn runs differ more than all of them do: next to print the distance may lie below both
        assert row.rms - 0.2 <= row.rms_high
        assert row.rms_low <= min(row.rms + 0.2, row.rms_high)
    assert frame.loc[frame["rms"].idxmin(), "length"] == 5
    assert frame.equals(training.distance_by_length(found, "toy"))
    assert "smallest after 5 steps" in training.distance_sentence(found, frame)


def test_lengths_that_some_cell_lacks_are_left_out(rng):
    found = made_up(rng, stops=False)
    rows = found.rows[(found.rows["panel"] == "one") | (found.rows["length"] < 4)]
    part = Trajectory("steps", "score", ".", rows, found.printed, False, 5.0)
    assert training.distance_by_length(part, "toy")["length"].tolist() == [1, 2, 3]


def test_figures_show_print_beside_the_curves(rng):
    fig = training.curves_figure(made_up(rng))
    titles = [ax.get_title() for ax in fig.axes if ax.get_visible()]
    assert titles == ["one", "two"]
    dotted = [line for line in fig.axes[0].get_lines() if line.get_linestyle() == ":"]
    assert [line.get_ydata()[0] for line in dotted] == [50.0]
    frame = training.distance_by_length(made_up(rng), "toy")
    assert len(training.distance_figure({"toy": frame}, {"toy": "steps"}).axes) == 1


def test_papers_with_trajectories_are_found_and_may_have_no_rows():
    empty = pd.DataFrame(columns=["table", "reading", "dataset", "metric", "method", "value"])
    assert training.find_trajectories(lambda key: empty) == {}
    with_module = [
        key for key in paper_keys() if training.find_spec(f"reproduction.papers.{key}.training")
    ]
    assert len(with_module) >= 4
    for key in with_module:
        assert open_module(key, "training").WORDS.endswith(".")


def test_the_front_page_says_the_same_as_the_page_on_training(rng):
    """Both leave out surrogates alone: a subset is real data on either page."""
    whole = made_up(rng)
    kinds = {"one": "same", "two": "subset"}
    odd = whole.rows.assign(value=0.0, provenance="surrogate")
    rows = pd.concat([whole.rows.assign(provenance=whole.rows["panel"].map(kinds)), odd])

    def find(given):
        return replace(whole, rows=given) if len(given) else None

    (finding,) = training.length_findings(find, rows, "toy")
    best, last = training.nearest(training.distance_by_length(whole, "toy"), "median")
    numbers = finding.said.numbers
    assert numbers["cells"] == 2
    assert (numbers["there"], numbers["after"]) == (best["median"], last["median"])
    assert training.length_findings(find, odd, "toy") == ()


def test_the_front_page_is_stale_with_the_scores_along_the_way_it_shows():
    """What a paper's training module computes is in the closure of its front, where it is said."""
    for key in paper_keys():
        front, scores = (f"reproduction.papers.{key}.{name}" for name in ("front", "training"))
        if module_path(front):
            said = "length_findings" in module_path(front).read_text(encoding="utf-8")
            assert (module_path(scores) in import_closure(front)) == said, key


def test_hypotheses_as_a_table():
    base = {"what": "w", "why": "y", "evidence": "e", "tried": 7}
    one = Hypothesis(id="a", verdict="refuted", **base)
    two = Hypothesis(id="b", reading="r", **base)
    outcome = Outcome("supported", cells=4, before=2.0, after=0.5, luck=1.0, p_value=0.01)
    found = [(one, Outcome("refuted")), (two, outcome)]
    table = training.hypotheses_table(found)
    assert table["verdict"].tolist() == ["refuted", "supported"]
    assert table["RMS under it"].tolist() == ["", "0.50"]
    assert training.summary_table({"p": found}).to_dict("records") == [
        {"paper": "p", "supported": 1, "refuted": 1, "undecided": 0}
    ]


def link_rows(rng, shape, runs=10, noise=0.004):
    """Rows of Link PLSA along a made-up training: semantic space as a function of topic space."""
    records = []
    for run in range(runs):
        shift = rng.normal(0, noise)
        for sweep in range(1, 17):
            topic = 0.18 + 0.02 * sweep
            for space, value in (("topic", topic), ("semantic", shape(topic) + shift)):
                for direction in ("i2t", "t2i"):
                    records.append(
                        {
                            "table": "trajectory", "reading": "recorded", "method": LINK,
                            "steps": 3.0, "sweep": float(sweep), "image_share": 0.5,
                            "lambda_": math.nan, "space": space, "direction": direction,
                            "run": run, "value": value,
                        }
                    )  # fmt: skip
    return pd.DataFrame(records)


def test_printed_pairs_on_the_curve_are_not_rejected_and_far_ones_are(rng):
    pairs = multimodal.printed_pairs()
    assert list(pairs.index) == list(TOPIC_MODELS)
    order = pairs.sort_values("topic")

    def through(topic):
        return float(np.interp(topic, order["topic"], order["semantic"]))

    test = multimodal.curve_test(link_rows(rng, through))
    assert test.fit > 0.05
    assert test.rms < 0.02
    assert test.chance < 0.2
    assert test.sweeps["Link PLSA"] == pytest.approx(
        (pairs.loc["Link PLSA", "topic"] - 0.18) / 0.02
    )
    far = multimodal.curve_test(link_rows(rng, lambda topic: 0.3 + 0.1 * topic))
    assert far.fit < 0.001
    assert far.rms > 0.2
    assert "reject" in multimodal.curve_sentence(far)


def test_a_search_is_told_with_its_correction_and_all_its_readings():
    given = {"what": "Any reading.", "why": "y", "evidence": "e", "tried": 7}
    hypothesis = Hypothesis(id="a", search="grid", **given)
    figures = {"cells": 4, "before": 2.0, "after": 0.5, "luck": 0.8, "p_value": 0.2, "groups": 2}
    outcome = Outcome("undecided", readings=5, best="short", groups_nearer=1, **figures)
    told = training_section.search_sentence(hypothesis, outcome)
    assert told.startswith("We searched for any reading. 5 readings were declared")
    assert "The best of 12 random readings would come to 0.80 (p: 0.200)" in told
    assert told.endswith("So 12 readings do not explain it.")
    table = training.hypotheses_table([(hypothesis, outcome)])
    assert table["readings tried"].tolist() == [12]
    assert table["evidence"].tolist() == ["e The nearest of 5 declared readings: short."]
    cells = pd.DataFrame(
        {"table": "1", "dataset": ["x", "x", "y"], "before": 2.0, "after": [1.0, 1.0, 3.0]}
    )
    shown = training_section.searched_table({"one": cells, "two": cells.assign(after=0.0)})
    assert shown["reading"].tolist() == ["two", "one"]
    assert shown["cells nearer"].tolist() == [3, 2]
    assert shown["data sets nearer"].tolist() == ["2 of 2", "1 of 2"]


def test_cells_by_verdict_and_reading_are_counted_once():
    ledger = pd.DataFrame(
        {
            "repeats": ["", "", "", "other", ""],
            "data": ["same", "subset", "same", "same", "surrogate"],
            "agreement": ["equivalent", "near", "compatible", "near", "different"],
            "text_agreement": ["different", "near", "not run", "near", "different"],
        }
    )
    table = training_section.verdicts_table(ledger).set_index("reading")
    assert table.loc["as the text says"].to_dict() == {
        "cells": 3, "equivalent": 0, "compatible": 0, "near": 1, "different": 1, "not run": 1
    }  # fmt: skip
    assert table.loc["as inferred"].to_dict() == {
        "cells": 3, "equivalent": 1, "compatible": 1, "near": 1, "different": 0, "not run": 0
    }  # fmt: skip
