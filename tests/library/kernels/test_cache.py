"""What runs is what the sources say, whatever lies compiled on the disk."""

import os
import shutil
import subprocess
import sys
from ast import literal_eval
from pathlib import Path

import pytest

import manyviews
from manyviews.kernels import cache

#: A loop that calls a piece of every helper.
PROBE = """
from manyviews.kernels.cache import compiled
from manyviews.kernels.fma import fma
from manyviews.kernels.mvplsa_counts import _ratio
from manyviews.kernels.mvplsa_lanes import visit
from manyviews.kernels.plsa_lanes import mixtures

@compiled(error_model="numpy")
def probe(indices, data, table):
    first, second = visit(indices, data, 0, indices.size, (0.25, 0.5), table)
    (dot,) = mixtures(table, 0, table, (0,), 4)
    return fma(first, second, _ratio(3.0, dot))
"""
CALL = """
import numpy as np
from numba.core import event
compiling = event.RecordingListener()
event.register("numba:compile", compiling)
from manyviews.kernels.probe import probe
value = probe(np.array([0, 1, 0]), np.array([1.0, 2.0, 5.0]), np.arange(1.0, 9.0))
print((value, len(compiling.buffer)))
"""


#: An edit of a helper that changes the sum.
HELPER, OLD, NEW = "mvplsa_lanes", "[0.0] * count", "[1.0] * count"


class Copy:
    """A copy of the library with the probe, and a folder of its own for compiled loops."""

    def __init__(self, root: Path) -> None:
        self.root, self.compiled = root, root / "compiled"
        package = Path(manyviews.__file__).parent
        unwanted = shutil.ignore_patterns("__pycache__", "compare")
        self.kernels = root / "src" / "manyviews" / "kernels"
        shutil.copytree(package, self.kernels.parent, ignore=unwanted)
        (self.kernels / "probe.py").write_text(PROBE)

    def run(self, sources: Path | None = None, **variables: str) -> tuple[str, str]:
        where = {
            "PYTHONPATH": str(sources or self.root / "src"),
            "NUMBA_CACHE_DIR": str(self.compiled),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        run = subprocess.run(
            [sys.executable, "-c", CALL], env=os.environ | where | variables,
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return run.stdout, run.stderr


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """The copy, and what its probe says; the wait for the compiler was announced once."""
    copy = Copy(tmp_path_factory.mktemp("kernels"))
    said, announced = copy.run()
    value, compilations = literal_eval(said)
    assert compilations
    assert announced.count("compiles its loops") == 1
    return copy, value


def test_an_edited_helper_is_what_runs(warm):
    copy, value = warm
    path = copy.kernels / f"{HELPER}.py"
    text = path.read_text()
    assert text.count(OLD) == 1
    path.write_text(text.replace(OLD, NEW))
    try:
        edited, compilations = literal_eval(copy.run()[0])
    finally:
        path.write_text(text)
    assert compilations
    assert edited != value


def test_copies_of_the_same_sources_share_what_is_compiled(warm, tmp_path):
    """Also after the edit above; what comes from the disk is not announced."""
    copy, value = warm
    shutil.copytree(copy.root / "src", tmp_path / "other")
    said, announced = copy.run(tmp_path / "other")
    assert literal_eval(said) == (value, 0)
    assert "compiles its loops" not in announced


def test_without_a_folder_nothing_is_kept_and_that_is_said(warm, tmp_path):
    copy, value = warm
    (tmp_path / "file").touch()  # no folder can be made in a file
    said, announced = copy.run(NUMBA_CACHE_DIR=str(tmp_path / "file"))
    computed, compilations = literal_eval(said)
    assert computed == value
    assert compilations
    assert "NUMBA_CACHE_DIR" in announced


def test_a_source_edited_after_it_was_hashed_is_not_kept(monkeypatch):
    """The import may have read either text."""
    monkeypatch.setattr(cache, "SEEN", ())
    assert cache.compiled()(lambda x: x).stats.cache_path is None


def test_folders_of_other_sources_are_few(tmp_path):
    folders = [tmp_path / f"{cache.PREFIX}{k}" for k in range(8)]
    for k, folder in enumerate(folders):
        folder.mkdir()
        os.utime(folder, (k, k))
    fresh, mine = tmp_path / f"{cache.PREFIX}fresh", tmp_path / f"{cache.PREFIX}mine"
    fresh.mkdir()
    mine.mkdir()
    cache._clear(tmp_path, mine)
    assert set(tmp_path.iterdir()) == {mine, fresh, *folders[-cache.KEPT + 1 :]}


def test_loops_of_others_stay_where_they_were():
    from numba import config

    before = config.CACHE_LOCATOR_CLASSES
    cache.compiled()(lambda x: x)
    assert before == config.CACHE_LOCATOR_CLASSES
