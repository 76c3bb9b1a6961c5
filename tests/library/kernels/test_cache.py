"""What runs is what the sources say, whatever lies compiled on the disk."""

import os
import shutil
import subprocess
import sys
from ast import literal_eval
from pathlib import Path

import manyviews
from manyviews.kernels import cache

#: A loop that calls helpers of other modules.
PROBE = """
from manyviews.kernels.cache import compiled
from manyviews.kernels.lanes import fma
from manyviews.kernels.mvplsa_lanes import visit

@compiled(error_model="numpy")
def probe(indices, data, table):
    first, second = visit(indices, data, 0, indices.size, (0.25, 0.5), table)
    return fma(first, second, 3.0)
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


def probed(sources, compiled):
    """Run the probe; return its value, the number of compilations, and what was announced."""
    where = {
        "PYTHONPATH": str(sources),
        "NUMBA_CACHE_DIR": str(compiled),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    run = subprocess.run(
        [sys.executable, "-c", CALL], env=os.environ | where,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return *literal_eval(run.stdout), run.stderr


def test_sources_decide_what_runs(tmp_path):
    """An edited helper runs; equal copies share what is compiled; no folder is no error."""
    sources, compiled = tmp_path / "src", tmp_path / "compiled"
    unwanted = shutil.ignore_patterns("__pycache__", "compare")
    shutil.copytree(Path(manyviews.__file__).parent, sources / "manyviews", ignore=unwanted)
    kernels = sources / "manyviews" / "kernels"
    (kernels / "probe.py").write_text(PROBE)
    value, compilations, announced = probed(sources, compiled)
    assert compilations
    assert announced.count("compiles its loops") == 1

    shutil.copytree(sources, tmp_path / "other")
    helper = kernels / "lanes.py"
    text = helper.read_text()
    assert text.count("[0.0] * size") == 1
    helper.write_text(text.replace("[0.0] * size", "[1.0] * size"))
    edited, compilations, _ = probed(sources, compiled)
    assert compilations
    assert edited != value

    again, compilations, announced = probed(tmp_path / "other", compiled)
    assert (again, compilations) == (value, 0)
    assert "compiles its loops" not in announced

    (tmp_path / "file").touch()  # no folder can be made in a file
    again, compilations, announced = probed(tmp_path / "other", tmp_path / "file")
    assert again == value
    assert compilations
    assert "NUMBA_CACHE_DIR" in announced


def test_a_source_edited_after_it_was_hashed_is_not_kept(monkeypatch):
    """The import may have read either text. Loops of others stay where they were."""
    from numba import config

    before = config.CACHE_LOCATOR_CLASSES
    monkeypatch.setattr(cache, "SEEN", ())
    assert cache.compiled()(lambda x: x).stats.cache_path is None
    assert before == config.CACHE_LOCATOR_CLASSES


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
