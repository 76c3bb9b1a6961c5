from itertools import product

import numpy as np
import pandas as pd
import pytest
from job_rows import as_read

from reproduction.papers.coplsa_multimodal import page
from reproduction.papers.coplsa_multimodal import settings as cm
from reproduction.papers.coplsa_multimodal.front import front
from reproduction.results.rows import Row

METHODS = (cm.SCM, *cm.TOPIC_MODELS)
PLACES = [{"space": s, "direction": d} for s, d in product(cm.SPACES, cm.DIRECTIONS)]


@pytest.fixture
def rows():
    """Table 1 at 0.5 (joint) and 0.3 (honest); every further precision is 0.05 more."""
    made = []
    levels = dict.fromkeys(METHODS, (0.5, "published")) | {cm.ALONE: (0.45, "control")}
    for (method, (level, role)), reading, place in product(
        levels.items(), cm.READINGS.values(), PLACES
    ):
        value = level - 0.2 * (reading == "honest")
        made.append(Row("1", place, method, "map_at_10", value, reading, 0, role))
        for i, precision in enumerate(cm.KINDS[1:], 1):
            at = {"precision": precision, **place}
            more = (reading, 0, role)
            made.append(Row("choice:precision", at, method, "map_at_10", value + 0.05 * i, *more))
    return as_read(cm.PAPER, {"wikipedia_pairs": made})


def test_the_nearest_precision_of_scm_is_named(rows):
    assert "**full list**" in page.scm_precision(rows)  # 0.5, 0.55, ... against 0.22 to 0.36
    lower = rows.copy()
    lower.loc[lower["precision"] == "11point", "value"] = 0.28
    assert "**eleven recall points**" in page.scm_precision(lower)
    added = rows[rows["method"] == cm.SKL].assign(method=cm.SCM, role="ours", value=0.9)
    assert page.scm_precision(pd.concat([rows, added])) == page.scm_precision(rows)


def test_the_front_page_tells_protocols_apart(rows):
    (found,) = front(rows).findings
    cells = page.printed()
    semantic = cells[(cells["method"] == cm.SKL) & (cells["space"] == "semantic")]["mean"]
    values = [value for line in found.marks.values() for value in line.values()]
    assert values == pytest.approx([semantic.mean(), 0.5, 0.3, 0.25])
    assert found.said.numbers == pytest.approx({"gain": 0.05, "topic": 0.05, "runs": 1})
    further = rows.assign(run=1)[rows["method"] != cm.ALONE]  # a run that only one of them has
    further["value"] += 0.4
    again = front(pd.concat([rows, further])).findings[0].said.numbers
    assert again == pytest.approx(found.said.numbers)
    assert not front(rows[rows["direction"] == "i2t"]).findings[0].known


def link_rows(rng, shape, runs=10, noise=0.004):
    """Rows of Link PLSA along a made-up training: semantic space as a function of topic space."""
    records = []
    for run in range(runs):
        shift = rng.normal(0, noise)
        for sweep, direction in product(range(1, 17), cm.DIRECTIONS):
            topic = 0.18 + 0.02 * sweep
            at = {
                "table": cm.TRAINING, "run": run, "sweep": float(sweep), "direction": direction,
            }  # fmt: skip
            records.append({**at, "space": "topic", "value": topic})
            records.append({**at, "space": "semantic", "value": shape(topic) + shift})
    return pd.DataFrame(records)


def test_printed_pairs_on_the_curve_are_not_rejected_and_far_ones_are(rng):
    pairs = page.printed_pairs()
    assert list(pairs.index) == list(cm.TOPIC_MODELS)
    order = pairs.sort_values("topic")

    def through(topic):
        return float(np.interp(topic, order["topic"], order["semantic"]))

    rows = link_rows(rng, through)
    found, fit = page.on_curve(rows)
    assert fit > 0.05
    assert found["off"].abs().max() < 0.03
    assert found["sweep"][cm.LINK] == pytest.approx((pairs.loc[cm.LINK, "topic"] - 0.18) / 0.02)
    far = link_rows(rng, lambda topic: 0.3 + 0.1 * topic)
    assert page.on_curve(far)[1] < 0.001
    assert "is rejected" in page.curve_sentence(far)
    (axes,) = page.pairs_figure(rows).axes
    drawn = {line.get_label(): line.get_xydata()[0].tolist() for line in axes.lines}
    for method in cm.TOPIC_MODELS:
        assert drawn[f"{method}, printed"] == pairs.loc[method].tolist()
