import math
from itertools import product

import numpy as np
import pandas as pd
import pytest

from reproduction.pages.figures import figure_svg
from reproduction.papers.coplsa_multimodal import figures, page, training
from reproduction.papers.coplsa_multimodal.names import (
    COUPLED,
    DIRECTIONS,
    EXACT_SOLUTION,
    JOINT_STEP,
    KINDS,
    L2,
    LINK,
    METHODS,
    PAPER,
    RANDOM_START,
    READINGS,
    RELEASED_TOPICS,
    SCM,
    SKL,
    SPACES,
    TOPIC_MODELS,
    WORDS,
)
from reproduction.results.published import load_published
from reproduction.results.rows import Row, result_frames
from reproduction.rooms import tables_of

TABLES = tables_of(PAPER)
DATA = "wikipedia_pairs"
PLACES = [{"space": s, "direction": d} for s, d in product(SPACES, DIRECTIONS)]


def score(table, at, method, reading, value, run=0, role="published"):
    return Row(table, at, method, "map_at_10", value, reading, run, role)


def main_rows(runs=3):
    """Table 1 at 0.5 (joint) and 0.3 (honest); every further precision is 0.05 more."""
    rows = []
    levels = dict.fromkeys(METHODS, (0.5, "published"))
    levels["independent PLSA"] = (0.45, "control")
    for (method, (level, role)), reading, place in product(
        levels.items(), READINGS.values(), PLACES
    ):
        for run in range(1 if method == SCM else runs):
            base = level - 0.2 * (reading == "honest") + 0.001 * run
            rows.append(score("1", place, method, reading, base, run, role))
            for i, precision in enumerate(KINDS[1:], 1):
                at = {"precision": precision, **place}
                value = base + 0.05 * i
                rows.append(score("choice:precision", at, method, reading, value, run, role))
    return rows


def choice_rows():
    rows = []
    for reading, place in product(READINGS.values(), PLACES):
        for method in METHODS:
            view = WORDS if method == SCM else RELEASED_TOPICS
            at = {"text_view": view, "precision": "full", **place}
            rows.append(score("choice:text_view", at, method, reading, 0.7))
        for method, lam in product(COUPLED, (0.1, 1.0)):
            at = {"lambda_": lam, **place}
            rows.append(score("choice:lambda", at, method, reading, lam / 4))
        for method, topics in product((LINK, SKL), (5, 20)):
            at = {"topics": topics, **place}
            rows.append(score("choice:topics", at, method, reading, 0.2))
    return rows + [Row("choice:lambda_chosen", {}, m, "lambda", 1.0) for m in COUPLED]


def extra_rows():
    rows = []
    for method, reading, place in product(TOPIC_MODELS, READINGS.values(), PLACES):
        for article, value in (("article in training", 0.5), ("article not in training", 0.4)):
            rows.append(
                score("extra:articles", {**place, "article": article}, method, reading, value)
            )
        for category in ("art", "biology"):
            at = {**place, "category": category}
            rows.append(score("extra:categories", at, method, reading, 0.3))
        for level in (0.0, 0.5, 1.0):
            at = {**place, "recall": level}
            table = "extra:precision_recall"
            rows.append(Row(table, at, method, "precision", 1 - level, reading))
    for start, (method, role) in product(
        (RANDOM_START, EXACT_SOLUTION), ((L2, "published"), (JOINT_STEP, "ours"))
    ):
        for sweep in range(3):
            at = {"start": start, "sweep": sweep}
            rows.append(Row("extra:objective", at, method, "objective_per_pair", sweep, role=role))
        for metric, value in (("falls", 2.0), ("largest_fall", 0.5)):
            rows.append(Row("extra:monotone", {"start": start}, method, metric, value, role=role))
    for share in (0.9, 0.99):
        rows.append(Row("extra:convergence", {"share": share}, L2, "sweeps", 100 * share))
    return [*rows, Row("extra:convergence", {}, L2, "newton_steps", 6.0)]


@pytest.fixture(autouse=True)
def no_results(tmp_path, monkeypatch):
    """A folder that knows of no surrogate."""
    monkeypatch.setenv("MANYVIEWS_RESULTS", str(tmp_path))


@pytest.fixture
def rows():
    made = main_rows() + choice_rows() + extra_rows()
    frame = result_frames(PAPER, DATA, made, TABLES, {"1": METHODS})[0]
    return frame.assign(setting=TABLES.written(frame))


@pytest.fixture
def printed():
    cells = load_published(PAPER)
    return cells[cells["dataset"] == DATA]


def test_the_nearest_precision_of_scm_is_named(rows):
    assert "**full list**" in page.scm_precision(rows)  # 0.5, 0.55, ... against 0.22 to 0.36
    lower = rows.copy()
    lower.loc[lower["precision"] == "11point", "value"] = 0.28
    assert "**eleven recall points**" in page.scm_precision(lower)


def test_cells_met_are_counted(rows, printed):
    listed = printed[printed["method"].isin(TOPIC_MODELS) & (printed["space"] == "topic")]["mean"]
    for level in (0.9, 0.36):
        moved = rows.copy()
        moved.loc[(moved["space"] == "topic") & (moved["reading"] == "inferred"), "value"] = level
        met = int(((listed - level).abs() <= 0.03).sum())
        assert f"joint protocol, topic space: {met} of {len(listed)}" in page.protocol_text(moved)


def test_table_1_under_both_protocols(rows, printed):
    both = page.protocols_table(rows, DATA)
    assert len(both) == len(printed)
    cell = both[(both["method"] == SKL) & (both["space"] == "topic")].iloc[0]
    first = printed[(printed["method"] == SKL) & (printed["space"] == "topic")].iloc[0]
    assert (cell["published"], cell["task"]) == (first["mean"], first["direction"])
    assert (cell["joint protocol"], cell["honest protocol"]) == ("0.501 ± 0.001", "0.301 ± 0.001")
    stand_in = page.protocols_table(rows.assign(dataset="web_news"), "web_news")
    assert "published" not in stand_in


def test_tables_on_choices(rows):
    maps = page.map_table(rows, DATA)
    found = maps[maps["method"] == SKL].iloc[0]
    assert [found[page.PRECISIONS[kind]] for kind in KINDS] == [
        f"{mean} ± 0.001" for mean in (0.501, 0.551, 0.601, 0.651)
    ]
    views = page.text_view_table(rows).set_index("method")
    assert set(views.loc[SCM, "joint, words"]) == {"0.700"}
    assert set(views.loc[SCM, "joint, released topics"]) == {"0.500"}
    assert set(views.loc[SKL, "honest, words"]) == {"0.301 ± 0.001"}
    assert set(views.loc[SKL, "honest, released topics"]) == {"0.700"}


def test_tables_beyond_the_paper(rows):
    articles = page.articles_table(rows)
    assert np.allclose(articles["difference"], 0.1)
    falls = page.monotone_table(rows)
    assert (falls["sweeps with a fall (worst run)"] == 2).all()
    assert set(falls["update"]) == {L2, f"{JOINT_STEP} (ours)"}
    bounds = page.bounds_table(rows, DATA).set_index("method")
    assert bounds.loc["independent PLSA (control)", "topic, i2t"] == "0.251 ± 0.001"


def test_a_method_of_ours_changes_no_sentence_whatever_its_name(rows):
    added = rows[rows["method"] == SKL].assign(role="ours", value=0.9)
    both = pd.concat([rows, added], ignore_index=True)
    for sentence in (page.scm_precision, page.protocol_text):
        assert sentence(both) == sentence(rows)


def test_figures_draw_with_a_text_alternative(rows):
    words = [[f"w{i}{j}" for j in range(10)] for i in range(3)]
    shown = {"topics": [2, 0], "shares": [0.6, 0.3], "tags": ["a", "b", "c", "d", "e", "f"]}
    example = {"category": "art", "id": "x", "joint": shown, "honest": shown}
    details = {"top_words": words, "examples": [example]}
    drawn = {
        "curves": figures.curve_figure(rows, DATA),
        "categories": figures.category_figure(rows, DATA),
        "lambda": figures.lambda_figure(rows, DATA),
        "topics": figures.topics_figure(rows, 100),
        "objective": figures.objective_figure(rows),
        "compositions": figures.composition_figure(details, "joint"),
    }
    lines = {name: [line for ax in fig.axes for line in ax.lines] for name, fig in drawn.items()}
    for name, count in (
        ("curves", len(PLACES) * len(TOPIC_MODELS) * len(READINGS)),
        ("topics", 2 * len(SPACES) * len(READINGS)),
        ("objective", 4),
    ):
        assert len(lines[name]) == count
        assert all(not math.isnan(line.get_ydata()[0]) for line in lines[name])
    for name, fig in drawn.items():
        assert "<svg" in figure_svg(fig, name, figures.curves_alt(rows, DATA))
    assert "w20 w21 w22" in figures.composition_alt(details, "honest")
    assert page.words_table(details)["topic"].tolist() == [0, 1, 2]


def test_the_table_under_short_runs_counts_cells_by_hand(printed):
    printed = printed[printed["method"] != SCM]
    records = []
    for cell in printed.to_dict("records"):
        off = {"inferred": 0.1, "short run": 0.0 if cell["method"] == LINK else 0.04}
        for reading, shift in {**off, "short run, fitted": 0.02}.items():
            records += [
                {**cell, "role": "published", "reading": reading, "run": run,
                 "value": cell["mean"] + shift + (0.01 if run else -0.01)}
                for run in range(2)
            ]  # fmt: skip
    made = pd.DataFrame(records)
    table = training.short_run_table(made)
    assert len(table) == 16
    told = training.short_run_sentence(made, table)
    assert "means of 2 starts" in told
    assert "full length: 0 of 16 cells (RMS 0.100)" in told
    assert "lambda by validation: 4 of 16 cells (RMS 0.035)" in told
    assert "lambda by fit: 16 of 16 cells (RMS 0.020)" in told
