"""A full disk names the file that did not fit, leaves nothing half-written and spoils nothing."""

import os
import subprocess
import sys
import textwrap

import pytest

#: Every file of the process may have this many bytes: the disk is full after them.
ROOM = 2000

STATIONS = {
    "text": "write_text(target, 'x' * 5000)",
    "json": "write_json(target, list(range(5000)))",
    "views": """
        import numpy as np
        from reproduction.data.format import MultiViewData
        ids = [str(i) for i in range(60)]
        views = {"v": np.sqrt(np.arange(3600.0)).reshape(60, 60)}
        MultiViewData("toy", views, np.zeros(60), ["a"], ids).save(target)
    """,
}


def run_full(tmp_path, body):
    """Run some code in a process that cannot write more than a little to any file."""
    script = textwrap.dedent(
        f"""
        import resource, signal, sys
        from pathlib import Path
        from reproduction.files import write_json, write_text
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        target = Path("out") / "result.csv"
        resource.setrlimit(resource.RLIMIT_FSIZE, ({ROOM}, {ROOM}))
        try:
        {{body}}
        except ValueError as error:
            print(error)
            sys.exit(2)
        """
    ).replace("{body}", textwrap.indent(textwrap.dedent(body).strip(), "    "))
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True,
        text=True, check=False,
    )  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are those of Unix")
@pytest.mark.parametrize("body", STATIONS.values(), ids=STATIONS)
def test_what_does_not_fit_is_named_and_the_old_file_stays(tmp_path, body):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "result.csv").write_text("old")
    done = run_full(tmp_path, body)
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout.startswith("out/result.csv cannot be written (")
    assert done.stdout.count("\n") == 1
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["result.csv"]
    assert (tmp_path / "out" / "result.csv").read_text() == "old"


def test_a_folder_that_is_a_file_is_named(tmp_path):
    (tmp_path / "out").write_text("no folder")
    done = run_full(tmp_path, STATIONS["text"])
    assert done.returncode == 2, done.stdout + done.stderr
    assert "out/result.csv cannot be written" in done.stdout
