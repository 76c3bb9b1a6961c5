"""Packages offer what their modules offer, and load it on first use."""

import subprocess
import sys
from importlib import import_module

import pytest

from manyviews._lazy import attach


@pytest.mark.parametrize("room", ["", ".assignment", ".baselines", ".models", ".testing"])
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


def test_a_new_module_is_found_and_a_name_has_one_home(tmp_path):
    (tmp_path / "one.py").write_text('__all__ = ["First"]\n')
    (tmp_path / "_hidden.py").write_text('__all__ = ["Hidden"]\n')
    (tmp_path / "none.py").write_text("X = 1\n")
    assert attach("toy", str(tmp_path / "__init__.py"))[1]() == ["First"]
    (tmp_path / "two.py").write_text('__all__ = [\n    "First",\n]\n')
    with pytest.raises(ImportError, match=r"toy\.one and toy\.two both offer 'First'"):
        attach("toy", str(tmp_path / "__init__.py"))
