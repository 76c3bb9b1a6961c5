import numpy as np
import pandas as pd
import pytest

from reproduction.pages.figures import figure_svg
from reproduction.papers import coplsa_multimodal as page
from reproduction.papers import coplsa_multimodal_text as sentences

DATA = "wikipedia_pairs"


def records(levels, kinds=page.KINDS, runs=3):
    rows = []
    for method, level in levels.items():
        for protocol in page.PROTOCOLS:
            for kind in kinds:
                for setting in page.SETTINGS:
                    for run in range(1 if method == "SCM" else runs):
                        base = level - (0.2 if protocol == "honest" else 0.0)
                        value = base + 0.05 * page.KINDS.index(kind) + 0.001 * run
                        name = page.reading(protocol, kind)
                        rows.append(("1", DATA, setting, method, "map_at_10", name, run, value))
    return rows


def extra_records():
    rows = []
    coupled = page.METHODS[2:]
    for method in page.METHODS[1:]:
        for reading in page.PROTOCOLS.values():
            for setting in page.SETTINGS:
                for group, value in (
                    ("article in training", 0.5),
                    ("article not in training", 0.4),
                ):
                    place = f"{setting};{group}"
                    rows.append(
                        ("extra:articles", DATA, place, method, "map_at_10", reading, 0, value)
                    )
                for category in ("art", "biology"):
                    place = f"{setting};{category}"
                    rows.append(
                        ("extra:categories", DATA, place, method, "map_at_10", reading, 0, 0.3)
                    )
                for level in (0.0, 0.5, 1.0):
                    place = f"{setting};recall={level}"
                    rows.append(
                        (
                            "extra:precision_recall",
                            DATA,
                            place,
                            method,
                            "precision",
                            reading,
                            0,
                            1 - level,
                        )
                    )
    for method in coupled:
        rows.append(("extra:lambda_chosen", DATA, "validation", method, "lambda", "paper", 0, 1.0))
        for lam in (0.1, 1.0):
            for reading in page.PROTOCOLS.values():
                place = f"lambda={lam};topic;i2t"
                rows.append(("extra:lambda", DATA, place, method, "map_at_10", reading, 0, lam / 4))
    for topics in (5, 20):
        for reading in page.PROTOCOLS.values():
            place = f"topics={topics};topic;i2t"
            rows.append(("extra:topics", DATA, place, "Link PLSA", "map_at_10", reading, 0, 0.2))
    for start in ("random start", "from the exact solution"):
        for sweep in range(3):
            place = f"{start};sweep={sweep}"
            rows.append(
                (
                    "extra:objective",
                    DATA,
                    place,
                    "l2 coPLSA",
                    "objective_per_pair",
                    "paper",
                    0,
                    sweep,
                )
            )
        for metric, value in (("falls", 2.0), ("largest_fall", 0.5)):
            rows.append(("extra:monotone", DATA, start, "l2 coPLSA", metric, "paper", 0, value))
    return rows


@pytest.fixture
def rows():
    levels = dict.fromkeys(page.METHODS, 0.5) | {"control:independent PLSA": 0.45}
    columns = ["table", "dataset", "setting", "method", "metric", "reading", "run", "value"]
    return pd.DataFrame(records(levels) + extra_records(), columns=columns)


def test_headline_tells_both_protocols(rows):
    text = sentences.headline(rows)
    assert "0.725 in print" in text
    assert "0.501" in text
    assert "0.301" in text
    assert "+0.050" in text


def test_the_nearest_reading_of_scm_is_named(rows):
    assert "**full**" in sentences.scm_reading(rows)  # 0.5, 0.55, ... against 0.22 to 0.36
    lower = rows.copy()
    lower.loc[lower["reading"] == "map=11point", "value"] = 0.28
    assert "**11point**" in sentences.scm_reading(lower)


def test_cells_met_are_counted(rows):
    text = sentences.protocol_text(rows)
    assert "joint protocol, topic space: 0 of 8" in text
    near = rows.copy()
    near.loc[near["setting"].str.startswith("topic") & (near["reading"] == "paper"), "value"] = 0.36
    assert "joint protocol, topic space: 2 of 8" in sentences.protocol_text(near)


def test_tables(rows):
    both = page.protocols_table(rows, DATA)
    assert len(both) == 20
    cell = both[(both["method"] == "sKL coPLSA") & (both["space"] == "topic")].iloc[0]
    assert (cell["published"], cell["joint protocol"]) == (0.413, "0.501 ± 0.001")
    assert np.allclose(page.articles_table(rows)["difference"], 0.1)
    falls = page.monotone_table(rows)
    assert (falls["sweeps with a fall (worst run)"] == 2).all()
    assert page.lambda_table(rows).loc["Wikipedia", "l2 coPLSA"] == 1.0
    assert "control: independent PLSA" in set(page.bounds_table(rows, DATA)["method"])
    maps = page.map_table(rows, DATA)
    assert maps.loc[maps["method"] == "l1 coPLSA", "11point"].iloc[0] == pytest.approx(0.551)


def test_figures_draw_with_a_text_alternative(rows):
    words = [[f"w{i}{j}" for j in range(10)] for i in range(3)]
    shown = {"topics": [2, 0], "shares": [0.6, 0.3], "tags": ["a", "b", "c", "d", "e", "f"]}
    example = {"category": "art", "id": "x", "joint": shown, "honest": shown}
    details = {"top_words": words, "examples": [example]}
    figures = {
        "curves": page.curve_figure(rows, DATA),
        "categories": page.category_figure(rows, DATA),
        "lambda": page.lambda_figure(rows, DATA),
        "topics": page.topics_figure(rows, 100),
        "objective": page.objective_figure(rows),
        "compositions": page.composition_figure(details, "joint"),
    }
    for name, figure in figures.items():
        assert "<svg" in figure_svg(figure, name, page.curves_alt(rows, DATA))
    assert "w20 w21 w22" in page.composition_alt(details, "honest")
    assert page.words_table(details)["topic"].tolist() == [0, 1, 2]
