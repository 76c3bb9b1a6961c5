import numpy as np
import pytest

from manyviews.seeding import generator, integer_seed, seed_sequence


def test_same_names_give_the_same_numbers_on_every_machine():
    # pinned: a change here silently changes every published result of this repository
    assert integer_seed("mvplsa", "cornell", 0) == 2104179268
    a, b = generator("paper", 1).random(5), generator("paper", 1).random(5)
    np.testing.assert_array_equal(a, b)


def test_order_type_and_number_of_names_matter():
    keys = [("a", "b"), ("b", "a"), ("a",), ("ab",), ("a", 1), ("a", "1"), ("a", 1, 1)]
    seeds = {integer_seed(*key) for key in keys}
    assert len(seeds) == len(keys)


def test_numpy_integers_count_as_integers():
    assert integer_seed("a", np.int64(3)) == integer_seed("a", 3)


def test_a_seed_needs_a_name():
    with pytest.raises(ValueError, match="at least one name"):
        seed_sequence()
