"""Printed pairs of precisions held against the curve that one training draws."""

import math

import numpy as np
import pandas as pd
import pytest

from reproduction.papers.coplsa_multimodal import training as multimodal
from reproduction.papers.coplsa_multimodal.training import LINK, TOPIC_MODELS


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
