import numpy as np
import pytest

from manyviews.seeding import generator, integer_seed, seed_sequence


def test_same_names_give_the_same_numbers_on_every_machine():
    # pinned: a change here silently changes every published result of this repository
    assert integer_seed("mvplsa", "cornell", 0) == 2104179268
    assert integer_seed("a", np.int64(3)) == integer_seed("a", 3)
    np.testing.assert_array_equal(generator("paper", 1).random(5), generator("paper", 1).random(5))


def test_order_type_and_number_of_names_matter():
    keys = [("a", "b"), ("b", "a"), ("a",), ("ab",), ("a", 1), ("a", "1"), ("a", 1, 1)]
    assert len({integer_seed(*key) for key in keys}) == len(keys)
    with pytest.raises(ValueError, match="at least one name"):
        seed_sequence()
