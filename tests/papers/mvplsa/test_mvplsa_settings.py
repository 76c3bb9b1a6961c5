"""Settings of mvplsa: what cannot be run is refused, with the key and the range."""

import pytest

from reproduction.papers.mvplsa.settings import PaperSettings
from reproduction.results.settings import SettingsError, complete


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"runs": {"webkb": 1}}, "runs.webkb"),
        ({"runs": {"news": 10_000_000}}, "runs.news"),
        ({"runs": {"webkb": 2.0}}, "runs.webkb"),
        ({"rates": []}, "rates"),
        ({"rates": [0.01, 1.0]}, "rates.1"),
        ({"rates": [0]}, "rates.0"),
        ({"floor": 0.5}, "floor"),
        ({"floor": float("nan")}, "floor"),
        ({"topics": {"webkb": 0}}, "topics.webkb"),
        ({"topic_grid": {"news": [8, -1]}}, "topic_grid.news.1"),
        ({"cotraining": {"u": [0]}}, "cotraining.u.0"),
        ({"cotraining": {"rounds": 0}}, "cotraining.rounds"),
        ({"smoothing_grid": [0.0]}, "smoothing_grid.0"),
        ({"iteration_grid": [10, 0]}, "iteration_grid.1"),
        ({"topic": {"webkb": 3}}, "topic"),
    ],
)
def test_absurd_values_are_refused(given, key):
    with pytest.raises(SettingsError) as caught:
        complete(PaperSettings, given)
    assert str(caught.value).startswith(f"{key}: ")


@pytest.mark.parametrize("size", ["full", "quick"])
def test_given_values_are_laid_over_the_defaults(size):
    settings = complete(PaperSettings, {"topics": {"webkb": 3}, "rates": [0.5]}, size=size)
    usual = complete(PaperSettings, {}, size=size)
    assert (settings.topics.webkb, settings.rates) == (3, [0.5])
    assert settings.topics.news == usual.topics.news
    assert settings.runs == usual.runs
