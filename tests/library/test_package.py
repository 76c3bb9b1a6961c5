"""The package: names that load on first use, examples that run, seeds that stay."""

import doctest
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import manyviews
from manyviews.seeding import generator, integer_seed, seed_sequence

ROOT = Path(manyviews.__file__).parent
MODULES = sorted(
    ".".join(("manyviews", *path.relative_to(ROOT).with_suffix("").parts))
    for path in ROOT.rglob("*.py")
    if path.stem != "__init__" and ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    failed, tried = doctest.testmod(import_module(name))
    assert tried
    assert not failed


@pytest.mark.parametrize("room", ["", ".assignment", ".baselines", ".models"])
def test_every_name_is_there(room):
    package = import_module(f"manyviews{room}")
    assert package.__all__ == sorted(package.__all__)
    for name in package.__all__:
        assert getattr(package, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        package.Nothing  # noqa: B018


def test_names_load_on_first_use():
    code = (
        "import sys, manyviews, manyviews.models\n"
        "assert not {'numpy', 'sklearn', 'numba'} & set(sys.modules)\n"
        "from manyviews.models import PLSA\n"
        "assert 'manyviews.models.plsa' in sys.modules\n"
        "assert 'manyviews.models.mvplsa' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


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
