import subprocess
import sys

import pytest

import manyviews
from manyviews import baselines, models


def test_names_load_on_first_use():
    code = (
        "import sys, manyviews, manyviews.models\n"
        "assert not {'numpy', 'sklearn', 'numba'} & set(sys.modules)\n"
        "from manyviews.models import PLSA\n"
        "assert 'manyviews.models.plsa' in sys.modules\n"
        "assert 'manyviews.models.mvplsa' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_a_package_lists_is_there():
    for package in (manyviews, models, baselines):
        assert dir(package)
        for name in package.__all__:
            assert getattr(package, name).__name__ == name
        with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
            _ = package.Nothing
