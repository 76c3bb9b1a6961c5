"""Mean and deviation as text, by hand."""

import math

import pandas as pd
import pytest

from reproduction.results.summary import decimals, mean_and_deviation, with_deviation


@pytest.mark.parametrize(
    ("values", "places", "text"),
    [
        ([1.0, 3.0], 2, "2.00 ± 1.41"),  # the deviation of a sample: one run less in the divisor
        ([2.0, 4.0, 9.0], 1, "5.0 ± 3.6"),
        ([81.25], 1, "81.2"),
        ([], 1, ""),
    ],
)
def test_a_mean_has_the_deviation_of_a_sample(values, places, text):
    assert mean_and_deviation(pd.Series(values, dtype=float), places) == text


def test_what_is_missing_is_not_written():
    assert with_deviation(math.nan, 1.0) == ""
    assert with_deviation(0.5, math.nan, 3) == "0.500"


def test_metrics_on_a_scale_of_one_have_more_decimals():
    assert [decimals(name) for name in ("map_at_10", "view_agreement", "accuracy_pct")] == [3, 2, 1]
