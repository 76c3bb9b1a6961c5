"""Ctrl-C ends a comparison in one line; the same command goes on where it stopped."""

import os
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("matplotlib", reason="the report needs the extra: manyviews[compare]")

SLOW = """
import time
from pathlib import Path
from sklearn.dummy import DummyClassifier
from manyviews.compare.method import Method
from manyviews.compare.prepare import Prepared, weighted


class Slow(DummyClassifier):
    def fit(self, X, y):
        # long enough to be interrupted on the busiest machine, and not once that is done
        time.sleep(0 if Path(__file__).with_name("hurry").exists() else 3)
        return super().fit(X, y)


def build(facts, settings, seed):
    return Prepared(weighted(facts), Slow(), joined=True)


METHOD = Method("Slow", ("classify",), "plain", build)
"""


def fits(folder):
    return len(list((folder / "work").glob("*/*/*.json")))


@pytest.fixture
def interruptible():
    """Children start with the usual answer to Ctrl-C, even if the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def command(tmp_path, rng):
    rows = "".join(f"{rng.normal(3 * (i % 2)):.3f},{'uv'[i % 2]}\n" for i in range(40))
    (tmp_path / "mine.csv").write_text("a,label\n" + rows)
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "slow.py").write_text(SLOW)
    return [
        sys.executable, "-m", "manyviews.compare", "compare", str(tmp_path / "mine.csv"),
        "--out", str(tmp_path / "out"), "--plugins", str(tmp_path / "plugins"), "--jobs", "1",
        "--methods", "majority,concatenation,slow", "--rounds", "1",
    ]  # fmt: skip


@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_command_goes_on(command, tmp_path):
    out = tmp_path / "out"
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        end = time.monotonic() + 300
        while fits(out) < 4 and running.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        assert running.poll() is None, running.communicate()
        os.killpg(running.pid, signal.SIGINT)  # what a terminal does
        said, problem = running.communicate(timeout=300)
    assert running.returncode == 130, problem
    assert problem.strip().splitlines() == [
        "stopped; what is fitted is kept: the same command goes on from there"
    ]
    assert "report:" not in said
    assert not (out / "report.html").exists()
    kept = fits(out)
    assert 4 <= kept < 15
    (tmp_path / "plugins" / "hurry").touch()
    again = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    assert f"round 1: {kept} of 15 fits are there from before" in again.stdout
    assert f"round 1: {15 - kept} of {15 - kept} fits" in again.stdout  # progress
    assert (out / "report.html").exists()
