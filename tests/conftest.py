"""Shared fixtures: a seed that changes from run to run (and is printed), small random views."""

import os

# Workers share the cores: threads of BLAS in each would wait for one another. Set before numpy is
# imported; programs that tests start inherit it.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402
import pytest  # noqa: E402


def pytest_configure(config):
    """Know the mark of pytest-xdist where it is not installed: the library's tests need no more."""
    config.addinivalue_line("markers", "xdist_group(name): tests that share a worker")
    _seed()  # drawn here: `pytest -q` asks for no header


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist, where it is installed
def pytest_xdist_auto_num_workers(config):
    """As many workers as cores: one more would collect once more and take its share of both."""
    return max(2, os.cpu_count() or 1)


def pytest_report_header(config):
    return f"seed of the random cases: {_seed()} (set MANYVIEWS_TEST_SEED to repeat)"


def _seed() -> int:
    # workers of pytest-xdist inherit the variable, so all of them use the same seed
    if "MANYVIEWS_TEST_SEED" not in os.environ:
        os.environ["MANYVIEWS_TEST_SEED"] = str(int.from_bytes(os.urandom(3), "little"))
    return int(os.environ["MANYVIEWS_TEST_SEED"])


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the groups in the same hook
def pytest_collection_modifyitems(items):
    """Start the long groups first, and keep a file's tests together.

    Two workers then finish together, and do not both compile the kernels that a file needs.
    """

    def rank(item):
        report, workflow = "pages" in item.path.parts, "workflow" in item.path.parts
        return (not (report and item.get_closest_marker("xdist_group")), not workflow)

    items.sort(key=rank)
    for item in items:
        if not item.get_closest_marker("xdist_group"):
            # tests of the workflow share copies of the project that take long to make
            shared = item.get_closest_marker("workflow")
            item.add_marker(pytest.mark.xdist_group("workflow" if shared else item.path.stem))


def _generator(name: str) -> np.random.Generator:
    return np.random.default_rng([_seed(), *map(ord, name)])


@pytest.fixture
def rng(request) -> np.random.Generator:
    """A generator that differs between tests and between runs of the suite."""
    return _generator(request.node.name)


@pytest.fixture(scope="module")
def module_rng(request) -> np.random.Generator:
    """The same for what the tests of a file share."""
    return _generator(request.module.__name__)
