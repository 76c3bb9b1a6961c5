import numpy as np

from reproduction.results.draws import draw_per_class


def test_draws_take_the_share_of_every_class(rng):
    y = np.repeat([0, 1, 2, -1], [100, 41, 3, 20])
    mask = draw_per_class(y, 0.05, rng)
    assert [mask[y == c].sum() for c in (0, 1, 2, -1)] == [5, 3, 1, 0]
    rounded = draw_per_class(y, 0.05, rng, rounding="round")
    assert [rounded[y == c].sum() for c in (0, 1, 2)] == [5, 2, 1]
    assert draw_per_class(y, 1.0, rng).sum() == 144


def test_a_share_that_floating_point_makes_too_large_is_no_document_more(rng):
    y = np.zeros(100, dtype=int)
    assert 0.07 * y.size > 7  # what this is about
    for hundredths in range(1, 101):
        assert draw_per_class(y, hundredths / 100, rng).sum() == hundredths
